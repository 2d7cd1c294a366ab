"Exercises of lesson 11, checks on a known answer"
from fractions import Fraction as F
from rate_nb.theory import FiniteWorld
from . import Exercise


def vowels(p, keeps=F(0)):
    share = lambda w, xi: p if (w == 1) == (xi == "typo") else 1 - p
    population = {("prompt", w, "text", xi): F(1, 2)*share(w, xi) for w in (0, 1)
                  for xi in ("typo", "clean")}
    return FiniteWorld(population, lambda x, w, z: 0, lambda x, xi: -(xi == "typo"), {"clean": 1},
                       keeps=keeps)


EXERCISES = dict(
    a=Exercise("a pair of numbers: (single, RATE)",
               lambda: tuple(vowels(F(9, 10), F(1, 2)).expected(e, "ATE") for e in ("single", "rate")),
               "Lesson 7's formula: RATE errs by −s times what the single rewrite errs.",
               "Half of the typos survive the first rewrite, a quarter the second. Or use lesson 7: with "
               "s = ½ the single rewrite's bias is (1 − s)(½ − p), and RATE's is −s times that.",
               (((-F(2, 5), 0), "That is the rewriter who mends everything. This one leaves half of the "
                                "typos."),
                ((-F(1, 5), 0), "The first number is right. RATE is not exact any more: the old typos shine "
                                "through into its first rewrite."))),
    b=Exercise("a pair of numbers: (naive, single)",
               lambda: tuple(vowels(F(3, 4)).expected(e, "ATE") for e in ("naive", "single")),
               "1 − 2p and ½ − p: the single rewrite slides half as fast.",
               "The closed forms stand above, at the head of section 2.",
               (((-F(1, 4), -F(1, 2)), "Exchange them: the naive difference slides twice as fast."),)))
