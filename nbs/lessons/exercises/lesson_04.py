"Exercises of lesson 4, one rewrite"
from fractions import Fraction as F
from rate_nb.theory import FiniteWorld
from . import Exercise


def world(typos=F(1, 10)):
    population = {("review", w, "film", xi): F(1, 4) for w in (0, 1) for xi in ("typos", "clean")}
    return FiniteWorld(population, lambda x, w, z: w, lambda x, xi: -4*(xi == "typos"),
                       {"clean": 1 - typos, "typos": typos})


def error_of_a_text_with_typos(w_): # E[ε₀]
    there = w_.rewrites("review", 1, "film", "typos", 0, 1).items()
    return (sum(p*w_.reward("review", w, "film", xi) for (w, xi), p in there)
            - w_.reward("review", 0, "film", "typos"))


EXERCISES = dict(
    a=Exercise("a probability, e.g. F(1, 10)",
               lambda: next(F(k, 20) for k in range(21) if world(F(k, 20)).bias("single", "ATT") == 0),
               "A rewriter that types like people needs no second rewrite.",
               "People make typos in half of their texts. When is a rewrite neither better nor worse typed "
               "than an original, on average?",
               ((F(1, 10), "That is the rewriter as it is, whose ATT is biased by −8/5."),
                (0, "A rewriter without typos writes least like people: its ATT is biased by −2."))),
    b=Exercise("a number, e.g. F(18, 5)", lambda: error_of_a_text_with_typos(world(F(1, 2))),
               "The rewrite loses its typos half of the time, which is worth 4: half of 4.",
               "The rewrite earns −4 with probability ½ and 0 otherwise. What should have come back is a "
               "text with the typos, which earns −4.",
               ((F(18, 5), "That is the error under the rewriter of the lesson, who leaves typos in one "
                           "time in ten."),
                (-2, "That is the reward of the rewrite. Its error is that reward *minus* the reward of the "
                     "perfect counterfactual."))),
    c=Exercise("a number, e.g. F(1, 2)", lambda: -(world().expected("single", "ATT") - 1),
               "bias = −E[ε₀ | W=1]. A rewrite is worth 8/5 on average, more than the attribute.",
               "The bias of the ATT is the single rewrite's expectation minus the truth, and it is *minus* "
               "the mean error.",
               ((-F(8, 5), "That is the bias. The mean error enters it with a minus sign."),)))
