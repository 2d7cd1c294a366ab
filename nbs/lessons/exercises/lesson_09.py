"Exercises of lesson 9, honest intervals"
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. 1.5", lambda: ((1 + 1/10)/(2/10))**.5,
               "√5.5. The prompts' own variance does not shrink by asking them ten times.",
               "What is the variance of a prompt's mean? What would the mean of ten independent texts "
               "with variance 1 + 1 have?",
               ((10**.5, "That would be right if all ten responses to a prompt were copies of one."),
                (5.5, "That is the factor of the *variance*. The standard error is its root.")), near=.01),
    b=Exercise("a number, e.g. 0.1", lambda: (.5*.5*(4 - 0)**2/200)**.5,
               "√(p(1 − p)(ATT − ATU)²/n): all of it comes from the mix of arms.",
               "Lesson 6 has the variance of the ATE. Without noise one term is left. The standard error is "
               "its root.",
               ((0, "The contrasts are known exactly, but the share of treated texts is not."),
                (.02, "That is the variance. The standard error is its root.")), near=.002),
    c=Exercise("\"too narrow\", \"right\" or \"too wide\"", lambda: "too wide",
               "What both texts of a pair share cancels in their difference. Two separate samples would "
               "not share it.",
               "Which noise do the two texts of a pair have in common, and what happens to it in their "
               "difference?",
               (("too narrow", "Forgetting *prompts* makes intervals too narrow. Forgetting pairs counts "
                               "shared noise that cancels."),
                ("right", "It would be, if the two texts of a pair shared nothing."))))
