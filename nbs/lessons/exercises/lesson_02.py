"Exercises of lesson 2, why the naive difference fails"
from fractions import Fraction as F
from rate_nb.theory import FiniteWorld
from . import Exercise


def naive(together, effect=F(0)):
    population = {("question", w, z, "plain"): F(1, 2)*(together if (w == 1) == (z == "long")
                                                        else 1 - together)
                  for w in (0, 1) for z in ("long", "short")}
    world = FiniteWorld(population, lambda x, w, z: int(z == "long") + effect*w, lambda x, xi: 0,
                        {"plain": 1})
    return world.expected("naive", "ATE")


EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 2)", lambda: naive(F(4, 5), -F(3, 5)),
               "The baseline difference of +3/5 hides an effect of −3/5: a model that punishes helpfulness "
               "looks indifferent to it.",
               "The naive difference is the effect plus the baseline difference. The second part has not "
               "changed: it was 3/5.",
               ((-F(3, 5), "That is the true effect. The naive difference adds what helpful answers earn by "
                           "being longer."),
                (F(3, 5), "That is the naive difference of before, when the effect was 0."))),
    b=Exercise("a number, e.g. 1.2", lambda: 1 + .5 + .75*2,
               "1 + ½ + ¾ · 2: three parts, of which one is wanted.",
               "Use the identity of this lesson. The last part is P(W=0) · (ATT − ATU).",
               ((1.5, "The third part is missing: the effects differ between the arms."),
                (2, "The third part is weighted by P(W=0), the share *without* the attribute, which is ¾."))),
    c=Exercise("a number, e.g. F(1, 4)", lambda: next(F(k, 20) for k in range(21) if naive(F(k, 20)) == 0),
               "At ½ helpful and unhelpful answers are long equally often: the coin of a randomised "
               "experiment.",
               "The naive expectation is 2 · `together` − 1, and the truth is 0.",
               ((F(4, 5), "At 4/5 the naive difference expects 3/5."),
                (0, "At 0 it expects −1: then every helpful answer is short."))))
