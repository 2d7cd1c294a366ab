"Exercises of lesson 1, estimands"
from fractions import Fraction as F
from rate_nb.theory import FiniteWorld
from . import Exercise


def att_of_an_even_mix():
    def likes_length_in_explanations(x, w, z): return w*(2 if z == "explanation" else -2)
    even = {("chat", w, z, "plain"): F(1, 4) for w in (0, 1) for z in ("explanation", "greeting")}
    return FiniteWorld(even, likes_length_in_explanations, lambda x, xi: 0, {"plain": 1}).estimand("ATT")


EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 2)", att_of_an_even_mix,
               "Half of the long responses gain 2 and half lose 2. The reward model is the one of before; "
               "only the mix of texts has changed, and with it the ATT.",
               "Which share of the long responses are explanations now? Each of them gains 2, each "
               "greeting loses 2.",
               ((F(6, 5), "That is the ATT of `world` as it stands, where four of five long responses are "
                          "explanations. Now it is one of two."),
                (2, "That is the effect on explanations alone. The ATT averages over all long responses, "
                    "and half of them are greetings now."))),
    b=Exercise("a number, e.g. 1.2", lambda: .3*4 + .7*(-1),
               "The ATE weights each arm by its share: .3 · 4 + .7 · (−1).",
               "The ATE averages over all 100 responses. How many of them have an effect of the first kind?",
               ((1.5, "That is the plain mean of ATT and ATU. The arms are not equally large: 30 responses "
                      "have the attribute and 70 lack it."),
                (2.5, "The weights are exchanged: the ATT belongs to the 30 responses that have the "
                      "attribute."))),
    c=Exercise("a number, e.g. F(1, 2)", lambda: F(1 - F(1, 4)*3, F(3, 4)),
               "From 1 = ¼ · 3 + ¾ · ATU. Most responses lack the attribute, so the ATE is close to the ATU.",
               "Write the ATE as the weighted mean of the other two, and solve it for the ATU.",
               ((-1, "That would be right if half of the responses had the attribute. A quarter has it."),)))
