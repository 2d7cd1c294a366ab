"Exercises of lesson 6, Theorem 1"
from fractions import Fraction as F
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 2)", lambda: F(1, 2)*F(1, 2)*(3 - -1)**2/100,
               "With contrasts that are known exactly, the estimate still varies, because the mix of arms "
               "in the sample does.",
               "Put σ₁ = σ₀ = 0 into the formula of the section *ATE: the variance*. One term is left.",
               ((0, "The contrasts have no noise, but the share of treated texts in a sample is random, and "
                    "ATT and ATU differ."),
                (4, "That is n times the variance. Divide by n = 100."))),
    b=Exercise("a number, e.g. F(1, 2)", lambda: F(4*5**2, 400),
               "B/n₁ = 100/400. The true probability is far smaller: Chebyshev asks for nothing but a "
               "variance.",
               "The bound on the variance of one contrast is B = 4M². The variance of the mean is at most "
               "B/n₁, and Chebyshev divides it by the square of the distance.",
               ((F(1, 16), "That takes M² for the bound. A contrast lies between −2M and 2M, so its variance "
                           "is at most 4M²."),)),
    c=Exercise("one of \"cancel\", \"average\", \"variance\"", lambda: "variance",
               "Unbiasedness needs no independence at all. The standard error does, and so prompts, not "
               "texts, are its units.",
               "Look for the line that adds variances.",
               (("cancel", "ξ cancels within one text, whatever the other texts do."),
                ("average", "The mean of a sum is the sum of the means, independent or not."))))
