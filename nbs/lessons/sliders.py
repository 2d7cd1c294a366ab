"""A slider and the picture that it moves, for lessons 1 to 12.

    from sliders import dots, slide
    slide(picture_at, "what a typo costs (reward points)", range(7), 4)

In JupyterLab `picture_at(value)` is computed anew while the slider is dragged. In a notebook at rest the
picture of the first value shown is kept. The documentation shows a dozen pictures computed when it is built.
"""
import ast, json, re, symtable, sys
from dataclasses import dataclass
from html import escape
from pathlib import Path
import numpy as np
import pandas as pd
from rate_nb.plots import ESTIMATOR_STYLES
from rate_nb.plots.charts import INK, to_svg
from rate_nb.widgets.widget_base import MovingLab, Picture, charted, framed, kit, row

HERE, FRAMES = Path(__file__).resolve().parent, 12
_COLOUR = {name: colour for name, colour, _ in ESTIMATOR_STYLES.values()}


def minus(text):  # "-0.5" with the sign that print has for it
    return re.sub(r"(?<![\w.])-(?=[\d.])", "−", text)


def _colour(name):  # that of the estimator a row is called after
    return next((c for known, c in _COLOUR.items() if name.startswith(known) and c != INK), "currentColor")


def _axis(domain, title, **more):
    return dict(type="quantitative", scale=dict(domain=list(domain), nice=False), title=title, **more)


def dots(
    estimates,   # name of a row → a number, or (estimate, low, high)
    title,       # the finding
    domain,      # (lowest, highest) value of the axis, the same for every value of the slider
    truth=None,  # a number, or name → number: a tick in the row
    axis="effect on the reward (reward points)",
):               # a `Picture`
    "A row for each estimate, on an axis that stays"
    rows = []
    for name, found in estimates.items():
        at, low, high = map(float, found if isinstance(found, tuple) else (found,)*3)
        said = f"{at:+.2f}" + f" [{low:+.2f}, {high:+.2f}]"*(high > low)
        true = truth.get(name) if isinstance(truth, dict) else truth
        rows.append(dict(name=name, at=at, low=low, high=high, said=minus(said),
                         truth=None if true is None else float(true)))
    table, names = pd.DataFrame(rows).round(4), [r["name"] for r in rows]
    y = dict(field="name", type="nominal", sort=names, scale=dict(domain=names), title=None,
             axis=dict(ticks=False, domain=False, labelPadding=8, labelLimit=200))
    colour = dict(field="name", type="nominal", legend=None,
                  scale=dict(domain=names, range=[_colour(n) for n in names]))
    x = lambda field: _axis(domain, axis, field=field)
    def layer(mark, **encoding):
        return dict(data=dict(name="rows"), mark=mark | dict(clip=mark["type"] != "text"), encoding=encoding)
    ink = dict(color="currentColor")
    spec = charted(width=330, height=34*len(names) + 10, layer=[
        layer(dict(type="tick", thickness=2, size=28, orient="vertical", opacity=.75, **ink), x=x("truth"),
              y=y),
        layer(dict(type="rule", strokeWidth=3), x=x("low"), x2=dict(field="high"), y=y, color=colour),
        layer(dict(type="point", filled=True, size=95, opacity=1), x=x("at"), y=y, color=colour),
        layer(dict(type="text", align="left", fontSize=12, **ink), x=dict(value=342), y=y,
              text=dict(field="said"))])
    facts = "; ".join(f"{r['name']} {r['said']}" for r in rows)
    ticks = "" if truth is None else " A tick marks the truth."
    return Picture(spec, dict(rows=table), minus(title), f"{minus(title)}. {facts}.{ticks}")


def bars(
    chances,    # value → its probability
    title,      # the finding
    domain,     # (lowest, highest) value of the axis
    truth,      # a number: a line
    axis="estimate (reward points)",
    cells=28,   # bars over the whole axis
):              # a `Picture`
    "A distribution, on axes that stay"
    values = np.unique([float(v) for v in chances])
    width = (domain[1] - domain[0])/cells
    shift = min(np.diff(values).min(initial=np.inf), width)/2 # centres each bar on its values
    edges = domain[0] - shift + width*np.arange(cells + 2)
    heights, _ = np.histogram([float(v) for v in chances], edges,
                              weights=[float(p) for p in chances.values()])
    data = dict(cells=pd.DataFrame(dict(low=edges[:-1], high=edges[1:], p=heights)).round(4),
                truth=pd.DataFrame(dict(at=[float(truth)])))
    x = lambda field: _axis(domain, axis, field=field)
    blue = dict(color=ESTIMATOR_STYLES["rate"][1])
    spec = charted(width=400, height=170, layer=[
        dict(data=dict(name="cells"), mark=dict(type="rect", clip=True, **blue),
             encoding=dict(x=x("low"), x2=dict(field="high"), y=_axis((0, .5), "probability", field="p"),
                           y2=dict(datum=0))),
        dict(data=dict(name="truth"), mark=dict(type="rule", strokeDash=[4, 3], strokeWidth=2,
                                                color="currentColor"), encoding=dict(x=x("at")))])
    said = f"{minus(title)}. The dashed line is the truth, {float(truth):g}."
    return Picture(spec, data, minus(title), said)


@dataclass(frozen=True)
class _Untitled:  # where the page has the title above the picture
    picture: Picture

    def to_dict(self): return {k: v for k, v in self.picture.to_dict().items() if k != "title"}


def _label(value):
    return minus(f"{float(value):,.6g}")


class Slide(MovingLab):
    "One slider, and the picture of its value"
    def __init__(self, function, name, values, start):
        values = list(values)
        if start not in values:
            raise ValueError(f"`start` must be one of `values`: {', '.join(map(_label, values))}")
        super().__init__(lambda state: (state[name], "", function(state[name])))
        self.function, self.name, self.values, self.start = function, name, values, start
        dial = kit().SelectionSlider(options=[(_label(v), v) for v in values], value=start, description=name,
                                     style=dict(description_width="initial"),
                                     layout=dict(width="560px", max_width="100%"))
        self.dials = {name: dial}
        self._box = framed(row(dial, self.status), self.trouble, self.place)
        self._watch()
        self._ask()

    def shown(self):  # of the values: about a dozen, with the first, the last and the start
        some = np.linspace(0, len(self.values) - 1, min(FRAMES, len(self.values))).round().astype(int)
        return [self.values[i] for i in sorted({*some.tolist(), self.values.index(self.start)})]

    def frames(self):  # [(value in words, the finding, SVG)]
        "The pictures that a page without Python chooses from"
        pictures = [(v, self.function(v)) for v in self.shown()]
        return [(_label(v), p.title, to_svg(_Untitled(p), adaptive=True)) for v, p in pictures]

    def page(self, key):  # HTML; key: a word that no other slider of the page has
        "The slider for a page without Python, which `slide.js` moves"
        frames, at = self.frames(), self.shown().index(self.start)
        told = json.dumps([dict(zip(("value", "title", "svg"), f)) for f in frames], ensure_ascii=False)
        told = told.replace("<", r"\u003c")  # no tag in a script ends it
        value, title, svg = frames[at]
        return (f'<div class="rate-slide"><p class="rate-dial" hidden><label for="{key}">{escape(self.name)}'
                f'</label> <input type="range" id="{key}" min="0" max="{len(frames) - 1}" value="{at}" '
                f'aria-valuetext="{escape(value)}"> <output for="{key}">{escape(value)}</output></p>'
                f'<p class="rate-finding" aria-live="polite">{escape(title)}</p>'
                f'<div class="rate-frame">{svg}</div>'
                f'<script type="application/json">{told}</script></div>')

    def _repr_mimebundle_(self, **kw):
        shown = super()._repr_mimebundle_(**kw)
        return shown | ({"text/plain": self.picture.description} if self.picture else {})


def slide(
    function,  # of one value → a `Picture`, in a tenth of a second at most
    name,      # what the value is, with its unit
    values,    # plain numbers, in order
    start,     # the one that is shown first
):             # a `Slide`
    "Let a reader move one number and see what it does"
    return Slide(function, name, values, start)


def _symbols(statement):  # (names it makes or changes, names it takes from before it)
    table = symtable.symtable(ast.unparse(statement), "", "exec")
    makes = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    makes |= {n.value.id for n in ast.walk(statement) if isinstance(n, ast.Subscript)
              and isinstance(n.ctx, ast.Store) and isinstance(n.value, ast.Name)}
    takes = {s.get_name() for s in table.get_symbols() if s.is_referenced()}
    inner = table.get_children()
    while inner:
        scope = inner.pop()
        takes |= {s.get_name() for s in scope.get_symbols() if s.is_global()}
        inner += scope.get_children()
    return makes, takes


def needed(cells):  # sources of code cells, the last one a slider's → statements
    "Of all that was run before, what the slider's function is made of"
    *before, last = [ast.parse(source).body for source in cells]
    told = [(s, *_symbols(s)) for body in before for s in body if not isinstance(s, ast.Assert)]
    names, known = set().union(*(_symbols(s)[1] for s in last)), None
    while names != known:
        known = set(names)
        names |= set().union(*(takes for _, makes, takes in told if makes & names))
    return [s for s, makes, _ in told if makes & names] + last


def ends_on_slider(source):
    "Is this a cell that shows a slider?"
    last = (ast.parse(source).body or [None])[-1]
    return isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and getattr(
        last.value.func, "id", "") == "slide"


def of_lesson(
    notebook,  # path of a notebook
):             # (index of its cell, `Slide`), or None
    "The slider of a lesson, without running the whole lesson"
    cells = json.loads(Path(notebook).read_text(encoding="utf-8"))["cells"]
    code = [(i, "".join(c["source"])) for i, c in enumerate(cells) if c["cell_type"] == "code"]
    at = next((k for k, (_, source) in enumerate(code) if ends_on_slider(source)), None)
    if at is None:
        return None
    if str(HERE) not in sys.path:
        sys.path.insert(0, str(HERE))
    *kept, last = needed([source for _, source in code[:at + 1]])
    world = {"__name__": Path(notebook).stem}
    exec(compile(ast.Module(kept, []), str(notebook), "exec"), world)
    return code[at][0], eval(compile(ast.Expression(last.value), str(notebook), "eval"), world)
