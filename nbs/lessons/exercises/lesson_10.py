"Exercises of lesson 10, distribution shift"
import numpy as np
from rate_nb.theory import TextWorld
from . import Exercise


def style_goes_with_sentiment():
    population = TextWorld("length", confounding=0).latents(1000, np.random.default_rng(0))
    return bool(abs(population.typos[population.sentiment == 1].mean()
                    - population.typos[population.sentiment == 0].mean()) > .2)


EXERCISES = dict(
    a=Exercise("True or False", style_goes_with_sentiment,
               "People mistype good and bad reviews alike here. So drawing more positive texts leaves the "
               "typos where they are, and with them the single rewrite's error.",
               "Compare `population.groupby(\"sentiment\").typos.mean()`.",
               ((True, "Compare `population.groupby(\"sentiment\").typos.mean()`: the means are alike."),)),
    b=Exercise("a number", lambda: (3 - -3) - (-3 - 3),
               "From −6 to +6, while the model ignores length: twice the 6 between a positive and a negative "
               "text, as in the section on what the naive slope is made of.",
               "At p = 1 all long texts are positive and all short ones negative. At p = 0 it is the other "
               "way round. What is the difference of means at each end?",
               ((6, "That is its height at p = 1, where 3 is compared with −3. At p = 0 it is as far "
                    "below zero."),
                (0, "That is RATE's slope."))))
