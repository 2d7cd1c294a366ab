# Written by `make export` from the module beside it. Edit the notebook.
"""What can be counted in a response that a reward model might reward?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from typing import Any
import numpy as np
import pandas as pd
CHARACTERISTICS: dict[str, Any]
LANGUAGES: dict[str, Any]
ENGLISH: Any
COUNTS: Any

def sentences(text: str) -> int:
    """Number of sentences, in any script (Unicode Standard Annex 29, rules SB4 to SB11)"""

def measure(texts: Iterable[str | None], characteristic: str | Callable[[str], float]='characters') -> np.ndarray:
    """One characteristic of each text"""

def markdown_counts(text: str) -> tuple:
    """Count the formatting that a Markdown reader shows"""

def markdown_regex(text: str) -> int:
    """Formatting as the calibration paper's regular expressions count it"""

def headers(text: str) -> int:
    """Headings, both `# Title` and underlined"""

def list_items(text: str) -> int:
    """Items of lists, numbered or not, at any depth"""

def bold(text: str) -> int:
    """Bold runs, `**so**` or `__so__`"""

def markdown(text: str) -> int:
    """Headings, list items and bold runs together (calibration paper, section 5)"""

def tags(text: str) -> int:
    """Number of HTML tags"""

def code(text: str) -> int:
    """Number of code blocks and code runs, as CommonMark reads them"""

def exclamations(text: str) -> int:
    """Number of exclamation marks"""

def questions(text: str) -> int:
    """Number of question marks"""

def capitals(text: str) -> float:
    """Share of the letters that are capitals"""

def digits(text: str) -> int:
    """Number of digits, of any script"""

def type_token_ratio(text: str) -> float:
    """Number of different words per word, capitals ignored"""

def misspellings(text: str) -> int:
    """Number of lower-case words that an English dictionary lacks; capitalised words may be names. Technical words that it lacks count, too"""

def sentiment(text: str) -> float:
    """Mean of VADER's compound score over the sentences of an English text; 0 where it knows no word"""

def readability(text: str) -> float:
    """Automated Readability Index (Smith and Senter 1967)"""

def hedges(text: str) -> int:
    """Number of hedging phrases"""

def closing_phrases(text: str) -> int:
    """Number of phrases that sum up or take leave"""

def is_english(texts: Iterable[str], least: float=0.7) -> bool:
    """Are these texts written in English?"""

def language_of(texts: Iterable[str]) -> str | None:
    """The language in which most of these texts are written"""

def courtesy(text: str) -> int:
    """Number of polite phrases less that of rude ones"""

def assurance(text: str) -> float:
    """Number of boosters less that of hedges"""

def jargon(text: str) -> float:
    """Share of the words that are long, in lower case and rare in everyday English"""

def token_counts(texts: Iterable[str], tokenizer: Any) -> np.ndarray:
    """Number of tokens of each text, without special tokens"""

def characteristic(data: pd.DataFrame | Iterable[str], what: str | Callable[[str], float]='length', *, text: str='response', tokenizer: Any=None) -> np.ndarray:
    """One characteristic of each row"""

def characteristics(data: pd.DataFrame | Iterable[str], names: str | Callable[[str], float] | Sequence[str | Callable[[str], float]], **options: Any) -> pd.DataFrame:
    """Several characteristics side by side"""
