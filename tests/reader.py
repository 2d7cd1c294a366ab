"""An imperfect reader of planted audits: what a person would notice between two versions, and miss.

It sees what a reviewer is shown, two texts and what the attribute is, and shares no code with the generator
in planted.py: sentences and words are compared as strings. Each kind of difference has a sensitivity of its
own, drawn for each audit, and in one pair of twenty the reader names a difference that is not there.
"""
import difflib, json, re
from functools import lru_cache
import numpy as np

KINDS = ("sentence", "word", "mark", "layout", "order", "case", "number") # what it may notice
INVENTED, ALONE = "sounds more hurried", "repeats a word by itself"
WISHES = re.compile(r"luck|hope|thank|yours|regards|questions", re.IGNORECASE)


def shown(messages, *names): # the texts between these tags of the last message
    asked = messages[-1]["content"]
    return [re.search(rf"(?s)<{name}(|-\w+)>\n(.*?)\n</{name}\1>", asked)[2] for name in names]


def sentences(text): # and lines; what ends in a colon goes on
    return [s for s in re.split(r"(?<=[.!?])\s+|(?<!:)\n[-\s]*", text.strip()) if s.strip("- ")]


@lru_cache(2**14)
def bare(sentence): # a word ends where code has a bracket, a dot or a sign within it
    return re.sub(r"[^\w' ]", "", re.sub(r"(?<=\w)[.(=](?=[\w\"])", " ", sentence)).casefold().split()


@lru_cache(2**16) # the same sentences stand in most versions of a response
def alike(s, t): return difflib.SequenceMatcher(None, bare(s), bare(t)).ratio()


def aligned(a, b): # sentences of either side without a partner; pairs that say nearly the same
    left, pairs = list(b), []
    alone = []
    for s in a:
        near = next((t for t in left if bare(t) == bare(s)), None) # as alike as can be
        near = near or max(left, key=lambda t: alike(s, t), default=None)
        if near is not None and alike(s, near) >= .6:
            left.remove(near)
            pairs.append((s, near))
        else:
            alone.append(s)
    return alone, left, pairs


def reordered(pairs, text): # do sentences that nearly agree come in another order in the second text?
    partners = [t for _, t in pairs]
    return partners != sorted(partners, key=text.index)


class Reader:
    "Reads pairs and codes texts, as a reviewer and a coder that are functions of messages"
    __name__ = "planted reader"

    def __init__(self, seed, relative=False, sensitivity=None, invents=.05):
        rng = np.random.default_rng([7, seed])
        self.sensitivity = dict(zip(KINDS, rng.uniform(.7, 1., len(KINDS)))) | (sensitivity or {})
        self.relative, self.invents, self.seed = relative, invents, seed

    def differences(self, a, b): # (kind, tag, does the first have it, belongs to the attribute, phrase)
        "Everything that differs, before the reader misses some of it"
        one, two = sentences(a), sentences(b)
        alone, other, pairs = aligned(one[1:], two[1:])
        if one[:1] != two[:1]: # the opening is what an instruction speaks of
            yield "sentence", "opens as asked", a > b, True, ""
        for s, first in [*((s, True) for s in alone), *((s, False) for s in other)]:
            longer = self.relative and not WISHES.search(s)
            if len(bare(s)) == 1:
                yield "sentence", ALONE, first, False, ""
                continue
            yield ("sentence", "says more" if longer else f"says: {s.rstrip('.!')}"[:70], first, longer,
                   "" if longer else s.rstrip(".!"))
        for s, t in pairs:
            for word in sorted(set(bare(s)) ^ set(bare(t))):
                yield "word", f"writes {word}", word in bare(s), False, word
        for mark in "!🌱":
            if (mark in a) != (mark in b):
                yield "mark", f"has {mark}", mark in a, False, mark
        if re.findall(r"\d+", a) != re.findall(r"\d+", b):
            yield "number", "has another number", a > b, False, ""
        if a.count("\n") != b.count("\n"):
            yield "layout", "has more lines", a.count("\n") > b.count("\n"), False, ""
        if (a == a.lower()) != (b == b.lower()):
            yield "case", "is in small letters", a == a.lower(), False, ""
        if reordered(pairs, two):
            yield "order", "has another order", a > b, False, ""

    def __call__(self, messages):
        a, b = shown(messages, "first", "second")
        rng = np.random.default_rng([self.seed, *a.encode()[-40:], *b.encode()[-40:], len(a), len(b)])
        seen = {tag: (first, belongs, phrase) for kind, tag, first, belongs, phrase in self.differences(a, b)
                if rng.random() < self.sensitivity[kind]}
        if rng.random() < self.invents:
            seen[INVENTED] = bool(rng.integers(2)), False, ""
        return json.dumps(dict(says="", differences=[
            dict(tag=tag, shown_by="first" if first else "second", belongs=belongs, phrase=phrase)
            for tag, (first, belongs, phrase) in seen.items()]))

    def code(self, messages):
        "Which statements hold for a version, or how much it has: by the version and its original alone"
        original, text = shown(messages, "original", "version")
        was, now = sentences(original), sentences(text)
        holds = {"has more lines": lambda: text.count("\n"),
                 "is in small letters": lambda: text == text.lower(),
                 "has another number": lambda: re.findall(r"\d+", text) != re.findall(r"\d+", original),
                 "says more": lambda: len(now),
                 ALONE: lambda: any(len(bare(s)) == 1 for s in now),
                 "has another order": lambda: reordered(aligned(was[1:], now[1:])[2], now[1:])}
        words = set(bare(text))
        asked = re.findall(r"(?m)^\d+\. (.+)$", messages[-1]["content"])
        says = (holds[tag]() if tag in holds else tag.removeprefix("writes ") in words for tag in asked)
        return "\n".join(f"{i}: {('no', 'yes')[said] if isinstance(said, bool) else said}"
                         for i, said in enumerate(says, 1))
