"Exercises of lesson 17, preferences that train"
from fractions import Fraction as F
from . import Exercise

CANDIDATES = ((F(12, 10), 300), (F(1), 100), (F(4, 10), 200)) # (reward, characters)


def relabelled(gamma, slope=F(2, 1000)):
    left = {r: r - gamma*slope*c for r, c in CANDIDATES}
    return max(left, key=left.get), min(left, key=left.get)


def flips_at(): # γ at which the first two are level
    (r1, c1), (r2, c2) = CANDIDATES[:2]
    return (r1 - r2)/(F(2, 1000)*(c1 - c2))


EXERCISES = dict(
    a=Exercise("a pair of the original rewards: (chosen, rejected)", lambda: relabelled(1),
               "Without the bias they are worth .6, .8 and 0. The pair that trains now is another one, and "
               "nothing was sampled or scored again.",
               "Subtract .002 for each character from each reward, and take the best and the worst.",
               (((F(12, 10), F(4, 10)), "That is the pair before calibration."),
                ((F(6, 10), 0), "Give the *original* rewards of the two, so that they can be found: and "
                                "look again which of the three is the best after calibration."),
                ((F(8, 10), 0), "The right ones, after calibration. Give their original rewards."))),
    b=Exercise("a number, e.g. F(1, 4)", flips_at,
               "The margin of the rewards is .2, that of the bias .4: half of it is enough.",
               "The two are level where γ times the difference of their biases equals the difference of "
               "their rewards.",
               ((2, "That is the ratio of the bias to the reward's margin. Turn it round."),
                (1, "At γ = 1 the shorter one is ahead by .2 already."))))
