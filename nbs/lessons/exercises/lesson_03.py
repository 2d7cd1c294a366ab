"Exercises of lesson 3, why adjustment struggles with text"
from fractions import Fraction as F
from . import Exercise


def useful(n, k): return 1 - (1 - F(1, 2**(k + 1)))**(n - 1)


def largest(n): return max(k for k in range(40) if useful(n, k) >= F(1, 2))


def shares(k):
    return f"With {k} attributes {float(useful(1000, k)):.0%} of 1,000 texts are useful"


EXERCISES = dict(
    a=Exercise("a whole number", lambda: largest(1000),
               "Nine yes-or-no attributes, 512 groups. A text has more than nine other attributes.",
               "`useful(1000, k)` is the share of useful texts. Try some k.",
               ((8, shares(8) + ", and with one attribute more it is still at least half."),
                (10, shares(10) + ", which is less than half."))),
    b=Exercise("a pair of numbers: (holding length fixed, letting it follow)", lambda: (1, 1 + 2*F(1, 2)),
               "Holding length fixed leaves the 1 of helpfulness itself. Letting it follow adds 2 for the "
               "half of the answers that become long.",
               "Length is worth 2. By how much does helpfulness raise the chance of being long?",
               (((1, F(13, 5)), "The second number is that of the lesson, where the chances were 9/10 and "
                                "1/10."),
                ((2, 1), "Exchange them: holding length fixed takes away the part that length brings."))),
    c=Exercise("1, 2, 3 or 4", lambda: 4,
               "Measurement and data cannot say whether length is a confounder or a part of what "
               "helpfulness does. An instruction can.",
               "Which trouble is neither about what is measured, nor about how many texts there are, nor "
               "about a measure that contains the attribute?",
               ((1, "Trouble 1 is gone: everything is known and measured."),
                (2, "Trouble 2 is gone: every group holds both arms."),
                (3, "Trouble 3 arises where a measure contains the attribute itself. These do not."))))
