"Exercises of lesson 20, what is missing"
from fractions import Fraction as F
from . import Exercise

ARMS = ((F(1, 2), F(1), F(1)), (F(1, 2), F(3), F(1, 2))) # share, contrast, chance to come back


def complete_cases():
    return sum(p*c*s for p, c, s in ARMS)/sum(p*s for p, c, s in ARMS)


EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 2)", lambda: complete_cases() - sum(p*c for p, c, s in ARMS),
               "The covariance of coming back with the contrast is −1/4; over the three quarters that came "
               "back it is −1/3.",
               "What is the mean contrast of the texts that came back? What would it be with all of them?",
               ((F(5, 3), "That is the mean over those that came back. The error is its distance from 2."),
                (F(1, 3), "The size is right. The large contrasts are lost, so what is left is too small."),
                (-F(1, 4), "That is the covariance. Divide it by the share that came back."))),
    b=Exercise("a pair of numbers: (lowest, highest)", lambda: (.9*.5 - .1*2, .9*.5 + .1*2),
               "Four tenths wide, whatever the sample size: no data of this kind makes it narrower.",
               "Put the lowest possible contrast in the place of the lost ones, then the highest.",
               (((-2, 2), "Those are the bounds of one contrast. Nine tenths of the texts are known."),
                ((.3, .7), "The known part is .9 · .5, not .5.")), near=1e-6))
