"""Instructions, checks of what came back, chains, prompts, planning, versions of an instruction, the dry-run
endpoint."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".chains": ["double_rewrite", "FunctionRewriter", "prompt_compliance", "rewrite_prompts",
                "status_counts"],
    "..llm.local": ["LocalRewriter"],
    "..llm.openai": ["OpenAIRewriter"],
    ".sandbox": ["Sandbox"],
    ".instructions": ["alarm_rates", "exclude_tuned_examples", "flags", "saved_versions"],
    ".planning": ["plan_rewriting"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
