"Exercises of lesson 14, no penalty fits all"
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. 0.001", lambda: .001*.5/2,
               "The same penalty weighs four times as much on a reward whose scale is a quarter.",
               "The effect is α × length margin ÷ scale. The margins are equal; which α makes the two "
               "ratios equal?",
               ((.004, "The smaller scale needs the *smaller* penalty."),)),
    b=Exercise("a number, e.g. 0.001", lambda: .2/100,
               "z-normalising took out the scale. The margins differ by a factor of four, and so must α.",
               "On the first data set .0005 × 400 = .2 standard deviations. What does a margin of 100 need?",
               ((.0005, "That gives .05 standard deviations here: z-normalising removes the scale of the "
                        "reward, not the margins."),
                (.000125, "Shorter margins need a *larger* α for the same effect."))))
