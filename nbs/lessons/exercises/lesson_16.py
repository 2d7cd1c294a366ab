"Exercises of lesson 16, a judge that likes length"
import math
from . import Exercise


def logit(p): return math.log(p/(1 - p))


EXERCISES = dict(
    a=Exercise("a number, e.g. 3.5", lambda: logit(1 - .001),
               "log(.999/.001). Whether the judge said five nines or seven does not matter any more.",
               "What does the clip make of .9999999? Take the logit of that.",
               ((lambda: logit(.9999999), "That is the logit without a clip."),
                (lambda: -logit(.999), "The size is right. Above one half a logit is positive.")), near=.02),
    b=Exercise("a number between 0 and 1", lambda: 1/(1 + math.exp(-2*logit(.99)/3)),
               "The mean of the probabilities is .83: averaging on the logit scale lets the sure verdicts "
               "count for more, and how much more is the clip's choice.",
               "Two logits of log(99), one of 0. Take their mean and turn it back into a probability.",
               ((lambda: (.5 + 2*.99)/3, "That is the mean of the probabilities. Here the logits are "
                                         "averaged first."),
                (lambda: (.5 + 2*.999999)/3, "That is the mean of the probabilities. Here the logits are "
                                             "averaged first."),
                (lambda: 1/(1 + math.exp(-2*logit(.999999)/3)), "That is without the clip.")), near=.003))
