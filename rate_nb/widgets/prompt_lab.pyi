# Written by `make export` from the module beside it. Edit the notebook.
"""How does one get from the paper's wording to one that works here, without fooling oneself?"""
from rate_nb.widgets.widget_base import Job
from rate_nb.widgets.widget_base import Lab
from typing import Any
STATE: dict[str, Any]
REASONS: tuple[str, ...]

def full_state(state, attribute) -> dict:
    """A state with every name"""

class PromptLab(Lab):
    """Work on a rewrite instruction: try it, read, flag, compare, save, hand on"""
    attempts: dict[Any, Any]
    attribute: Any
    choice: Any
    cut: Any
    examples: Any
    job: Job
    model: Any
    rewriter: Any
    store: Any

    def __init__(self, examples, attribute, rewriter, reward_model=None, store=None, state=None):
        ...

    @property
    def state(self) -> dict:
        """What is set, as a plain dict"""

    @property
    def instruction(self):
        """The wording in the box"""

    @property
    def trial(self):
        """What is shown, as far as it is there"""

    def look(self):
        """Show what is there already for this instruction and these examples"""

    def show(self):
        """Draw what is there"""

    def show_plan(self):
        """What the whole run would take"""

    def rewrite(self):
        """Ask for what is missing"""

    def stop(self):
        """End the run; what has arrived stays"""

    def wait(self, seconds=60.0):
        """Wait for the run, in a script"""

    def step(self, by):
        """To the next example or back"""

    def flag_shown(self):
        """Flag the rewrite that is shown"""

    def unflag_shown(self):
        """Take its flag back"""

    def take_version(self, instruction_id):
        """Put a saved wording into the box"""

    def save_version(self) -> str:
        """Keep the wording in the box under its note"""

    def use_instruction(self) -> dict:
        """The instruction as plain parameters of an audit"""
