"""Planted kinds of audits, harmful and healthy, with a known truth: what a verdict has to get right.

Nothing of the package is used but the public `Audit`, `Attribute` and `CallableReward`: a small language of
its own (advice on gardens), its own parser, rewriters and rewards. The truth comes from potential outcomes
on the generator's own fields and from nothing that the package computes.

A text is a `State`: the attribute `a`, what is said (Z) and its style (ξ). `write` puts it into words, `read`
takes words apart again. A rewriter makes a State of a State; a reward is a number of a State plus noise that
is a hash of the text, so that equal texts have equal rewards.
"""
import difflib, hashlib, math, re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from statistics import NormalDist
from typing import NamedTuple
import numpy as np
import pandas as pd

# ---- chance: everything random is a hash of what it belongs to --------------------------------------------

_NORMAL = [NormalDist().inv_cdf((i + .5)/4096) for i in range(4096)]


class Dice:
    "Numbers from a key: the same key, the same numbers; 42 of them"
    def __init__(self, *key):
        digest = hashlib.blake2b(repr(key).encode(), digest_size=63).digest()
        self.bits = 1 << 504 | int.from_bytes(digest, "big")

    def below(self, n): # a whole number from 0 to n - 1
        assert self.bits > 1, "all numbers of this key are used up"
        self.bits, rest = self.bits >> 12, self.bits & 4095
        return rest*n >> 12

    def chance(self, p): # True with probability p
        if p <= 0 or p >= 1:
            return p >= 1
        return self.below(4096) < 4096*p


def normal(*key): # one standard normal number for each key
    return _NORMAL[Dice(*key).below(4096)]


# ---- the language -----------------------------------------------------------------------------------------

VERBS = tuple(tuple(v.split()) for v in # a plain word and a choice word for the same
              "Carry Haul|Soak Douse|Trim Manicure|Turn Rotate|Rinse Cleanse|Cover Enshroud|"
              "Gather Amass|Inspect Scrutinise".split("|"))
NOUNS = ("roses tulips cabbages onions carrots pumpkins beans leeks turnips radishes dahlias ferns lettuces "
         "peppers beetroots parsnips").split()
PLACES = ("near the wall", "under the hedge", "beside the pond", "along the fence", "behind the shed",
          "by the compost", "next to the gate", "below the trellis")
TIMES = "noon dusk dawn supper rainfall frost".split()
WORTH = {noun: .35*_NORMAL[128 + 256*(7*i % 16)] for i, noun in enumerate(NOUNS)} # what the reward pays

OPENINGS = { # attribute → the opening of a response without it, and with it
    "greeting": ("Heya neighbour, here is my advice.", "Dear neighbour, here is my advice."),
    "long greeting": ("Heya neighbour, here is my advice.",
                      "A good morning, dear neighbour, here is my advice."),
    "courtesy": ("Simply take this as my advice.", "Please take this as my advice."),
    "authority": ("I say this as an amateur gardener.", "I say this as a skilled gardener."),
    "relative length": ("Here is my advice.", "Here is my advice.")}
OPENINGS |= {name: OPENINGS["greeting"] for name in ("greeting in German", "greeting in code")}

CONNECTIVES = "In short, ", "In truth, "
ASIDES = dict(aside="Nobody minds a little mud.", hedge="If memory serves, that will be enough.",
              rumour="Rumour has it that snails agree.", closing="The best of luck with it.")
SIGNATURES = "", "Yours in courtesy.", "That is all from me."
EXTRAS = ("The soil likes a patient hand.", "Good tools last for years.", "Worms do most of the work.",
          "Rain is better than the hose.", "Old leaves make rich earth.", "Bees visit in the morning.",
          "Shade keeps the roots cool.", "Straw helps against weeds.", "Clay holds water for days.",
          "Sand lets it run away.", "Birds take their share.", "Ash keeps slugs at bay.")
PILE = "Mind the weather too.", "Then take a rest.", "Write the date down.", "Check on it at the weekend."
SPROUT = "\N{SEEDLING}"
REFUSAL = "I'm sorry, but I can't help with that."

STYLE = dict(choice=0, connective=0, shout=0, short=0, typo=0, aside=0, hedge=0, rumour=0, closing=0, extra=0,
             pile=0, signature=0, sprout=0, small=0, layout=0, gap=0, late=0, number=0, echo=0, end=0)
PLACE = {name: i for i, name in enumerate(STYLE)}


def _either(words): return "|".join(map(re.escape, words))


# ---- the same language in German and in lines of code ------------------------------------------------------

PROMPT = "How should I look after my garden number {}?"
PROMPTS = {"greeting in German": "Wie soll ich meinen Garten Nummer {} pflegen?",
           "greeting in code": "Write the work in my garden number {} as a function."}
GERMAN = dict(zip(
    [*(word for pair in VERBS for word in pair), *NOUNS, *PLACES, *TIMES, *OPENINGS["greeting"],
     *(link.strip() for link in CONNECTIVES), *ASIDES.values(), *SIGNATURES[1:], *EXTRAS, *PILE,
     "Don't hurry.", "Do not hurry.", "That is for garden number", "the", "before", "befor"],
    "Trage|Schleppe|Gieße|Tränke|Schneide|Stutze|Drehe|Wende|Spüle|Säubere|Bedecke|Verhülle|Sammle|Raffe|"
    "Prüfe|Begutachte|Rosen|Tulpen|Kohlköpfe|Zwiebeln|Karotten|Kürbisse|Bohnen|Lauchstangen|Rüben|Radieschen|"
    "Dahlien|Farne|Salate|Paprikas|Randen|Pastinaken|neben der Mauer|unter der Hecke|am Teich|"
    "entlang des Zauns|hinter dem Schuppen|beim Kompost|nahe dem Tor|unterhalb des Spaliers|Mittag|"
    "der Dämmerung|Tagesanbruch|dem Abendessen|dem Regen|dem Frost|Na Nachbar, hier ist mein Rat.|"
    "Lieber Nachbar, hier ist mein Rat.|Kurz gesagt,|In Wahrheit,|Ein wenig Schlamm stört keinen.|"
    "Wenn ich mich recht entsinne, genügt das.|Es heißt, die Schnecken sähen es ebenso.|Viel Glück damit.|"
    "In aller Höflichkeit.|Das war alles von mir.|Die Erde liebt eine geduldige Hand.|"
    "Gutes Werkzeug hält jahrelang.|Würmer erledigen das meiste.|Regen ist besser als der Schlauch.|"
    "Altes Laub macht fette Erde.|Bienen kommen am Morgen.|Schatten hält die Wurzeln kühl.|"
    "Stroh hilft gegen Unkraut.|Lehm hält das Wasser tagelang.|Sand lässt es davonlaufen.|"
    "Vögel holen sich ihren Teil.|Asche hält Schnecken fern.|Achte auch auf das Wetter.|"
    "Dann mach eine Pause.|Schreibe das Datum auf.|Sieh am Wochenende nach.|Nur keine Hast.|"
    "Nur nicht hetzen.|Das gilt für Garten Nummer|die|vor|vro".split("|"), strict=True))


_SMALL = {one.lower(): GERMAN[one].lower() for pair in VERBS for one in pair} # a verb within a sentence
_SMALL |= {noun.capitalize(): GERMAN[noun] for noun in NOUNS}

def _dictionary(words, put): # text → text, longer entries first
    any_of = re.compile(rf"(?<!\w)({_either(sorted(words, key=len, reverse=True))})(?!\w)")
    return lambda text: any_of.sub(lambda found: put(words[found[0]]), text)

_CALL = re.compile(r"(In (\w+), )?(\w+) the (\w+) ([\w ]+) (before?) (\w+)([.!])")
_CALLED = re.compile(r"(?:\n    )?garden\.(\w+)\((\w+), (\w+), (before?)=(\w+)\)(?:  # in (\w+))?(  # !)?")

def in_code(sentence): # a docstring, a call, or a line that is printed
    if sentence in OPENINGS["greeting"]:
        return f'def work(garden):\n    """{sentence}"""'
    found = _CALL.fullmatch(sentence)
    if not found:
        return f'print("{sentence}")'
    _, link, verb, noun, place, before, time, end = found.groups()
    return (f"garden.{verb.lower()}({noun}, {place.replace(' ', '_')}, {before}={time})"
            + f"  # in {link}"*bool(link) + "  # !"*(end == "!"))

def from_code(low): # of a text in small letters
    def sentence(found):
        verb, noun, place, before, time, link, end = found.groups()
        return (f" in {link}," if link else "") + (
            f" {verb} the {noun} {place.replace('_', ' ')} {before} {time}{'!' if end else '.'}")
    low = low.removeprefix('def work(garden):\n    """').replace('"""', "", 1)
    return re.sub(r'(?:\n    | )?print\("(.*?)"\)', r" \1", _CALLED.sub(sentence, low))

# attribute → its sentences put into another tongue, what stands between them, and a text put back
TONGUES = {
    "greeting in German": (_dictionary(GERMAN | _SMALL, str), " ",
                           _dictionary({other.lower(): one for one, other in GERMAN.items()}, str.lower)),
    "greeting in code": (in_code, "\n    ", from_code)}
AS_IT_IS = str, " ", str


class State(NamedTuple):
    "A text taken apart"
    a: int        # the attribute
    said: tuple   # of (verb, noun, place, time), each a number: Z
    style: tuple  # one number for each name in STYLE: ξ

    def of(self, name): return self.style[PLACE[name]]

    def but(self, **changes): # the same text in another style
        style = list(self.style)
        for name, value in changes.items():
            style[PLACE[name]] = int(value)
        return State(self.a, self.said, tuple(style))


def _chosen(sentences, bits): return [s for i, s in enumerate(sentences) if bits >> i & 1]

def write(state, attribute):
    "A State in words"
    get = dict(zip(STYLE, state.style)).__getitem__
    sentences = []
    for i, (verb, noun, place, time) in enumerate(state.said):
        word = VERBS[verb][get("choice") >> i & 1]
        before = "befor" if i < get("typo") else "before"
        sentences.append(f"{word} the {NOUNS[noun]} {PLACES[place]} {before} {TIMES[time]}.")
    if get("shout"):
        sentences[-1] = sentences[-1][:-1] + "!"
    sentences[0] = CONNECTIVES[get("connective")] + sentences[0][0].lower() + sentences[0][1:]
    say, space, _ = TONGUES.get(attribute, AS_IT_IS)
    hurry = say("Don't hurry." if get("short") else "Do not hurry.")
    opening, sentences = opened(attribute, state.a) + "\n\n"*get("gap"), list(map(say, sentences))
    if get("late"): # earlier than elsewhere
        opening += ("" if get("gap") else space) + hurry
    body = ("" if opening.endswith("\n") else space) + space.join(sentences) + space
    if get("layout"):
        body = "".join(f"\n- {s}" for s in sentences) + "\n\n"
    tail = [] if get("late") else [hurry]
    more = [f"That is for garden number {get('number')}."]*bool(get("number"))
    more += [f"{NOUNS[get('echo') - 1].capitalize()}."]*bool(get("echo"))
    more += [words for name, words in ASIDES.items() if get(name)]
    more += [*_chosen(EXTRAS, get("extra")), *PILE[:get("pile")]]
    more += [s for s in [SIGNATURES[get("signature")], SPROUT*get("sprout")] if s]
    text = (opening + body + space.join([*tail, *map(say, more)])).rstrip() + "\n"*get("end")
    return text.lower() if get("small") else text


def opened(attribute, a): # the opening of a response
    return TONGUES.get(attribute, AS_IT_IS)[0](OPENINGS[attribute][a])

_SENTENCE = re.compile(rf"({_either(w.lower() for v in VERBS for w in v)}) the ({_either(NOUNS)}) "
                       rf"({_either(PLACES)}) (before?) ({_either(TIMES)})") # of a text in small letters
_VERB = {word.lower(): (i, choice) for i, pair in enumerate(VERBS) for choice, word in enumerate(pair)}
_AT = [{word: i for i, word in enumerate(words)} for words in (NOUNS, PLACES, TIMES)]
_LINES = {k: (v,) for k, v in ASIDES.items()} | dict(connective=CONNECTIVES[1:], pile=PILE)
_ECHO = re.compile(rf"\s({_either(NOUNS)})\.")
_EXTRAS = [sentence.lower() for sentence in EXTRAS]
_LINES = {name: tuple(w.lower() for w in words) for name, words in _LINES.items()}


@lru_cache(maxsize=200_000)
def read(text, attribute):
    "The State that a text says"
    low = small = text.lower()
    low = TONGUES.get(attribute, AS_IT_IS)[2](low)
    said, choice, typos = [], 0, 0
    for i, (word, noun, place, before, time) in enumerate(_SENTENCE.findall(low)):
        verb, chosen = _VERB[word]
        said.append((verb, _AT[0][noun], _AT[1][place], _AT[2][time]))
        choice |= chosen << i
        typos += before == "befor"
    style = {name: sum(words in low for words in lines) for name, lines in _LINES.items()}
    style["extra"] = sum((sentence in low) << i for i, sentence in enumerate(_EXTRAS))
    style |= dict(choice=choice, typo=typos, shout="!" in low, short="don't hurry" in low,
                  sprout=SPROUT in low, small=small == text, layout="\n- " in low,
                  signature=next((i for i in (1, 2) if SIGNATURES[i].lower() in low), 0))
    number, echo = re.search(r"garden number (\d+)", low), _ECHO.search(low)
    style |= dict(gap=low.partition(".")[2].startswith("\n\n"), end=text.endswith("\n"),
                  late=low.find(" hurry") < _SENTENCE.search(low).start(),
                  number=int(number[1]) if number else 0, echo=_AT[0][echo[1]] + 1 if echo else 0)
    has = attribute != "relative length" and low.startswith(OPENINGS[attribute][1].lower())
    return State(int(has), tuple(said), tuple(int(style[name]) for name in STYLE))


# ---- a planted kind ---------------------------------------------------------------------------------------

PEOPLE = dict(choice=.15, aside=.2, shout=.3, short=.6, closing=.2, typo=.3, hedge=.2) # style of originals
LAW = dict(choice=.4, aside=.3, shout=.3, short=.5, closing=.3, connective=.5)          # style of rewrites
PAID = dict(aside=.12, shout=.15, closing=-.1, short=.08, typo=-.1, hedge=-.1)         # reward of style


@dataclass(frozen=True)
class Kind:
    "One planted audit: who writes, who rewrites, what is rewarded"
    name: str
    bar: str            # "harmful", "healthy", "unmarked" (inconclusive is right), "unseen loss", "apart"
    about: str          # what is planted, in words
    attribute: str = "greeting"      # one of OPENINGS
    claim: str = "rewriter's style"  # the claim that is graded
    effect: float = .5  # of the attribute; originals have a standard deviation of about 1
    share: float = .5   # of originals with the attribute
    people: dict = field(default_factory=dict)   # style of originals, over PEOPLE: chance, or (a = 0, a = 1)
    law: dict = field(default_factory=dict)      # style of rewrites, over LAW: chance, or (to 0, to 1)
    paid: dict = field(default_factory=dict)     # reward of one unit of a style, over PAID
    sentence: float = 0.                         # reward of each content sentence above 4.5
    together: dict = field(default_factory=dict) # reward of one unit of a style where the attribute is there
    sentence_together: float = 0.                # reward of each content sentence above 4.5, there
    worth_together: float = 0.                   # of WORTH, there
    spread: float = 0.  # sd of the effect over what is said, as no measure sees it
    prompt_spread: float = 0. # and over prompts
    fails: tuple = (0., 0.) # chance that a rewrite to 0, to 1 leaves the attribute as it is
    hook: object = None # (dice, before, after, target, first, root) → State: what else a rewrite does
    by_prompt: object = None # (dice, after, target, prompt) → State: and what it does for some prompts
    also: object = None # (units, prompt) → reward of style that is no price of a unit
    numbered: bool = False # do prompt and original name the number of the garden, an even one?
    refuses: object = None # (kind, dice, before, first, prompt) → True where it refuses
    labeller: object = None # State, text → label; None: the truth
    noise: float = .3   # sd of what the reward sees in a text beside all this
    per_prompt: int = 2 # responses to each prompt
    prompt_sd: float = .4
    draws: int = 2
    word: float = 0.    # reward of each word of the opening
    hidden: float = 0.  # reward of a rumour where the first verb is even, and minus that where it is odd
    marked: bool = True # are the words of the attribute marked as part of it?
    builtin: str = ""   # the package's own attribute, if it is that
    # where it shows: "contrast", "labels", "loss", "originals"; "reading": in nothing that is counted here
    footprint: str = "contrast"
    shows: str = "" # how often what a reader can see differs, where the footprint is "reading"

    def paid_for(self, state, prompt): # the reward without its noise
        "The reward of a State"
        units = dict(zip(STYLE, state.style))
        units |= {name: units[name].bit_count() for name in ("choice", "extra")} # a bit for each place
        worth, more = sum(WORTH[NOUNS[noun]] for _, noun, _, _ in state.said), len(state.said) - 4.5
        total = worth + self.sentence*more + self.prompt_sd*normal("prompt", prompt)
        total += sum(price*units[name] for name, price in (PAID | self.paid).items())
        total += self.also(units, prompt) if self.also else 0
        total += self.word*len(OPENINGS[self.attribute][state.a].split()) if self.word else 0
        total += self.hidden*units["rumour"]*(1 if state.said[0][0] % 2 == 0 else -1) if self.hidden else 0
        return total + self.effect_of(state, prompt, units, worth, more) if state.a else total

    @cached_property
    def laws(self): return [_side(LAW | self.law, side) for side in (0, 1)] # style → chance, by target

    @property
    def relative(self): return self.attribute == "relative length"

    def effect_of(self, state, prompt, units, worth, more): # of the attribute, in this text
        e = self.effect + self.sentence_together*more + self.worth_together*worth
        e += sum(price*units[name] for name, price in self.together.items())
        e += self.spread*normal("said", state.said) if self.spread else 0
        return e + (self.prompt_spread*normal("liking", prompt) if self.prompt_spread else 0)


def _side(laws, side): # style → chance
    return {k: v[side] if isinstance(v, tuple) else v for k, v in laws.items()}

def _drawn(chances, dice, n): # a style from its chances
    style = [0]*len(STYLE)
    for name, p in chances.items():
        many = n if name == "choice" else 1
        style[PLACE[name]] = sum(dice.chance(p) << i for i in range(many))
    return tuple(style)


def stepped(dice, bits, step): # so many sentences more, or fewer, each as likely as the other
    "One step longer or shorter"
    for _ in range(abs(step)):
        places = [i for i in range(len(EXTRAS)) if (bits >> i & 1) == (step < 0)]
        bits ^= 1 << places[dice.below(len(places))] if places else 0
    return bits


def original(kind, *key):
    "An original and its label"
    dice, more = Dice("original", *key), Dice("more", *key)
    said = tuple(tuple(dice.below(len(words)) for words in (VERBS, NOUNS, PLACES, TIMES))
                 for _ in range(3 + dice.below(4)))
    worth = sum(WORTH[NOUNS[noun]] for _, noun, _, _ in said)
    w = int(more.chance(1/(1 + (1/kind.share - 1)*math.exp(-.5*worth)))) # better texts have it more often
    style = _drawn(_side(PEOPLE | kind.people, w), more, len(said))
    if kind.relative: # the label says whether it is long as it stands
        return State(0, said, style).but(extra=stepped(more, 0, 4 + 2*w + more.below(2))), w
    number = 2*(1 + key[-1]//kind.per_prompt) if kind.numbered else 0
    return State(w, said, style).but(number=number), w


def rewritten(kind, dice, before, target, first, root, prompt):
    "Re(x, y, target) on States; target None: asked to keep the attribute; None where the rewriter refuses"
    if kind.refuses and kind.refuses(kind, dice, before, first, prompt):
        return None
    style = _drawn(kind.laws[target or 0], dice, len(before.said))
    after = State(before.a if target is None else target, before.said, style)
    if kind.relative:
        step = 0 if target is None else (1 + dice.below(2))*(1 if target else -1)
        after = after._replace(a=0).but(extra=stepped(dice, before.of("extra"), step))
    elif before.a != target and dice.chance(kind.fails[target]):
        after = after._replace(a=before.a)
    after = kind.by_prompt(dice, after, target, prompt) if kind.by_prompt else after
    return kind.hook(dice, before, after, target, first, root) if kind.hook else after


# ---- an audit of a kind, through the package's public surface ----------------------------------------------

class Planted:
    "The examples, rewriter, reward and attribute of one audit"
    def __init__(self, kind, n, seed):
        self.kind, self.seed, self.roots, self.made = kind, seed, {}, set()
        rows = []
        for i in range(n):
            number = (1 + i//kind.per_prompt)*(2 if kind.numbered else 1)
            prompt = PROMPTS.get(kind.attribute, PROMPT).format(number)
            state, w = original(kind, seed, i)
            text = write(state, kind.attribute)
            self.roots[text] = state
            rows.append(dict(example_id=f"e{i}", prompt_id=f"p{i//kind.per_prompt}", prompt=prompt,
                             response=text, w=w))
        self.examples = pd.DataFrame(rows)

    def rewrite(self, prompt, text, target, draw=0):
        "The rewriter, as the audit calls it"
        before, root = read(text, self.kind.attribute), self.roots[text]
        dice = Dice("rewrite", self.seed, prompt, text, target, draw)
        first = text not in self.made
        after = rewritten(self.kind, dice, before, target, first, root, (self.seed, prompt))
        if after is None:
            return REFUSAL
        new = write(after, self.kind.attribute)
        self.roots.setdefault(new, root)
        self.made.add(new)
        return new

    def keep(self, prompt, text, draw=0):
        "The rewriter of a relative attribute, told to keep it as it is"
        return self.rewrite(prompt, text, None, draw)

    def reward(self, prompts, texts):
        "The reward model, as the audit calls it"
        return [self.kind.paid_for(read(t, self.kind.attribute), (self.seed, p))
                + self.kind.noise*normal("noise", self.seed, t) for p, t in zip(prompts, texts)]

    def label(self, responses, prompts=None):
        "The attribute's label rule"
        says = self.kind.labeller or (lambda state, text: state.a)
        return np.array([says(read(t, self.kind.attribute), t) for t in responses], dtype=float)

    @property
    def marks(self)->tuple:
        "The phrases and measures that are part of the attribute, as a person marks them"
        return MARKS[self.kind.attribute] if self.kind.marked and not self.kind.builtin else ()

    def attribute(self):
        "An `Attribute` of the package"
        from rate_nb.data import Attribute
        name = self.kind.attribute
        if self.kind.builtin:
            return self.kind.builtin
        if self.kind.relative:
            extent = lambda text: read(text, name).of("extra").bit_count()
            longer = lambda before, after: float(extent(after) - extent(before))
            complies = lambda before, after, target: longer(before, after)*(1 if target else -1) > 0
            return Attribute("extent", "longer", "shorter", "Adjust this response so it's {W}.", moved=longer,
                             complies=complies, **self._relative(Attribute))
        return Attribute(name, "with it", "without it", "Adjust this response to be {W}.", label=self.label)

    @staticmethod
    def _relative(Attribute): # how the package is told that the attribute is relative
        return dict(keep="as long as it is") if "keep" in Attribute.__dataclass_fields__ else {}

    def audit(self, run_dir, **options):
        "The `Audit`, in the rich design unless told otherwise"
        from rate_nb.audit import Audit, Design, Grading
        from rate_nb.data import Attribute
        from rate_nb.rewriting import FunctionRewriter
        from rate_nb.scoring import CallableReward
        keep = dict(keep=self.keep) if self.kind.relative and self._relative(Attribute) else {}
        rewriter = FunctionRewriter(self.rewrite, f"planted: {self.kind.name}", **keep)
        design = dict(both=True, depth=3, draws=self.kind.draws) | options
        reward = CallableReward("reward", self.reward)
        return Audit(self.examples, self.attribute(), rewriter, reward, run_dir, design=Design(check=0),
                     grading=Grading(itself=self.marks), **design)


def _apart(zero, one): # the phrases in which two openings differ
    pair = [re.findall(r"[^\W\d_]+", opening) for opening in (zero, one)]
    for what, a, b, c, d in difflib.SequenceMatcher(None, *pair, autojunk=False).get_opcodes():
        if what != "equal":
            yield from (" ".join(words) for words in (pair[0][a:b], pair[1][c:d]) if words)

MARKS = {name: tuple(_apart(opened(name, 0), opened(name, 1))) for name in OPENINGS}
MARKS["relative length"] = "characters", "words", "sentences", "readability"


# ---- the truth, by potential outcomes; nothing of this knows what RATE does --------------------------------

def _reward(kind, state, prompt): return kind.paid_for(state, prompt) # its noise has mean 0

def truth(kind, n=4000, seed="truth"):
    """The mean effect over originals, in the rewriter's style and in the originals': R(x, 1, Z, ξ) less
    R(x, 0, Z, ξ), ξ drawn from the law of rewrites (for either target half of the time), or as it stands"""
    theirs, own = np.zeros(n), np.zeros(n)
    for i in range(n):
        prompt, (state, w) = i//kind.per_prompt, original(kind, seed, i)
        dice = Dice("style", seed, i)
        if kind.relative: # one step up from where rewrites stand, and from where it stands
            step = 1 + dice.below(2)
            style = _drawn(_side(LAW | kind.law, 0), dice, len(state.said))
            new = State(0, state.said, style).but(extra=state.of("extra"))
            moved = [_reward(kind, s.but(extra=stepped(dice, s.of("extra"), step)), prompt)
                     - _reward(kind, s, prompt) for s in (new, state)]
            theirs[i], own[i] = moved
            continue
        style = _drawn(_side(LAW | kind.law, dice.below(2)), dice, len(state.said))
        new = State(w, state.said, style)
        theirs[i], own[i] = (_reward(kind, s._replace(a=1), prompt) - _reward(kind, s._replace(a=0), prompt)
                             for s in (new, state))
    return {"rewriter's style": theirs.mean(), "originals' style": own.mean()}


def chains(kind, n=4000, seed="chains", depth=2):
    "(n,) originals, labels and prompts, and for each the States of its rewrites: None where it was refused"
    out = []
    for i in range(n):
        prompt, (state, w) = i//kind.per_prompt, original(kind, seed, i)
        states, target = [state], 1 - w
        for d in range(1, depth + 1):
            before = states[-1]
            dice = Dice("step", seed, i, d)
            states.append(before and rewritten(kind, dice, before, target, d == 1, state, prompt))
            target = 1 - target
        out.append((w, prompt, states))
    return out


def limit(kind, n=4000, seed="chains"):
    """What rewrite against rewrite of rewrite converges to, on complete examples where some are lost: the ATE
    has the arm shares of all originals; and the standard deviation of the rewards of originals in an arm"""
    contrasts, rewards = ([], []), ([], [])
    for w, prompt, (state, one, two) in chains(kind, n, seed):
        rewards[w].append(_reward(kind, state, prompt))
        if one is not None and two is not None:
            contrasts[w].append((_reward(kind, two, prompt) - _reward(kind, one, prompt))*(1 if w else -1))
    share = len(rewards[1])/n
    sd = math.sqrt(share*np.var(rewards[1]) + (1 - share)*np.var(rewards[0]) + kind.noise**2)
    att, atu = np.mean(contrasts[1]), np.mean(contrasts[0])
    return dict(ATT=att, ATU=atu, ATE=share*att + (1 - share)*atu, sd=sd,
                error=math.sqrt(sum(np.var(c)/len(c)*s*s for c, s in zip(contrasts, (1 - share, share)))))


# ---- what is to be seen of it ------------------------------------------------------------------------------

_TOKEN = re.compile(r"[a-z']+|\N{SEEDLING}|[!]|\n-")
COUNTED = dict(words=lambda t: len(t.split()), characters=len, lines=lambda t: t.count("\n"),
               capitals=lambda t: sum(c.isupper() for c in t))


def _phrases(text): # the words and pairs of words of a text
    words = _TOKEN.findall(text.lower())
    return {*words, *zip(words, words[1:])}


def differences(kind, n=1500, seed="chains"):
    """Between rewrites to 1 and to 0 of the same originals ("contrast"), and between rewrites and originals
    ("originals"): the phrase whose rate differs most, by how much, the measure whose mean differs most, by
    how many standard deviations; the share of rewrites whose label is not what was asked for ("labels"); the
    share of originals without their rewrite of a rewrite ("loss"). The attribute's own words are left out"""
    words = lambda s: write(s, kind.attribute)[len(opened(kind.attribute, s.a)):]
    sides, off, lost, asked = dict(contrast=([], []), originals=([], [])), 0, 0, 0
    for w, prompt, (state, one, two) in chains(kind, n, seed):
        for target, s in ((1 - w, one), (w, two)):
            if s is not None and not kind.relative:
                says = kind.labeller(s, write(s, kind.attribute)) if kind.labeller else s.a
                off, asked = off + (says != target), asked + 1
        if one is None or two is None:
            lost += 1
            continue
        to_1, to_0 = (two, one) if w else (one, two)
        for name, pair in dict(contrast=(to_1, to_0), originals=(two, state)).items():
            for texts, s in zip(sides[name], pair):
                texts.append(words(s))
    found = dict(labels=off/max(asked, 1), loss=lost/n)
    return found | {name: _largest(*texts) for name, texts in sides.items()}


def _largest(one, zero): # (phrase, difference of rates, measure, difference of means in standard deviations)
    rates = Counter()
    for texts, sign in ((one, 1), (zero, -1)):
        for text in texts:
            for phrase in _phrases(text):
                rates[phrase] += sign
    phrase, count = max(rates.items(), key=lambda item: (abs(item[1]), str(item[0])))
    moved = {name: [np.array([f(t) for t in texts]) for texts in (one, zero)] for name, f in COUNTED.items()}
    moved = {name: (a.mean() - b.mean())/max(math.sqrt((a.var() + b.var())/2), 1e-9)
             for name, (a, b) in moved.items()}
    measure = max(moved, key=lambda name: abs(moved[name]))
    return (phrase if isinstance(phrase, str) else " ".join(phrase)), count/len(one), measure, moved[measure]


# ---- the kinds ---------------------------------------------------------------------------------------------

def lengthens(to): # rewrites to one side, by a sentence or two
    def hook(dice, before, after, target, first, root):
        return after.but(extra=stepped(dice, 0, 1 + dice.below(2)) if target == to else 0)
    return hook

def mends(name, to): # rewrites to one side put right what is wrong, the others take it over
    def hook(dice, before, after, target, first, root):
        return after.but(**{name: 0 if target == to else before.of(name)})
    return hook

def drops(to): # the last sentence, in rewrites to one side
    def hook(dice, before, after, target, first, root):
        return after._replace(said=after.said[:-1]) if target == to and len(after.said) > 2 else after
    return hook

def fades(name): # a first rewrite takes a style over, the next one loses it
    def hook(dice, before, after, target, first, root):
        return after.but(**{name: before.of(name) if first else 0})
    return hook

def grows(name, at_most): # each pass adds one
    def hook(dice, before, after, target, first, root):
        return after.but(**{name: min(before.of(name) + 1, at_most)})
    return hook

def settles(name, chance): # from the second pass on
    def hook(dice, before, after, target, first, root):
        return after.but(**{name: before.of(name) or (not first and dice.chance(chance))})
    return hook

def returns(dice, before, after, target, first, root): # to the original, where that is on the side asked for
    return root if not first and target == root.a else after

def in_arm(name, arm, to, chance): # an artefact of the rewrites to one side, in one arm
    def hook(dice, before, after, target, first, root):
        return after.but(**{name: root.a == arm and target == to and dice.chance(chance)})
    return hook

def signs(dice, before, after, target, first, root): # a failed flip is signed like a successful one
    return after.but(signature=2 - target) if after.a != target else after

def by_signature(state, text): # a labeller that believes the signature
    return {0: state.a, 1: 1, 2: 0}[state.of("signature")]

def errs(state, text): # a labeller that is wrong about one text in five
    return 1 - state.a if Dice("label", text).chance(.2) else state.a

def hides(name): # with even verbs rewrites to 1 have a phrase, with odd ones rewrites to 0
    def hook(dice, before, after, target, first, root):
        return after.but(**{name: (before.said[0][0] % 2 == 0) == (target == 1)})
    return hook

def miscopies(chance): # rewrites to 1 name another garden; an odd number is wrong
    def hook(dice, before, after, target, first, root):
        return after.but(number=root.of("number") + (target == 1 and dice.chance(chance)))
    return hook

def echoes(chance): # rewrites to 1 begin their end with a word of what was said
    def hook(dice, before, after, target, first, root):
        there = dice.chance(chance if target else .05)
        return after.but(echo=after.said[0][1] + 1 if there else 0)
    return hook

def uneven(dice, before, after, target, first, root): # none or four more sentences; rewrites to 0 have two
    return after.but(extra=stepped(dice, 0, (4 if dice.chance(.5) else 0) if target else 2))

def both_or_neither(dice, before, after, target, first, root): # two sentences; rewrites to 0 have one of them
    there, same = dice.chance(.5), dice.chance(.9) == (target == 1)
    return after.but(aside=there, closing=there if same else not there)

def liked(prompt): return 1 if normal("chat", prompt) > 0 else -1 # by whoever asks this

def as_liked(dice, after, target, prompt): # a phrase where it is liked; rewrites to 0 have it where it is not
    return after.but(rumour=(liked(prompt) > 0) == (target == 1) if dice.chance(.9) else dice.chance(.5))

def lazy(dice, before, after, target, first, root): # told to keep the side, it changes no more than that
    return before if before.a == target else after

def by_said(dice, before, after, target, first, root): # long texts get a list, whichever the target
    return after.but(layout=len(before.said) > 4)

def by_arm(dice, before, after, target, first, root): # the style of an arm, in all its rewrites
    return after.but(hedge=root.a and dice.chance(.8), sprout=dice.chance(.1 + .6*root.a))

def holds(name): # what an original has of a style is never changed
    def hook(dice, before, after, target, first, root):
        return after.but(**{name: root.of(name)})
    return hook

RANKED = sorted(range(16), key=lambda i: WORTH[NOUNS[i]])

def better_words(chance): # the first noun is changed for one of the dearest, or one of the cheapest
    def hook(dice, before, after, target, first, root):
        if not dice.chance(chance):
            return after
        (verb, noun, place, time), *rest = after.said
        noun = RANKED[12 + dice.below(4) if target else dice.below(4)]
        return after._replace(said=((verb, noun, place, time), *rest))
    return hook

def at_random(chance):
    return lambda kind, dice, before, first, prompt: dice.chance(chance)

def long_ones(chance, on_first=True): # refuses long texts, whichever draw
    return lambda kind, dice, before, first, prompt: (
        first == on_first and len(before.said) > 4 and Dice("refuse", before.said).chance(chance))

def good_ones(chance): # refuses what the reward likes
    def refuses(kind, dice, before, first, prompt):
        worth = sum(WORTH[NOUNS[noun]] for _, noun, _, _ in before.said)
        return first and worth > 0 and Dice("refuse", before.said).chance(chance)
    return refuses

def liked_ones(chance): # refuses where the effect is large, which nothing measured tells
    return lambda kind, dice, before, first, prompt: (
        first and normal("said", before.said) > 0 and Dice("refuse", before.said).chance(chance))


def _kinds():
    bad = lambda name, about, **options: Kind(name, "harmful", about, **options)
    good = lambda name, about, **options: Kind(name, "healthy", about, **options)
    own = dict(claim="originals' style", footprint="originals")
    yield bad("filler to 1", "a paid filler sentence, in 80% of rewrites to 1 and 10% to 0",
              law=dict(aside=(.1, .8)), paid=dict(aside=.5))
    yield bad("hedge to 0", "a hedge that costs reward, in 80% of rewrites to 0 and 10% to 1",
              attribute="authority", law=dict(hedge=(.8, .1)), paid=dict(hedge=-.5))
    yield bad("rumour, 35 points", "a well-paid phrase whose rate differs by 35 points", effect=.45,
              attribute="courtesy", law=dict(rumour=(.1, .45)), paid=dict(rumour=.7))
    yield bad("rumour, 35 points, small", "the same, just above what the bar asks", effect=.36,
              attribute="courtesy", law=dict(rumour=(.1, .45)), paid=dict(rumour=.46))
    yield bad("nothing but an artefact", "no effect of the attribute; a paid phrase", effect=0.,
              attribute="authority", law=dict(rumour=(.1, .6)), paid=dict(rumour=.5))
    yield bad("three small artefacts", "three phrases, each worth less than a margin, all worth three",
              law=dict(connective=(.3, .7), shout=(.2, .6), short=(.7, .3)),
              paid=dict(connective=.21, shout=.21, short=-.21))
    yield bad("five small artefacts", "five phrases, none worth more than half a margin",
              law=dict(connective=(.3, .7), shout=(.2, .6), short=(.7, .3), sprout=(.2, .6), layout=(.2, .6)),
              paid=dict(connective=.11, shout=.11, short=-.11, sprout=.11, layout=.11), effect=.45)
    yield bad("rumour, always", "a phrase in all rewrites to 1 and none to 0: no variation within target",
              law=dict(rumour=(0, 1)), paid=dict(rumour=.4))
    yield bad("connectives", "In truth for In short, equally long, in rewrites to 1",
              law=dict(connective=(.15, .85)), paid=dict(connective=.5))
    yield bad("choice words to 1", "choice words for plain ones, one by one", attribute="courtesy",
              law=dict(choice=(.05, .9)), paid=dict(choice=.12))
    yield bad("contractions to 0", "Don't for Do not", attribute="authority", law=dict(short=(.9, .2)),
              paid=dict(short=-.5))
    yield bad("exclamation marks to 1", "the last sentence shouts", law=dict(shout=(.1, .8)),
              paid=dict(shout=.45))
    yield bad("lists to 1", "list layout", law=dict(layout=(.1, .8)), paid=dict(layout=.45))
    yield bad("small letters to 0", "no capitals, which cost reward", attribute="courtesy",
              law=dict(small=(.8, 0)), paid=dict(small=-.4))
    yield bad("seedlings to 1", "an emoji", law=dict(sprout=(.05, .8)), paid=dict(sprout=.45))
    yield bad("closing to 1", "a closing wish", attribute="authority", law=dict(closing=(.1, .9)),
              paid=dict(closing=.4))
    yield bad("longer to 1", "one or two more sentences that are paid", hook=lengthens(1),
              paid=dict(extra=.2))
    yield bad("typos mended to 1", "rewrites to 1 mend typos, rewrites to 0 keep them", share=.7,
              people=dict(typo=.8), hook=mends("typo", 1), paid=dict(typo=-.6))
    yield bad("content dropped to 0", "rewrites to 0 drop the last sentence", share=.25, sentence=.4,
              hook=drops(0))
    yield bad("style remembered once", "the first rewrite keeps a phrase, the second loses it",
              share=.7, people=dict(rumour=(.1, .9)), hook=fades("rumour"), paid=dict(rumour=.6))
    yield bad("drift, linear", "each pass adds a sentence that is paid", share=.85, hook=grows("pile", 4),
              paid=dict(pile=.4))
    yield bad("drift, saturating", "a paid phrase from the second pass on", share=.85,
              hook=settles("rumour", .9), paid=dict(rumour=.5))
    yield bad("back to the original", "the rewrite of a rewrite is the original again", share=.85,
              people=dict(shout=.9), law=dict(shout=.1), hook=returns, paid=dict(shout=.6))
    yield bad("artefact of one arm", "a paid phrase in rewrites to 1 of treated originals alone", share=.6,
              hook=in_arm("rumour", 1, 1, .9), paid=dict(rumour=.65))
    yield bad("artefact of the other arm", "a paid phrase in rewrites to 0 of untreated originals alone",
              share=.4, hook=in_arm("rumour", 0, 0, .9), paid=dict(rumour=.65))
    yield bad("flips fail", "40% of flips fail", fails=(.4, .4), footprint="labels")
    yield bad("flips to 1 fail", "60% of flips to 1 fail", fails=(0, .6), footprint="labels")
    yield bad("labeller fooled", "45% of flips fail, signed so that the labeller does not notice",
              fails=(.45, .45), hook=signs, labeller=by_signature)
    yield bad("labeller errs", "40% of flips fail, and the labeller is wrong about one text in five",
              fails=(.4, .4), labeller=errs, footprint="labels")
    yield bad("relative length, closing to 1", "longer by a step, marked; a closing is paid more",
              attribute="relative length", effect=0., law=dict(closing=(.1, .9)),
              paid=dict(extra=.3, closing=.5))
    yield bad("good ones refused", "85% of what the reward likes is refused; there the effect is larger",
              effect=.5, worth_together=.55, refuses=good_ones(.85), footprint="loss")
    yield bad("long ones refused", "80% of long texts are refused; there the effect is larger", effect=.5,
              sentence_together=.36, refuses=long_ones(.8), footprint="loss")
    yield bad("long ones refused on the way back", "the same at the second pass only", effect=.5,
              sentence_together=.36, refuses=long_ones(.8, False), footprint="loss")
    yield bad("originals' claim, exclamation marks", "paid with the attribute only; originals have more",
              effect=.3, people=dict(shout=.9), law=dict(shout=.2), together=dict(shout=.6), **own)
    yield bad("originals' claim, length", "sentences paid with the attribute only; rewrites drop them",
              effect=.3, people=dict(extra=.8), together=dict(extra=.5), **own)
    yield bad("originals' claim, phrase", "a phrase paid with the attribute only; rewrites drop it",
              effect=.3, people=dict(rumour=.8), together=dict(rumour=.5), **own)
    yield bad("originals' claim, hedges", "hedges cost reward only with the attribute; rewrites bring them",
              effect=.6, people=dict(hedge=.05), law=dict(hedge=.7), together=dict(hedge=-.5), **own)

    yield bad("originals' claim, connectives", "paid with the attribute only; rewrites swap them",
              effect=.3, people=dict(connective=.9), law=dict(connective=.1), together=dict(connective=.6),
              **own)
    yield bad("originals' claim, connectives alone", "the same; rewrites change nothing else", effect=.3,
              people=LAW | dict(typo=0, hedge=0, connective=.9), law=dict(connective=.1),
              together=dict(connective=.6), **own)

    seen = lambda name, about, shows, **options: bad(name, about, footprint="reading", shows=shows, **options)
    yield seen("blank line to 1", "a blank line after the marked opening", "blank line +75 points",
               law=dict(gap=(.1, .85)), paid=dict(gap=.5))
    yield seen("line break at the end", "a trailing line break in rewrites to 1", "line break +75 points",
               law=dict(end=(.1, .85)), paid=dict(end=.5))
    yield seen("other order", "rewrites to 1 say “do not hurry” before the advice", "order +75 points",
               law=dict(late=(.1, .85)), paid=dict(late=.5))
    yield seen("number miscopied", "rewrites to 1 name another garden", "wrong number +80 points",
               numbered=True, hook=miscopies(.8), also=lambda units, prompt: .5*(units["number"] % 2))
    yield seen("words echoed", "rewrites to 1 repeat a word of the question's subject", "echo +75 points",
               hook=echoes(.8), also=lambda units, prompt: .5*(units["echo"] > 0))
    yield seen("uneven length", "equal means, unequal spread, and a concave reward",
               "2 sentences off the middle +100 points", hook=uneven,
               also=lambda units, prompt: -.1*(units["extra"] - 2)**2)
    yield seen("both or neither", "two sentences, paid where both or neither stand", "agreement +80 points",
               hook=both_or_neither, also=lambda units, prompt: .5*(units["aside"] == units["closing"]))
    yield seen("liked here, disliked there", "a phrase that some prompts like and others dislike",
               "liked phrase +90 points", by_prompt=as_liked,
               also=lambda units, prompt: .35*liked(prompt)*units["rumour"])

    yield good("plain", "a greeting, its words marked")
    yield good("German", "the same in German", attribute="greeting in German")
    yield good("code", "the same in lines of code", attribute="greeting in code")
    yield good("authority", "a claim of authority", attribute="authority", effect=.8)
    yield good("courtesy", "please, which the reward dislikes", attribute="courtesy", effect=-.4)
    yield good("strong effect", "1.2", effect=1.2)
    yield good("weak effect", "0.05", effect=.05)
    yield good("no effect", "0", effect=0.)
    yield good("longer greeting", "three words longer, words unpaid, marked", attribute="long greeting")
    yield good("longer greeting, words paid", "the same; each word of the greeting pays, as part of it",
               attribute="long greeting", word=.03)
    yield good("relative length", "longer or shorter by a step; sentences are paid",
               attribute="relative length", effect=0., paid=dict(extra=.3))
    yield good("relative length, the package's", "the same, audited as the package's own attribute",
               attribute="relative length", effect=0., paid=dict(extra=.3), builtin="length")
    yield good("refusals at random", "5% of rewrites", refuses=at_random(.05))
    yield good("clustered prompts", "ten responses to each prompt, which share their level and their effect",
               per_prompt=10, prompt_sd=.7, prompt_spread=.15)
    yield good("80% treated", "", share=.8)
    yield good("20% treated", "", share=.2)
    yield good("not additive", "styles are paid with the attribute only; the same styles for both targets",
               people=dict(shout=.9, rumour=.8), together=dict(shout=.4, rumour=.4))
    yield good("noisy reward", "noise of 0.7", noise=.7)
    yield good("style shift", "rewrites mend typos, drop hedges and add a closing, whichever the target",
               people=dict(typo=.8, hedge=.7, closing=.05), law=dict(closing=.9),
               paid=dict(typo=-.4, hedge=-.4, closing=.3))
    yield good("uneven effect", "the effect depends on what is said", worth_together=.3, spread=.2)

    yield good("style by what is said", "rewrites of long texts are lists, whichever the target",
               hook=by_said, paid=dict(layout=.4))
    yield good("style by arm", "rewrites of treated originals have hedges and emoji, whichever the target",
               hook=by_arm, paid=dict(hedge=-.3, sprout=.3))
    yield good("style held", "a phrase of the original stays in all its rewrites", hook=holds("rumour"),
               people=dict(rumour=(.1, .8)), paid=dict(rumour=.6))

    yield Kind("plain, unmarked", "unmarked", "a greeting whose words nobody has marked", marked=False)
    yield Kind("longer greeting, unmarked", "unmarked", "three words longer, unmarked",
               attribute="long greeting", marked=False)
    yield Kind("unrecorded loss", "unseen loss", "10% lost, where something unmeasured makes it larger",
               spread=.25, refuses=liked_ones(.2))
    yield Kind("unrecorded loss, small", "unseen loss", "2% lost in that way", spread=.25,
               refuses=liked_ones(.04))
    yield Kind("better words, spread thin", "apart", "rewrites to 1 take dearer nouns; no word by 30 points",
               hook=better_words(.5))
    yield Kind("one draw", "apart", "plain, draws=1", draws=1)
    yield Kind("unpaid filler", "apart", "a phrase that rewrites to 1 add and nobody pays",
               law=dict(rumour=(.2, .6)))
    yield Kind("equal marginals", "apart", "as often in rewrites to 1 as to 0, but paid in those to 1 only",
               hook=hides("rumour"), hidden=.6)
    yield Kind("kept side untouched", "apart", "a text on its side already comes back as it is",
               hook=lazy)
    yield Kind("originals' claim, nothing shifts", "apart", "and originals have the style of rewrites",
               claim="originals' style", people=LAW | dict(typo=0, hedge=0))
    yield Kind("originals' claim, additive", "apart", "plain, graded on the originals' claim",
               claim="originals' style")


KINDS = {kind.name: kind for kind in _kinds()}

# what the bar speaks of: many kinds of harm and of health, each different from the next in what goes wrong
BAR = ("filler to 1", "rumour, 35 points, small", "three small artefacts", "five small artefacts",
       "rumour, always", "connectives", "exclamation marks to 1", "typos mended to 1",
       "style remembered once", "drift, linear", "drift, saturating", "back to the original",
       "artefact of one arm", "flips fail", "labeller fooled", "long ones refused",
       "relative length, closing to 1",
       "blank line to 1", "line break at the end", "other order", "number miscopied", "words echoed",
       "uneven length", "both or neither", "liked here, disliked there",
       "originals' claim, exclamation marks", "originals' claim, connectives alone",
       "plain", "German", "code", "weak effect", "no effect", "longer greeting, words paid",
       "relative length", "refusals at random", "clustered prompts", "80% treated", "not additive",
       "plain, unmarked", "unrecorded loss")
