"Exercises of lesson 18, trusting the rewriter"
from fractions import Fraction as F
from . import Exercise


def peak(): # m₁, m₂, m₃ of a drift that goes up and comes down again
    m = {1: F(0), 2: F(1), 3: F(0)}
    return m[2] - m[1], m[2] - (m[1] + m[3])/2


EXERCISES = dict(
    a=Exercise("a pair of numbers: (RATE, third rewrite)", peak,
               "The third rewrite cancels a drift that is linear in depth. This one turns around, and "
               "nothing cancels.",
               "RATE compares depth 2 with depth 1, the third rewrite depth 2 with the mean of depths 1 "
               "and 3.",
               (((1, F(1, 2)), "The first is right. The mean of depths 1 and 3 is 0 here, not ½: the drift "
                               "comes down again."),
                ((1, 0), "The first is right. The third rewrite cancels what is *linear* in depth; this "
                         "drift turns around."))),
    b=Exercise("a number, e.g. 0.4", lambda: .36/(.9*.8),
               "The complier average causal effect: RATE divided by the first stage.",
               "In which share of the responses do both flips succeed? RATE is that share of the effect "
               "among compliers.",
               ((.36/.7, "The chances that both flips succeed multiply: .9 · .8."),
                (.36*.72, "RATE is already shrunk by the first stage. Divide by it."),
                (.36/.9, "Both flips must succeed.")), near=.002))
