"Exercises of lesson 19, what the texts can tell"
from fractions import Fraction as F
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. F(1, 2)", lambda: F(2, 10)*(F(7, 10) - F(2, 10)),
               "Coefficient times imbalance. RATE would count it as the attribute's.",
               "The bias is the coefficient times the difference of the two rates.",
               ((F(14, 100), "Bullets stand in a fifth of the other rewrites, too. Only the difference "
                             "counts."),
                (F(5, 10), "That is the imbalance. What is a bullet worth?"))),
    b=Exercise("a number, e.g. F(1, 2)", lambda: -F(2, 10)*F(5, 10)/F(4, 10),
               "Two biases that cancel leave the estimate right and both checks off zero: each sees its own "
               "part.",
               "Bias is coefficient × imbalance + interaction × shift. Set the sum to 0.",
               ((F(1, 4), "The size is right. To cancel a positive part the shift must be negative."),
                (-F(4, 100), "Divide by the interaction; do not multiply."))))
