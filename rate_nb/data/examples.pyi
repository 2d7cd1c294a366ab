# Written by `make export` from the module beside it. Edit the notebook.
"""Which responses did the papers audit, under which prompt, in which clusters, and where was the cut?"""
from dataclasses import dataclass
from typing import Any
import pandas as pd
REVIEW_PROMPT: str
RATINGS: tuple[str, ...]
CORPORA: Any
FORMATS: dict[Any, Any]

def load_imdb(source, attribute='sentiment', cut=None) -> pd.DataFrame:
    """IMDB reviews, labelled by sentiment or by length"""

def load_eli5(source, cut=None, selftext=False) -> pd.DataFrame:
    """ELI5 answers, labelled by length"""

def load_helpsteer(source, attribute='helpfulness', cut=2) -> pd.DataFrame:
    """HelpSteer responses, labelled by one of their ratings"""

def read_transcript(text) -> list:
    """Take a transcript apart"""

def as_messages(prompt) -> list:
    """A prompt as a chat template takes it"""

def load_hh_rlhf(source, attribute='helpfulness', side='both', reply='last') -> pd.DataFrame:
    """HH-RLHF replies, labelled by which one people chose"""

def load_imdb_counterfactual(path) -> pd.DataFrame:
    """IMDB reviews with human rewrites of the opposite sentiment"""

def load_table(source, columns=None, cluster=None, where=None, turn=-1):
    """Examples from a table with prompt, response and w, under whatever names, or from chats and pairs"""

def load_examples(source, format='table', *, columns=None, cluster=None, where=None, n=None, seed=0, turn=-1) -> pd.DataFrame:
    """Examples from wherever they are, with all columns that an examples table needs"""

def data_record(examples, left_out=()) -> dict:
    """How many rows were read, what became of them, and who labelled them"""

def cell_sizes(p, n, share) -> dict:
    """How many examples of each kind make a sample with this correlation"""

def largest_n(examples, other, levels=(0, 1), share=None) -> int:
    """The largest sample that can be drawn at every level"""

def correlate(examples, other, p, rng, n=None, share=None) -> pd.DataFrame:
    """Draw a sample in which W goes together with another property as told"""

def as_turns(prompt) -> list:
    """A prompt as the turns it consists of"""

def without_reference(prompt) -> tuple:
    """Take a reference answer off a prompt"""

def prompts_of(examples) -> list:
    """What a reward is handed as the prompt of each example"""

def whole_chat(prompt, response) -> tuple:
    """The conversation that a template renders, or that a server is sent"""

def in_words(prompt) -> str:
    """A prompt for whoever reads words"""

def one_form(prompt):
    """A prompt as it is kept and compared"""

def trajectory(prompt, response) -> tuple:
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

    def __call__(self, source):
        ...
