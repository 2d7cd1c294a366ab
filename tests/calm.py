"What a calm day gives, and how bad a bad one is: shared by the tests of rewriting by chat and by batch"
from dataclasses import replace
import pandas as pd
from rate_nb.data.attributes import ATTRIBUTES
from rate_nb.llm.calls import read_completion
from rate_nb.llm.openai import OpenAIRewriter
from rate_nb.theory.text_world import polarity
from rate_nb.rewriting.sandbox import Sandbox, Trouble

STORM = Trouble(rate_limit=.1, server_error=.05, reset=.02, malformed=.01, refuse=.03, truncate=.02,
                retry_after=.01)


def films(n): # n distinct short reviews
    return pd.DataFrame(dict(example_id=[f"f{i}" for i in range(n)], prompt_id=[f"f{i}" for i in range(n)],
                             prompt="Review this.", w=[i % 2 for i in range(n)],
                             response=[f"Film number {i} was {('dreadful', 'superb')[i % 2]}, and teh cast "
                                       f"came from Lisbon.<br />I watched it {i} times." for i in range(n)]))


class Calm: # what the sandbox answers on a calm day, without a connection
    store = None
    def __init__(self): self.box, self.asker = Sandbox(), OpenAIRewriter("sandbox-rewriter",
        "http://127.0.0.1:1/v1")
    @property
    def settings(self): return self.asker.settings
    def rewrite(self, request): return read_completion(self.box.answer(self.asker.body(request), "calm")[0])


def brighter(before, after): return float(polarity(after) - polarity(before))
def turned(before, after, target): return brighter(before, after)*(2*target - 1) > 0

# the attribute as the simulator plants it: VADER, the package's own measure, misreads a few simulated texts
PLANTED_SENTIMENT = replace(ATTRIBUTES["sentiment"], complies=turned, moved=brighter)
