# Written by `make export` from the module beside it. Edit the notebook.
"""Every kind of reward, how it is read, prefix sharing, workers, Ray, judges, reward servers, labels."""
from .reward_models import CallableReward as CallableReward
from .reward_models import objective_scores as objective_scores
from .reward_models import RewardModel as RewardModel
from .reward_models import score_texts as score_texts
from .remote import HTTPReward as HTTPReward
from .judges import LLMJudge as LLMJudge
from .judges import LocalJudge as LocalJudge
from .judges import PairJudge as PairJudge
from .judges import position_bias as position_bias
from .judges import to_contrasts as to_contrasts
from .rubrics import Criterion as Criterion
from .rubrics import RubricReward as RubricReward
from .rubrics import self_agreement as self_agreement
from .ray_engine import RayOptions as RayOptions
from .likelihood import implicit_reward as implicit_reward
from .likelihood import log_ratio as log_ratio
from .labellers import check_labels as check_labels
from .labellers import label_with_classifier as label_with_classifier
from .labellers import label_with_judge as label_with_judge
from .labellers import labelled_by as labelled_by
from .sequence_rewards import load_reward_model as load_reward_model
from .rewards import by_objective as by_objective
from .rewards import ensemble as ensemble
from .rewards import load_rate_scores as load_rate_scores
from .rewards import score_rewrites as score_rewrites
from .rewards import scores_from_file as scores_from_file
from .rewards import texts_to_score as texts_to_score
from .rewards import to_scored as to_scored
__all__ = ['CallableReward', 'Criterion', 'HTTPReward', 'LLMJudge', 'LocalJudge', 'PairJudge', 'RayOptions', 'RewardModel', 'RubricReward', 'by_objective', 'check_labels', 'ensemble', 'implicit_reward', 'label_with_classifier', 'label_with_judge', 'labelled_by', 'load_rate_scores', 'load_reward_model', 'log_ratio', 'objective_scores', 'position_bias', 'score_rewrites', 'score_texts', 'scores_from_file', 'self_agreement', 'texts_to_score', 'to_contrasts', 'to_scored']
