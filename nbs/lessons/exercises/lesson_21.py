"Exercises of lesson 21, calibration and cause"
from fractions import Fraction as F
from rate_nb.theory import FiniteWorld
from . import Exercise


def both(a): # a character is worth 1/100; of the good texts 1/2 + a/2 are long
    long, extra = (lambda x, w, z: 300 + 150*w), (lambda x, k: 30*k)
    p = {("?", w, z, k): F(1, 4)*(1 + a*(1 if w == z else -1))*(F(3, 10) if k else F(7, 10))
         for w in (0, 1) for z in (0, 1) for k in (0, 1)}
    world = FiniteWorld(p, lambda x, w, z: F(1, 100)*long(x, w, z) + 2*z,
                        lambda x, k: F(1, 100)*extra(x, k), {0: F(1, 5), 1: F(4, 5)})
    return world.predict_line(long, extra)


EXERCISES = dict(
    a=Exercise("\"below\" or \"above\"", lambda: "above" if both(-F(3, 5)).gamma_zero > 1 else "below",
               "Where good texts are short, the regression sees too little of the bias, and full "
               "calibration leaves some of it.",
               "Quality now hides a part of what length earns: λ is above 0 and below β. And γ* = β/λ.",
               (("below", "That is the case of the lesson, where good texts are the long ones."),)),
    b=Exercise("a number, e.g. 0.001", lambda: .3/150,
               "β = τ/δ. Subtracted from each reward, it takes the effect out and leaves quality alone.",
               "Divide RATE on the reward by RATE on the length.",
               ((500, "That is characters per reward point. Turn it round."),
                (45, "Divide; do not multiply."))))
