# Written by `make export` from the module beside it. Edit the notebook.
"""What do all charts need in common to be readable on any screen, offline, and for colour-blind and blind people?"""
from pathlib import Path
from typing import Any
ESTIMATOR_STYLES: dict[str, tuple[str, ...]]
INK: str
SOFT: str
ESTIMANDS: dict[str, str]
RULE: str
PAPER: str
interval_text: Any
STEP: int
ROW: int
RIM: int
LOOKS: dict[str, tuple[Any, ...]]

def enable_charts():
    """Show altair charts offline: as Vega-Lite for JupyterLab, as PNG everywhere else"""

def finish_chart(chart, title, subtitle, description):
    """A chart with its finding as the title and its facts in words"""

def estimator_name(estimator):
    ...

def join_words(words):
    ...

def capital(s):
    ...

def interval_layers(chart, x, y, colour, shape=None):
    """Points with their intervals"""

def side_by_side(panels, names):
    ...

def to_png(chart, scale=2) -> bytes:
    """A chart as PNG"""

def to_svg(chart, adaptive=False) -> str:
    """A chart as SVG"""

def save_chart(chart, path) -> Path:
    """Write a chart to a file"""

def causal_graph(nodes, edges, title, description):
    """What acts on what"""
