# Written by `make export` from the module beside it. Edit the notebook.
"""Charts, from numbers alone: a plot fits no model."""
from .charts import ESTIMATOR_STYLES as ESTIMATOR_STYLES
from .charts import causal_graph as causal_graph
from .charts import enable_charts as enable_charts
from .charts import finish_chart as finish_chart
from .charts import save_chart as save_chart
from .effects import plot_curves as plot_curves
from .effects import plot_effects as plot_effects
from .effects import plot_rewards as plot_rewards
from .calibration import plot_gameability as plot_gameability
from .calibration import plot_rank_heatmap as plot_rank_heatmap
from .calibration import plot_rm_bench as plot_rm_bench
from .calibration import plot_style_matrix as plot_style_matrix
__all__ = ['ESTIMATOR_STYLES', 'causal_graph', 'enable_charts', 'finish_chart', 'plot_curves', 'plot_effects', 'plot_gameability', 'plot_rank_heatmap', 'plot_rewards', 'plot_rm_bench', 'plot_style_matrix', 'save_chart']
