"Exercises of lesson 8, judges and edited models"
from fractions import Fraction as F
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 2)", lambda: 2*1 + F(3, 10),
               "The position counts once, the difference twice.",
               "What does the judge make of a difference of 1, and what does it add for the position?",
               ((1, "That is the true effect, which both habits of the judge change."),
                (F(13, 10), "The doubling is missing."),
                (2, "The position is missing: asked in one order only, it is not averaged out."),
                (F(26, 10), "The .3 is added after the doubling."))),
    b=Exercise("a pair of numbers: (attribute, position)", lambda: (F(4, 10), F(5, 10)),
               "Half the difference is what the judge thinks of the attribute, half the sum is what it "
               "gives to the position.",
               "In the first order the verdict is attribute + position, in the second it is −attribute + "
               "position.",
               (((F(5, 10), F(4, 10)), "Exchange them: what changes its sign with the order is the "
                                       "attribute."),
                ((F(8, 10), 1), "Halve both: two verdicts were added."))))
