# Written by `make export` from the module beside it. Edit the notebook.
"""What do all charts need in common to be readable on any screen, offline, and for colour-blind and blind people?"""
from altair.typing import ChartType
from collections.abc import Callable
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

def import_vl_convert() -> Any:
    """What draws pictures, or how to get it"""

def enable_charts() -> None:
    """Show altair charts offline: as Vega-Lite for JupyterLab, as PNG everywhere else"""

def finish_chart(chart: ChartType, title: str, subtitle: list[str], description: str) -> ChartType:
    """A chart with its finding as the title and its facts in words"""

def estimator_name(estimator: str) -> str:
    ...

def join_words(words: list[str]) -> str:
    ...

def capital(s: str) -> str:
    ...

def interval_layers(chart: ChartType, x: Any, y: Any, colour: Any, shape: Any=None) -> list:
    """Points with their intervals"""

def side_by_side(panels: list, names: list[str]) -> ChartType:
    ...

def to_png(chart: ChartType, scale: float=2) -> bytes:
    """A chart as PNG"""

def to_svg(chart: ChartType, adaptive: bool=False) -> str:
    """A chart as SVG"""

def kept_scripts(name: str, make: Callable[[], str]) -> str:
    """Scripts of Vega, made once for each version of vl-convert"""

def save_chart(chart: ChartType, path: str | Path) -> Path:
    """Write a chart to a file"""

def causal_graph(nodes: dict[str, tuple], edges: list[tuple], title: str, description: str) -> ChartType:
    """What acts on what"""
