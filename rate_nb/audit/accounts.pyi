# Written by `make export` from the module beside it. Edit the notebook.
"""A rerun should pay for nothing twice, and a budget should cover the whole audit. How are costs counted?"""
from rate_nb.audit.inputs import AuditInputs
from rate_nb.audit.inputs import Models
from rate_nb.base.store import Store
from rate_nb.llm.prices import Price
from typing import Any
import pandas as pd

def first_price(asked: AuditInputs) -> Price | None:
    """What a million tokens of the rewriter cost"""

class Accounts(Models):
    """Store, rewriter and models of one audit, and what they have cost; the store is opened when it is needed"""
    asked: AuditInputs
    price: Any
    tested: int

    def __init__(self, asked: AuditInputs):
        ...

    @property
    def store(self) -> Store:
        ...

    @property
    def rewriter(self) -> Any:
        ...

    @property
    def models(self) -> list:
        ...

    @property
    def readers(self) -> list:
        ...

    @property
    def replies(self) -> Store:
        ...

    def learn_price(self) -> None:
        ...

    def share(self, spender: Any) -> None:
        """Let it spend what the others have left of the budget"""

    def judging(self) -> dict[str, dict]:
        ...

    def reviewing(self) -> dict[str, dict]:
        ...

    def cost(self, rewrites: pd.DataFrame) -> float | None:
        """What these rewrites cost, at the price and mode of this audit, whichever run paid for them"""

    def per_example(self, rewrites: pd.DataFrame) -> dict[str, float | None]:
        """What one more example of this design takes"""

    def passes(self) -> int:
        ...

    def paid(self) -> dict[str, Any]:
        """What this run had to do, rather than find in the store; `dollars` are of all calls together"""
