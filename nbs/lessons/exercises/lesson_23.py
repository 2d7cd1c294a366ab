"Exercises of lesson 23, a whole audit on real reviews"
from . import Exercise

EXERCISES = dict(
    a=Exercise('"ATT", "ATU" or "ATE"', lambda: "ATE",
               "Each contrast is the reward of the positive version less that of the negative one, whichever "
               "was written first. Only the arm in which it is counted changes.",
               "What happens to one contrast if its two texts change places, and what to the arm?",
               (("ATT", "A pair in the wrong order is counted in the other arm: this one is the ATU."),
                ("ATU", "A pair in the wrong order is counted in the other arm: this one is the ATT."))),
    b=Exercise("a number, e.g. 0.4", lambda: .6*(.5 - .1) + .4*(.5 + .1),
               "The ATT is .4 and the ATU .6. With arms of one size the two errors would cancel.",
               "With the attribute the rewrite is subtracted, without it the original is. Weight by the "
               "shares of the arms.",
               ((.5, "The errors cancel only where the arms are equally large."),
                (.52, "The size of the error is right. In which arm is the rewrite subtracted?"),
                (.6, "That is the ATU."), (.4, "That is the ATT.")), near=.0005),
    c=Exercise("a number, e.g. 0.4", lambda: .5*49/50,
               "49/50 of the effect: an unchanged pair has the contrast 0, like a flip that failed.",
               "What is the contrast of a pair whose two texts are the same?",
               ((.5, "The unchanged pairs are among *all* pairs, with a contrast of 0."),
                (.5*50/49, "They pull the mean down, not up.")), near=.0005))
