"Exercises of lesson 5, the rewrite of the rewrite"
from fractions import Fraction as F
from .lesson_04 import world
from . import Exercise


def one_rewrite_of_a_text_with_typos():
    return sum(p*c for p, c in world().paths("single", "review", 1, "film", "typos"))


EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 2)", one_rewrite_of_a_text_with_typos,
               "The original earns 1 − 4, its rewrite 0 − 4/10. The typos that the rewriter mended count "
               "for more than the attribute.",
               "What does the original earn, with its attribute and its typos? What does its rewrite earn on "
               "average, without the attribute and with typos one time in ten?",
               ((1, "That is what the double rewrite expects, and the truth."),
                (F(13, 5), "The contrast of a treated text is original minus rewrite, not rewrite minus "
                           "original."))),
    b=Exercise("a whole number", lambda: 4,
               "One draw has variance 2 + 2, one part for each rewrite; the mean of four draws has 1.",
               "Both rewrites of a draw bring their own ξ, independently. What is the variance of their "
               "difference, and what does averaging k of them do to it?",
               ((2, "That counts one of the two rewrites. Both bring noise, and variances of independent "
                    "parts add."),
                (16, "Averaging k draws divides the *variance* by k. It is the standard error that it "
                     "divides by √k."))))
