"Exercises of lesson 12, people as rewriters"
from functools import cache
import numpy as np
from rate_nb.theory import TextWorld
from . import Exercise


@cache
def typos(): # (in texts without the attribute, in all texts): mean numbers
    texts = TextWorld("sentiment").examples(500, np.random.default_rng(0))
    return float(texts.typos[texts.w == 0].mean()), float(texts.typos.mean())


EXERCISES = dict(
    a=Exercise("reward points, e.g. 0.1", lambda: .3*typos()[0],
               "A rewrite of an untreated text gains .3 for each typo that it loses.",
               "An untreated text's contrast is rewrite minus original. Each mended typo adds .3 to the "
               "rewrite. How many has such a text? (`texts.typos[texts.w == 0].mean()`)",
               ((lambda: .3*typos()[1], "The ATU averages over texts *without* the attribute; these are all "
                                        "texts."),
                (lambda: .15*typos()[0], "That is for people who mend half of the typos."),
                (lambda: -.3*typos()[0], "An untreated text's contrast is rewrite minus original: mending "
                                         "raises it.")), near=.005),
    b=Exercise("a number, e.g. 0.1", lambda: .4*-.1 + .6*.14,
               "The two errors have opposite signs, and the larger arm wins.",
               "Weight the two errors by the shares of the arms, as in lesson 1.",
               ((.02, "That weights both arms alike. 40% of the texts have the attribute."),
                (.124, "The ATT's error is negative.")), near=1e-6))
