"Exercises of lesson 7, breaking the theorem"
from fractions import Fraction as F
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 2)", lambda: -F(1, 4)*F(8, 10),
               "−s times the single rewrite's bias: smaller, and on the other side of the truth.",
               "Compare the two formulas of the section on the old ξ: RATE's bias is −s times that of the "
               "single rewrite.",
               ((F(1, 5), "The size is right. RATE errs to the *other* side."),
                (F(4, 5), "That is the single rewrite's."))),
    b=Exercise("a number, e.g. F(1, 2)", lambda: (2*F(3, 10) - 1)*F(4, 10),
               "(2p − 1)(μ₂ − μ₁) with p = 3/10. With as many treated as untreated texts nothing is left.",
               "The ATT is biased by +(μ₂ − μ₁) and the ATU by −(μ₂ − μ₁). Weight them by the shares of "
               "the arms.",
               ((F(4, 10), "That is the bias of the ATT alone."),
                (F(16, 100), "The size is right. Untreated texts are the majority, and their bias is "
                             "negative."),
                (0, "The two cancel only where the arms are equally large."))),
    c=Exercise("a number, e.g. F(1, 2)", lambda: F(4, 5)*F(3, 4)*2,
               "Both flips must succeed: 4/5 · 3/4 of the effect is left, in both arms.",
               "RATE compares a rewrite with its own rewrite. How often do both reach their target?",
               ((F(8, 5), "That lets only one of the two flips fail."),
                (F(3, 2), "That lets only one of the two flips fail."),
                (F(11, 10), "The chances that both succeed multiply; the chances of failure do not add."))))
