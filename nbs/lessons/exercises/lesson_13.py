"Exercises of lesson 13, a penalty before a regression"
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. 0.001", lambda: (1 - .5)*(.004 - .001),
               "The penalty takes .001 whole, the regression half of what is left.",
               "What slope is left after the penalty? Which part of *that* does the regression remove at "
               "γ = ½?",
               ((.002, "That is RC-LWR alone: half of .004. The penalty has taken .001 before."),
                (.001, "The regression halves the slope that the penalty left, .003. It does not halve .004 "
                       "first."))),
    b=Exercise("\"ends\" or \"middle\"", lambda: "ends",
               "At the ends all neighbours lie on one side, so their mean length is not the length of the "
               "text itself. A local line knows that, a local mean does not.",
               "A local mean is right about a straight line where the neighbours lie evenly around the "
               "text. Where do they not?",
               (("middle", "In the middle neighbours lie on both sides, and the mean of a straight line is "
                           "the line."),)))
