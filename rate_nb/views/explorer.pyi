# Written by `make export` from the module beside it. Edit the notebook.
"""Which words did a rewrite change, and which responses drive the effect?"""
MOST_PAIRS: int
MOST_WORK: int
MOST_SHOWN: int
MOST_CHARACTERS: int

def word_diff(before, after) -> list:
    """What stayed, what went and what came"""

def shown_text(text, most=...) -> str:
    """A text made inert, cut where it is very long"""

def diff_html(before, after, most=...) -> str:
    """The new text with what went struck through and what came underlined"""

def response_effects(scored) -> tuple:
    """What each response adds to the effect of RATE"""

def explorer_tables(examples, rewrites, scored, *, most=2000, rng=None, effects=None) -> dict:
    """The responses whose texts are shown, and the distribution of all effects"""

def explorer_of(tables, attribute, *, measures=None, flags=None, itself=(), said=(), name='') -> dict:
    """The chosen responses with their versions, rewards, effect and status"""

def explorer_data(examples, rewrites, scored, attribute, *, measures=None, flags=None, most=2000, rng=None, effects=None, itself=(), said=(), name='') -> dict:
    """Every response with its versions, rewards, effect and status"""

def front_end(kind):
    ...

def embedded_json(data):
    ...

def explorer_html(data, heading_id='texts') -> str:
    """The explorer inside a report, without a server and without a network"""

def explorer_widget(data, mark=None, selected=''):
    """The explorer in a notebook"""
