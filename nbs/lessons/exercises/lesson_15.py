"Exercises of lesson 15, when length is quality"
from fractions import Fraction as F
from . import Exercise

EXERCISES = dict(
    a=Exercise("a pair of numbers: (what it should be, what it is)", lambda: (-F(3, 10), 0),
               "Calibration removes the bias of +.5 and the deserved −.3 alike. After it the reward no "
               "longer prefers brevity where brevity was asked for.",
               "Without the bias the reward would be the quality. A regression on length leaves no slope at "
               "all.",
               (((0, 0), "The second is right. But quality falls with length on these prompts, and a right "
                         "reward would, too."),
                ((-F(3, 10), -F(3, 10)), "Calibration cannot tell the bias from what is deserved: it removes "
                                         "the whole slope."))),
    b=Exercise("a number, e.g. F(1, 10)", lambda: F(5, 10) - (F(5, 10) - F(3, 10)*F(1, 2)),
               "The pooled slope is .35. The brief prompts made it too flat for the open ones.",
               "What is the slope over all prompts, if half of them have .5 and half .5 − .3? Subtract it "
               "from the bias.",
               ((0, "That would be left if the curve were fitted on the open prompts alone, which is the "
                    "repair."),
                (F(35, 100), "That is what is subtracted."),
                (-F(15, 100), "That is what is left on the prompts that ask for brevity. Subtract the pooled "
                              "slope from the open prompts' own, .5."))))
