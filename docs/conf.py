("How the notebooks become a site: read from disk as they are, with formulas as MathML, so that no page "
 "needs the network.")
import html
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from latex2mathml.converter import convert
from sphinx.search.en import SearchEnglish

_settings = ConfigParser(delimiters=["="])
_settings.read(Path(__file__).resolve().parent.parent / "settings.ini")
_about = _settings["DEFAULT"]

project, author, release = _about["title"], _about["author"], _about["version"]
project_copyright = _about["copyright"]
extensions = ["myst_nb"]
nb_render_markdown_format = "myst"                         # tables of an output are tables
nb_execution_mode = "off"                                  # `make outputs` ran them; the tests run them again
myst_enable_extensions = ["dollarmath", "amsmath", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["**.ipynb_checkpoints"]
# a lesson may skip a heading level; a chart has a picture beside its specification
suppress_warnings = ["myst.header", "mystnb.unknown_mime_type"]
nb_mime_priority_overrides = [("html", "image/png", 0), ("html", "text/html", 5)]

html_theme = "pydata_sphinx_theme"
html_title = "rate_nb"
html_theme_options = dict(show_prev_next=True, navigation_depth=2, show_nav_level=1,
                          secondary_sidebar_items=["page-toc"], navbar_end=["theme-switcher"],
                          navbar_persistent=["search-button"],
                          pygments_light_style="a11y-high-contrast-light",
                          pygments_dark_style="a11y-high-contrast-dark")
html_show_sourcelink = False
html_context = dict(default_mode="auto")                 # light or dark, as the reader's system is
html_static_path, html_css_files = [str(Path(__file__).resolve().parent / "static")], ["site.css"]
html_js_files = [("slide.js", dict(defer="defer"))]


def visit_math(self, node):
    self.body.append(convert(node.astext()))
    raise _skip()


def visit_math_block(self, node):
    self.body.append('<div class="math" role="math" tabindex="0" '
                     f'aria-label="{html.escape(node.astext())}">'
                     f'{convert(node.astext(), display="block")}</div>')
    raise _skip()


def _skip():
    from docutils import nodes
    return nodes.SkipNode()


html_math_renderer = "mathml"
SearchEnglish.stem = cache(SearchEnglish.stem)           # of each word once, and not on each of 300 pages


def setup(app):
    app.add_html_math_renderer("mathml", inline_renderers=(visit_math, None),
                               block_renderers=(visit_math_block, None))
    return dict(parallel_read_safe=True, parallel_write_safe=True)
