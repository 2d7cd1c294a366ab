"""Charts, from numbers alone: a plot fits no model."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".charts": ["ESTIMATOR_STYLES", "causal_graph", "enable_charts", "finish_chart", "save_chart"],
    ".effects": ["plot_curves", "plot_effects", "plot_rewards"],
    ".calibration": ["plot_gameability", "plot_rank_heatmap", "plot_rm_bench", "plot_style_matrix"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
