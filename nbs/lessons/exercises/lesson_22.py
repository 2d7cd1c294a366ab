"Exercises of lesson 22, in whose style"
from fractions import Fraction as F
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 4)", lambda: (F(5, 2) - 1)/3,
               "1 + 3 · ½ = 5/2: RATE is the effect in the rewriter's style, a half of which is polished.",
               "The effect is 1 in plain and 4 in polished writing. RATE is their mean over the rewriter's "
               "style.",
               ((F(5, 8), "The effect in plain writing is 1, not 0: only the 3 above it depend on "
                           "polish."),)),
    b=Exercise("a number, e.g. F(1, 4)", lambda: F(5, 2) - (1 + 3*F(1, 5)),
               "5/2 in the rewriter's style, 8/5 in the originals'. Neither is wrong; they answer two "
               "questions.",
               "What is the effect in a style that is polished one time in five? Subtract it from RATE.",
               ((F(8, 5), "That is the effect in the originals' style. The gap is its distance from RATE."),
                (-F(9, 10), "The size is right: RATE minus the effect in the originals' style."))))
