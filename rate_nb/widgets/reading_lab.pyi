# Written by `make export` from the module beside it. Edit the notebook.
"""How does a person read forty pairs of rewrites, without a spreadsheet, and say what belongs to the attribute?"""
from collections.abc import Callable
from pathlib import Path
from rate_nb.diagnostics.review import Review
from rate_nb.diagnostics.review import ReviewPairs
from rate_nb.widgets.widget_base import Job
from rate_nb.widgets.widget_base import Lab
from typing import Any
UNDECIDED: str

class ReadingLab(Lab):
    """Read pairs of rewrites, and name what differs"""
    finish: Callable[[Path], Any] | None
    job: Job
    named: list[Any]
    pairs: ReviewPairs
    path: Path
    result: Any
    table: Any

    def __init__(self, pairs: ReviewPairs, path: str | Path, state: dict[str, Any] | None=None, finish: Callable[[Path], Any] | None=None):
        ...

    @property
    def state(self) -> dict:
        ...

    @property
    def left(self) -> int:
        ...

    @property
    def tags(self) -> list[str]:
        ...

    def show(self, at: int) -> None:
        """Show a pair, and what was said of it"""

    def name_difference(self, tag: str='', shown_by: str | None=None, belongs: bool=False) -> None:
        """One more difference of this pair"""

    def keep(self) -> None:
        """Save the differences, and show the next pair that is left"""

    def nothing_differs(self) -> None:
        """Save that nothing differs besides the attribute, and show the next pair that is left"""

    def use_readings(self) -> None:
        """Give the file to what uses it; the result is in `.result`"""

class TagLab(Lab):
    """Say which of a review's tags belong to the attribute"""
    answers: Any
    box: Any
    finish: Callable[[dict], dict]
    go: Any
    review: Any
    status: Any

    def __init__(self, review: Review, finish: Callable[[dict], dict]):
        ...

    @property
    def said(self) -> dict[str, str]:
        ...

    def confirm(self) -> None:
        """Give the answers to the audit"""
