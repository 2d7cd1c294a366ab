"""One response and its rewrites for each of lessons 1 to 12, differences marked. The texts are our own.

    from texts import versions
    versions(4)
"""
from dataclasses import dataclass
from html import escape
from rate_nb.views.explorer import diff_html

CHAIN = ("original", "rewrite", "rewrite of rewrite")


@dataclass(frozen=True)
class Versions:
    "A response beside what became of it; each rewrite is marked against the text that it was made of"
    prompt: str
    texts: tuple         # three texts
    said: str            # what to see
    heads: tuple = CHAIN
    source: tuple = (None, 0, 1) # which text each one was made of

    def _repr_html_(self):
        heads = "".join(f"<th style='text-align:left'>{escape(h)}</th>" for h in self.heads)
        cells = "".join(f"<td style='text-align:left;vertical-align:top;white-space:normal'>"
                        f"{diff_html(None if s is None else self.texts[s], t)}</td>"
                        for t, s in zip(self.texts, self.source))
        return (f"<p><b>{escape(self.prompt)}</b></p><table><thead><tr>{heads}</tr></thead>"
                f"<tbody><tr>{cells}</tr></tbody></table><p>{escape(self.said)}</p>")

    def __repr__(self): return "\n\n".join(f"{h}: {t}" for h, t in zip(self.heads, self.texts))


VERSIONS = {
    1: Versions(
        "How do I boil an egg?",
        ("Put the egg into boiling water for seven minutes, then cool it.",
         "Bring a pot of water to the boil and lower the egg into it with a spoon. Leave it there for seven "
         "minutes, then cool it under the tap, so that it does not go on cooking.",
         "Leave the egg in boiling water for seven minutes, then cool it."),
        "A short response, made longer and then short again. An effect of length compares two versions."),
    2: Versions(
        "My laptop does not charge any more. What can I do?",
        ("Try another socket first, and another cable if you have one. Then look into the port: lint keeps "
         "many plugs from going in all the way. If the light still stays off, the battery or the port is "
         "broken, and a repair shop can tell which.",
         "Laptops are complicated, and many things can keep one from charging. It may be one thing or "
         "another. If the light stays off, something is broken, and it is hard to say what.",
         "Try another socket and another cable. Clean the port. If the light still stays off, let a repair "
         "shop look at battery and port."),
        "Helpful, then unhelpful, then helpful again. The third is as helpful as the first, and shorter: in "
        "found text helpfulness and length would have gone together."),
    3: Versions(
        "Can you recommend a film for tonight?",
        ("Oh, go for the heist one with the old safe-cracker! It's a blast, and over in ninety minutes.",
         "I would recommend the heist film with the elderly safe-cracker. It is highly entertaining, and it "
         "lasts ninety minutes.",
         "Go for the heist film with the old safe-cracker! It's great fun and takes ninety minutes."),
        "Informal, then formal, then informal again. To find a formal and an informal answer about the same "
        "film, with the same verdict and of the same length, one would have to search for long."),
    4: Versions(
        "What did you think of the film?",
        ("I realy enjoyed this one. The plot is clever , the actors are grate and i would see it again.",
         "I really disliked this one. The plot is silly, the actors are poor and I would not see it again.",
         "I really enjoyed this one. The plot is clever, the actors are great and I would see it again."),
        "Asked for a negative review, the rewriter mended four slips as well. Original against rewrite is a "
        "comparison of two things at once."),
    5: Versions(
        "What did you think of the film?",
        ("Loved it!! teh ending made me cry, and the music is stil in my head",
         "I disliked it. The ending left me cold, and the music is irritating.",
         "I loved it. The ending made me cry, and the music is still in my head."),
        "The slips of the original are in neither rewrite. Compare the second with the third: they differ in "
        "the sentiment, and in nothing that the rewriter does to every text."),
    6: Versions(
        "Why is the sky blue?",
        ("Air scatters blue light more than red light, so blue reaches us from all sides.",
         "Sunlight holds all colours. On its way through the air the blue part is scattered far more than "
         "the red part, and so blue light reaches our eyes from every side of the sky.",
         "Air scatters blue light more than red light, and so blue reaches us from every side."),
        "Attribute: length. Content: it is about scattering, in all three. Style: \"and so\" and \"every "
        "side\" come from the rewriter, and the last two texts share them."),
    7: Versions(
        "How was the hotel?",
        ("Nice rooms, friendly people, bad coffee.",
         "The rooms were nice and the staff were friendly. The coffee, however, was bad, and we had to go "
         "out for a better one every morning.",
         "Delightful rooms and a most welcoming staff; the coffee, regrettably, was bad."),
        "Attribute: length. Drift: the second rewrite is more polished than the first. What polish earns "
        "is now on one side of the difference only."),
    8: Versions(
        "Explain what a deposit is.",
        ("Money you hand over first and get back later, if all goes well.",
         "A deposit is a sum of money that one party pays in advance, and that is returned when all duties "
         "have been met.",
         "Money you pay first and get back later, once everything is done."),
        "A judge is shown the second and the third, in both orders, and says which is better."),
    9: Versions(
        "Describe your town in one sentence.",
        ("A harbour, two bakeries, and gulls that own the place.",
         "Our town has a busy harbour, two bakeries that open before sunrise, and a great many gulls, which "
         "behave as if they owned the place.",
         "Our town has a harbour, two bakeries, and gulls that act as owners."),
        "All ten responses answer this prompt, so how much a longer one is worth here is common to them."),
    10: Versions(
        "What did you think of the book?",
        ("It was wonderful. The characters feel like friends, the pages turn themselves, and I was sad when "
         "it ended.",
         "It was wonderful.",
         "It was wonderful. The characters are alive, one reads on and on, and I did not want it to end."),
        "Long and positive, short and positive, long and positive. Length is turned, sentiment stays."),
    11: Versions(
        "How was the soup?",
        ("Well, it was coold and the bread was stale.",
         "Indeed, it was cold and the bread was stale.",
         "Well, it was cold and the bread was stale."),
        "The first word was to begin with a vowel, then with a consonant again. The typo went on the way. A "
        "reward that counts typos sees a difference between the first two, and none between the last two."),
    12: Versions(
        "What did you think of the film?",
        ("A dull story, but good actors , and I nearly left before the end.",
         "A gripping story with good actors, and I could not have left before the end.",
         "A lively story, but good actors , and I nearly stayed before the end."),
        "The person rephrased, and tidied a comma. The rewriter swapped words from a list and left the rest, "
        "sense included. The two apply different treatments under one name.",
        ("original", "a person's rewrite", "a rule's rewrite"), (None, 0, 0)),
}


def versions(lesson): # its number
    "The response that a lesson opens with"
    return VERSIONS[lesson]
