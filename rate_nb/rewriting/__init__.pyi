# Written by `make export` from the module beside it. Edit the notebook.
"""Instructions, checks of what came back, chains, prompts, planning, versions of an instruction, the dry-run"""
from .chains import double_rewrite as double_rewrite
from .chains import FunctionRewriter as FunctionRewriter
from .chains import prompt_compliance as prompt_compliance
from .chains import rewrite_prompts as rewrite_prompts
from .chains import status_counts as status_counts
from ..llm.local import LocalRewriter as LocalRewriter
from ..llm.openai import OpenAIRewriter as OpenAIRewriter
from .sandbox import Sandbox as Sandbox
from .instructions import alarm_rates as alarm_rates
from .instructions import exclude_tuned_examples as exclude_tuned_examples
from .instructions import flags as flags
from .instructions import saved_versions as saved_versions
from .planning import plan_rewriting as plan_rewriting
__all__ = ['FunctionRewriter', 'LocalRewriter', 'OpenAIRewriter', 'Sandbox', 'alarm_rates', 'double_rewrite', 'exclude_tuned_examples', 'flags', 'plan_rewriting', 'prompt_compliance', 'rewrite_prompts', 'saved_versions', 'status_counts']
