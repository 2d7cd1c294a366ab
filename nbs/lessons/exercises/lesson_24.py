"Exercises of lesson 24, how an audit was wrong"
from . import Exercise

EXERCISES = dict(
    a=Exercise("a number, e.g. 0.4", lambda: 0.,
               "A habit that both sides share cancels, like every style of the rewriter. A footprint "
               "misleads only if it goes with the target or with the depth.",
               "RATE subtracts one rewrite from another. Which of the two has the footer?",
               ((.3, "That is the bias if rewrites to 1 alone had the footer."),
                (-.3, "That is the bias if rewrites to 0 alone had the footer."),
                (.6, "The two footers are subtracted, not added."))),
    b=Exercise("a number, e.g. 0.4", lambda: .5 - .3,
               "Texts without the attribute earn .3 by their footer, so the effect looks smaller. A "
               "footprint can hide an effect as well as make one.",
               "With minus without: on which side of the difference does the footer stand?",
               ((.8, "The size is right. The footer stands on the side that is subtracted."),
                (.5, "The footer goes with the target, so it does not cancel."),
                (.3, "That is what the footer is worth."),
                (-.3, "That is the bias. The question is what RATE says.")), near=.0005),
    c=Exercise("a number, e.g. 0.4", lambda: .6*.4,
               "Only the rewrite of the rewrite of a response with the attribute has it: the ATT gains .4, "
               "the ATU nothing, and the ATE the share of the first.",
               "Only the second rewrite is made from the rewriter's own text. In which arm is its target 1?",
               ((.4, "That is the bias of the ATT. In the other arm the second rewrite has the target 0."),
                (.16, "The arms are the other way round: the second rewrite has target 1 where the response "
                      "*has* the attribute."),
                (0., "In one arm the second rewrite has the footer and the first has not.")), near=.0005))
