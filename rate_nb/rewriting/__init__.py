"""Instructions, checks of what came back, chains, prompts, planning, versions of an instruction, the dry-run
endpoint."""
from ..base.faces import lazy

_HOME = { # module → the names it brings
    ".chains": ["FunctionRewriter", "double_rewrite"],
    "..llm.local": ["LocalRewriter"],
    "..llm.openai": ["OpenAIRewriter"],
    ".sandbox": ["Sandbox"],
    ".instructions": ["exclude_tuned_examples", "flags", "saved_versions"],
    ".planning": ["plan_rewriting"],
}
__all__, __getattr__, __dir__ = lazy(__name__, _HOME)
