# Written by `make export` from the module beside it. Edit the notebook.
"""How can I get from the paper's wording to one that works for my data, without overfitting?"""
from collections.abc import Callable
from pathlib import Path
from rate_nb.base.store import Store
from rate_nb.data.attributes import Attribute
from rate_nb.rewriting.instructions import Instruction
from rate_nb.scoring.reward_models import RewardModel
from rate_nb.widgets.trials import Trial
from rate_nb.widgets.widget_base import Job
from rate_nb.widgets.widget_base import Lab
from typing import Any
import pandas as pd
STATE: dict[str, Any]
REASONS: tuple[str, ...]

def full_state(state: dict | None, attribute: Attribute) -> dict:
    """A state with every name"""

class PromptLab(Lab):
    """Work on a rewrite instruction: try it, read, flag, compare, save, hand on"""
    attempts: dict[Any, Any]
    attribute: Any
    choice: Any
    cut: Any
    examples: Any
    job: Job
    model: RewardModel | Callable | None
    rewriter: Any
    store: Any

    def __init__(self, examples: pd.DataFrame, attribute: str | Attribute, rewriter: Any, reward_model: RewardModel | Callable | None=None, store: Store | str | Path | None=None, state: dict | None=None):
        ...

    @property
    def state(self) -> dict:
        """What is set, as a plain dict"""

    @property
    def instruction(self) -> Instruction:
        """The wording in the box"""

    @property
    def trial(self) -> Trial | None:
        """What is shown, as far as it is there"""

    def look(self) -> None:
        """Show what is there already for this instruction and these examples"""

    def show(self) -> None:
        """Draw what is there"""

    def show_plan(self) -> None:
        """What the whole run would take"""

    def rewrite(self) -> None:
        """Ask for what is missing"""

    def stop(self) -> None:
        """End the run; what has arrived stays"""

    def wait(self, seconds: float=60.0) -> PromptLab:
        """Wait for the run, in a script"""

    def step(self, by: int) -> None:
        """To the next example or back"""

    def flag_shown(self) -> None:
        """Flag the rewrite that is shown"""

    def unflag_shown(self) -> None:
        """Take its flag back"""

    def take_version(self, instruction_id: str) -> None:
        """Put a saved wording into the box"""

    def save_version(self) -> str:
        """Keep the wording in the box under its note"""

    def use_instruction(self) -> dict:
        """The instruction as plain parameters of an audit"""
