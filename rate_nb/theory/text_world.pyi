# Written by `make export` from the module beside it. Edit the notebook.
"""What can change in a response while its content stays the same?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
import numpy as np
import pandas as pd
import random
PAIRS: Any
ELABORATIONS: Any
HEDGES: tuple[str, ...]
POLISH: tuple[str, ...]
TYPOS: dict[str, Any]
MOST_TYPOS: int
MOST_BREAKS: int
PEOPLE: Style
REWRITER: Style
LONG_WORDS: int
XI: Any
LATENT: tuple[Any, ...]
MARK: str

def polarity(text: str) -> int:
    """Count the polar words of a text"""

def flip_sentiment(text: str, target: int) -> str:
    """Turn every polar word that points the wrong way"""

def elaborate(n: int, rng: random.Random) -> tuple:
    """Elaborations at random, none repeated before all are used"""

def sentences(text: str) -> list:
    """Split a text into sentences: at line ends, and after . ! ? before a space"""

def read_draft(text: str) -> Draft:
    """Take a text apart"""

def rewrite(text: str, attribute: str, target: int | None, seed: int | str, style: Style=...) -> str:
    """Flip one attribute, keep what is said, redraw the surface"""

def render(row: Any) -> str:
    """Write the response of one latent plan"""

def side(text: str, attribute: str) -> int:
    ...

def true_effects(world: TextWorld, reward: Callable[..., Any], rng: np.random.Generator, n: int=4000) -> pd.DataFrame:
    """The effects on a reward in a simulation, from perfect counterfactuals, and the additivity gap"""

def hump(length: float | np.ndarray) -> float | np.ndarray:
    """A bias that rises and falls, as no straight line does"""

def planted_rewards(prompts: int, rng: np.random.Generator, bias: Callable[[np.ndarray], np.ndarray]=..., answers: int=2, noise: float=0.5) -> pd.DataFrame:
    """Rewards with a planted bias: quality is independent of length"""

def planted_grid(attributes: Sequence[str]=..., models: Sequence[str]=('model A', 'model B'), datasets: Sequence[str]=('reviews', 'chat'), *, share: float=0.25, size: float=0.4, n: int=200, refused: float=0.0, level: float=0.95, rng: np.random.Generator | int=0) -> pd.DataFrame:
    """Effects of a made-up grid"""

def simulated_benchmark(n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Pairs in RM-Bench's layout that differ in quality, each in three styles"""

@dataclass(frozen=True)
class Surface:
    """ξ: what a rewrite changes without being asked"""
    typos: int = ...
    breaks: int = ...
    hedge: int = ...
    bold: int = ...
    polish: int = ...

@dataclass(frozen=True)
class Style:
    """A distribution of surfaces"""
    typos: float = ...
    breaks: float = ...
    hedge: float = ...
    bold: float = ...
    polish: float = ...

    def draw(self, rng: random.Random) -> Surface:
        """One surface from this style"""

@dataclass(frozen=True)
class Draft:
    """A text taken apart into Z (what is said), its elaborations and its surface ξ"""
    said: tuple
    elaborations: tuple
    surface: Surface = ...

    def write(self, seed: int | str) -> str:
        """Put the text together"""

@dataclass(frozen=True)
class TextWorld:
    """A simulation that writes English, with a known truth"""
    attribute: str = ...
    confounding: float = ...
    people: Style = ...
    style: Style = ...
    responses_per_prompt: int = ...
    drift: float = ...
    misses: object = ...

    def __post_init__(self):
        ...

    @property
    def other(self) -> str:
        ...

    def miss(self, target: int) -> Any:
        ...

    def latents(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Draw latent plans of the confounded population"""

    def write(self, latents: pd.DataFrame) -> pd.DataFrame:
        """Render latent plans as a table of examples"""

    def examples(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """Draw a population of labelled responses"""

    def counterfactual(self, examples: pd.DataFrame) -> pd.DataFrame:
        """The perfect counterfactual of every example"""

    def restyled(self, examples: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
        """Every example as a perfect rewriter would return it: same W and Z, its own ξ"""

    def rewriter(self, prompt: Any, text: str, target: int | None, seed: int=0) -> str:
        """Rewrite as the sandbox endpoint does: flip the attribute, redraw ξ"""

    def keep(self, prompt: Any, text: str, seed: int=0) -> str:
        """Rewrite and leave the attribute alone, as the placebo of a relative attribute asks"""

    def label(self, responses: Iterable[str], prompts: Any=None) -> np.ndarray:
        """On which side of the attribute each response was planted: a labeller without errors"""

    @property
    def reward(self) -> Taste:
        """The planted taste as a reward: a known, additive, closed-form function of the text"""

    def population(self, n: int, rng: np.random.Generator) -> pd.DataFrame:
        """What decides the rewards of the confounded population, with no response written"""

    def simulate(self, n: int, rng: np.random.Generator, reward: Callable[[pd.DataFrame], np.ndarray] | None=None, steps: int=4) -> pd.DataFrame:
        """An audit of the closed-form taste on the latents alone: distributed as with responses, none written"""

@dataclass(frozen=True)
class Taste:
    """A closed-form reward: reads a text, adds up what it finds"""
    sentiment: float = ...
    length: float = ...
    film_sentiment: float = ...
    film_length: float = ...
    typos: float = ...
    breaks: float = ...
    hedge: float = ...
    bold: float = ...
    polish: float = ...
    marks: float = ...

    def __call__(self, prompts: Any, responses: Iterable[str]) -> np.ndarray:
        """Reward of each text, from the text alone"""

    def one(self, prompt: str, response: str) -> float:
        """Reward of one text"""

    def of(self, latents: pd.DataFrame) -> np.ndarray:
        """Reward of each text from the latents that wrote it"""

@dataclass(frozen=True)
class LengthTaste:
    """A closed-form reward that also grows with each character"""
    per_100: float = ...
    taste: Taste = ...

    def __call__(self, prompts: Any, responses: Iterable[str]) -> np.ndarray:
        """Reward of each text, from the text alone"""
