# Written by `make export` from the module beside it. Edit the notebook.
"""Which responses did the papers audit, with which prompts, clusters and thresholds?"""
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from rate_nb.base.options import Natural
from rate_nb.data.attributes import Contrast
from typing import Any
import numpy as np
import pandas as pd
REVIEW_PROMPT: str
RATINGS: tuple[str, ...]
CORPORA: Any
FORMATS: dict[Any, Any]

def load_imdb(source: str | Path | pd.DataFrame, attribute: str='sentiment', cut: float | None=None) -> pd.DataFrame:
    """IMDB reviews, labelled by sentiment or by length"""

def load_eli5(source: str | Path | pd.DataFrame, cut: float | None=None, selftext: bool=False) -> pd.DataFrame:
    """ELI5 answers, labelled by length"""

def load_helpsteer(source: str | Path | pd.DataFrame, attribute: str='helpfulness', cut: float | Contrast=2) -> pd.DataFrame:
    """HelpSteer responses, labelled by one of their ratings"""

def read_transcript(text: str) -> list | None:
    """Take a transcript apart"""

def as_messages(prompt: str) -> list:
    """A prompt as a chat template takes it"""

def load_hh_rlhf(source: str | Path | pd.DataFrame, attribute: str='helpfulness', side: str='both', reply: str='last') -> pd.DataFrame:
    """HH-RLHF replies, labelled by which one people chose"""

def load_imdb_counterfactual(path: str | Path | pd.DataFrame) -> pd.DataFrame:
    """IMDB reviews with human rewrites of the opposite sentiment"""

def rows_of(source: Any, verbatim: Sequence[str]=()) -> tuple[pd.DataFrame, str]:
    """The rows of a source"""

def renamed_columns(df: pd.DataFrame, name: str, columns: dict[str, str] | None, cluster: str | None=None, ours: Sequence[str]=...) -> pd.DataFrame:
    """A user's table with our names for its columns"""

def load_table(source: Any, columns: dict[str, str] | None=None, cluster: str | None=None, where: dict[str, Any] | None=None, turn: int=-1) -> pd.DataFrame:
    """Examples from a table with prompt, response and w, under whatever names, or from chats and pairs"""

def load_examples(source: Any, format: str='table', *, columns: dict[str, str] | None=None, cluster: str | None=None, where: dict[str, Any] | None=None, n: Natural | None=None, seed: Natural=0, turn: int=-1) -> pd.DataFrame:
    """Examples from wherever they are, with all columns that an examples table needs"""

def data_record(examples: pd.DataFrame, left_out: Sequence[str]=()) -> dict:
    """How many rows were read, what became of them, and who labelled them"""

def cell_sizes(p: float | tuple[float, float], n: int, share: float) -> dict:
    """How many examples of each kind make a sample with this correlation"""

def largest_n(examples: pd.DataFrame, other: str, levels: Sequence[float]=(0, 1), share: float | None=None) -> int:
    """The largest sample that can be drawn at every level"""

def correlate(examples: pd.DataFrame, other: str, p: float | tuple[float, float], rng: np.random.Generator | int, n: int | None=None, share: float | None=None) -> pd.DataFrame:
    """Draw a sample in which W goes together with another property as told"""

def as_turns(prompt: str | list[dict[str, Any]]) -> list:
    """A prompt as the turns it consists of"""

def without_reference(prompt: Any) -> tuple:
    """Take a reference answer off a prompt"""

def prompts_of(examples: pd.DataFrame) -> list:
    """What a reward is handed as the prompt of each example"""

def whole_chat(prompt: Any, response: str) -> tuple:
    """The conversation that a template renders, or that a server is sent"""

def in_words(prompt: Any) -> str:
    """A prompt for models that read plain text"""

def one_form(prompt: Any) -> Any:
    """A prompt as it is kept and compared"""

def trajectory(prompt: str | list[dict[str, Any]], response: list[dict[str, Any]]) -> tuple:
    """A response of many turns as the conversation around its last one"""

@dataclass(frozen=True)
class Corpus:
    """One dataset read for one attribute, and what was decided about it"""
    name: str
    load: object
    attribute: str
    prompt: str
    cluster: str
    binarised: str
    hub: str

    def __call__(self, source: str | Path | pd.DataFrame) -> pd.DataFrame:
        ...
