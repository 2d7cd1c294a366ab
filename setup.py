"Everything is read from settings.ini, the one place where the package is configured."
from configparser import ConfigParser
from pathlib import Path
from setuptools import find_packages, setup

config = ConfigParser(delimiters=["="], interpolation=None)
config.read("settings.ini", encoding="utf-8")
cfg = config["DEFAULT"]
extras = {key.removesuffix("_requirements"): value.split()
          for key, value in cfg.items() if key.endswith("_requirements")}

setup(
    name=cfg["lib_name"], version=cfg["version"], description=cfg["description"],
    long_description=Path("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author=cfg["author"], author_email=cfg["author_email"], license="Apache-2.0",
    keywords=cfg["keywords"].split(),
    classifiers=[f"Development Status :: {cfg['status']} - Alpha", f"Intended Audience :: {cfg['audience']}",
                 *cfg["classifiers"].splitlines(),
                 f"Programming Language :: Python :: {cfg['min_python']}", # where all tests run
                 f"Natural Language :: {cfg['language']}"],
    url=f"https://github.com/{cfg['user']}/{cfg['repo']}", python_requires=f">={cfg['min_python']}",
    # the run notebooks are shipped inside the package, straight from where they are written
    packages=[*find_packages(include=["rate_nb", "rate_nb.*"]), "rate_nb.runs"],
    package_dir={"rate_nb.runs": "nbs/runs"},
    package_data={"": ["py.typed", "*.pyi"], "rate_nb": ["templates/*"], "rate_nb.runs": ["*.ipynb"],
                  "rate_nb.checkpoints": ["*.yaml"], "rate_nb.llm": ["*.csv"],
                  "rate_nb.studies": ["demo-reward-model-*/*"], "rate_nb.views": ["*.js", "*.css"],
                  "rate_nb.widgets": ["*.js", "*.css"]}, include_package_data=False,
    install_requires=cfg["requirements"].split(), extras_require=extras,
    entry_points={"console_scripts": cfg["console_scripts"].split()},
)
