"""What does a reward model really reward? Causal audits by rewrites of rewrites, and calibration."""
__version__ = "0.1.0"

from .base.faces import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    ".audit": ["Audit", "Design", "Grading"],
    ".calibration": ["calibrate_scores"],
    ".data": ["Attribute", "load_examples"],
    ".estimators": ["estimate_effects"],
    ".rewriting": ["OpenAIRewriter"],
    ".scoring": ["CallableReward", "load_reward_model"],
    ".widgets": ["PromptLab"],
})
