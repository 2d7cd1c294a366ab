# Written by `make export` from the module beside it. Edit the notebook.
"""What can be counted in a response that a reward model might reward?"""
from typing import Any
import numpy as np
import pandas as pd
CHARACTERISTICS: dict[str, Any]
LANGUAGES: dict[str, Any]
ENGLISH: Any
COUNTS: Any

def sentences(text) -> int:
    """Number of sentences, in any script (Unicode Standard Annex 29, rules SB4 to SB11)"""

def measure(texts, characteristic='characters') -> np.ndarray:
    """One characteristic of each text"""

def markdown_counts(text) -> tuple:
    """Count the formatting that a Markdown reader shows"""

def markdown_regex(text) -> int:
    """Formatting as the calibration paper's regular expressions count it"""

def headers(text) -> int:
    """Headings, both `# Title` and underlined"""

def list_items(text) -> int:
    """Items of lists, numbered or not, at any depth"""

def bold(text) -> int:
    """Bold runs, `**so**` or `__so__`"""

def markdown(text) -> int:
    """Headings, list items and bold runs together (calibration paper, section 5)"""

def tags(text) -> int:
    """Number of HTML tags"""

def code(text) -> int:
    """Number of code blocks and code runs, as CommonMark reads them"""

def exclamations(text) -> int:
    """Number of exclamation marks"""

def questions(text) -> int:
    """Number of question marks"""

def capitals(text) -> float:
    """Share of the letters that are capitals"""

def digits(text) -> int:
    """Number of digits, of any script"""

def type_token_ratio(text) -> float:
    """Number of different words per word, capitals ignored"""

def misspellings(text) -> int:
    """Number of lower-case words that an English dictionary lacks; capitalised words may be names. Technical words that it lacks count, too"""

def sentiment(text) -> float:
    """Mean of VADER's compound score over the sentences of an English text; 0 where it knows no word"""

def readability(text) -> float:
    """Automated Readability Index (Smith and Senter 1967)"""

def hedges(text) -> int:
    """Number of hedging phrases"""

def closing_phrases(text) -> int:
    """Number of phrases that sum up or take leave"""

def is_english(texts, least=0.7) -> bool:
    """Are these texts written in English?"""

def language_of(texts) -> str:
    """The language in which most of these texts are written"""

def courtesy(text) -> int:
    """Number of polite phrases less that of rude ones"""

def assurance(text) -> float:
    """Number of boosters less that of hedges"""

def jargon(text) -> float:
    """Share of the words that are long, in lower case and rare in everyday English"""

def token_counts(texts, tokenizer) -> np.ndarray:
    """Number of tokens of each text, without special tokens"""

def characteristic(data, what='length', *, text='response', tokenizer=None) -> np.ndarray:
    """One characteristic of each row"""

def characteristics(data, names, **options) -> pd.DataFrame:
    """Several characteristics side by side"""
