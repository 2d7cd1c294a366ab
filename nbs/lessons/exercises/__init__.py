"""The exercises of the lessons: a hint, and a check that says what is wrong.

A lesson asks the question. Its answer is computed here, and derived in `solutions/`.

    from exercises import exercise
    exercise("1a").check(...)     # your answer in the place of the dots
    exercise("1a").hint
"""
import importlib, math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real


@dataclass(frozen=True)
class Verdict:
    "What a check says of an answer"
    right: bool
    words: str

    def __repr__(self): return self.words
    def _repr_markdown_(self): return f"{'**Right.** ' * self.right}{self.words}"


@dataclass(frozen=True)
class Exercise:
    takes: str           # what an answer looks like
    truth: object        # function of nothing → the answer
    right: str           # what the right answer shows
    hint: str
    mistakes: tuple = () # (value or function of nothing, what whoever answers that has done)
    near: float = 1e-9   # an answer that is so near counts as right

    def check(self, answer):
        "Is it right? If not, what went wrong?"
        if answer is ...:
            return Verdict(False, f"Put your answer in the place of the dots: {self.takes}. "
                                  "For a hint, put `.hint` in the place of `.check(...)`.")
        truth = self.truth()
        if not alike(answer, truth):
            return Verdict(False, f"An answer here is {self.takes}; {answer!r} is not.")
        if same(answer, truth, self.near):
            return Verdict(True, self.right)
        for value, why in self.mistakes:
            if same(answer, value() if callable(value) else value, self.near):
                return Verdict(False, why)
        return Verdict(False, f"Not yet. {direction(answer, truth)}{self.hint}")


def alike(answer, truth):
    "Has the answer the form of the truth?"
    if isinstance(truth, tuple):
        return (isinstance(answer, (tuple, list)) and len(answer) == len(truth)
                and all(map(alike, answer, truth)))
    if isinstance(truth, (bool, str)):
        return isinstance(answer, type(truth))
    return isinstance(answer, (Real, Fraction)) and not isinstance(answer, bool) and math.isfinite(answer)


def same(answer, truth, near):
    if isinstance(truth, tuple):
        return alike(answer, truth) and all(same(a, t, near) for a, t in zip(answer, truth))
    if isinstance(truth, (bool, str)):
        return answer == truth
    return abs(float(answer) - float(truth)) <= near


def direction(answer, truth):
    if isinstance(truth, (tuple, bool, str)):
        return ""
    return "That is too large. " if answer > truth else "That is too small. "


def exercise(name): # e.g. "1a"
    "The exercise of that name"
    lesson = importlib.import_module(f"{__name__}.lesson_{int(name[:-1]):02d}")
    return lesson.EXERCISES[name[-1]]
