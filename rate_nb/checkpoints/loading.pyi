# Written by `make export` from the module beside it. Edit the notebook.
"""Is this directory a complete model, and which one is it?"""
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from transformers import PreTrainedModel
from transformers import PreTrainedTokenizerBase
from transformers import PretrainedConfig
from typing import Any
import torch
SMALL: int
WORDS: Any
TEMPLATE: str

def has_tokenizer(folder: str | Path) -> bool:
    """Does a tokenizer lie in a directory?"""

def check_folder(folder: str | Path, tokenizer: bool=True, adapter: bool=False) -> Path:
    """Refuse a directory that is not a whole model"""

def no_hub_name(text: str) -> str:
    """Could it be a name on the hub?"""

def locate_model(name_or_path: str | Path, revision: str | None=None, tokenizer: bool=True, adapter: bool=False, hub: bool=True) -> Path | str:
    """Find a model, or say at once that it is not there"""

def local_folder(source: str | Path, revision: str | None=None, adapter: bool=False) -> Path:
    """The files of a model, downloaded where they are not here"""

def read_weights(folder: str | Path) -> dict:
    """All weights of a checkpoint; pickles only where they hold nothing but tensors"""

def folder_key(folder: str | Path) -> str:
    """The identity of a model directory, by content"""

def model_identity(source: str | Path, config: PretrainedConfig, revision: str | None) -> str:
    """What names a model's content: a directory by its bytes, a hub model by its commit"""

def import_transformers() -> Any:
    """The library that loads models, with torch under it; or how to get them"""

@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Silence what transformers prints while it loads or saves"""

def load_pretrained(auto: Any, source: str | Path, what: str, **kwargs: Any) -> Any:
    """`from_pretrained`, or one sentence that says why not"""

def load_tokenizer(source: str | Path, **hub: Any) -> PreTrainedTokenizerBase:
    """The tokenizer that lies beside the weights, not one that the architecture's family usually has"""

def check_finite(name: str, model: torch.nn.Module) -> None:
    """Refuse weights that hold NaN or infinity"""

def gpu_dtype(saved: torch.dtype | None, has_bfloat16: bool) -> torch.dtype:
    """The precision in which a model runs on a GPU by default"""

def device_and_dtype(config: PretrainedConfig, device: str | torch.device | None, dtype: str | torch.dtype | None) -> tuple[torch.device, torch.dtype]:
    """Fill in the defaults, refuse what is no floating-point type"""

def spread_over_devices(model: torch.nn.Module, keep: Sequence[str] | None=None, max_memory: dict | None=None, offload_folder: str | None=None) -> torch.nn.Module:
    """Lay the layers of a model over all devices"""

def spread(model: torch.nn.Module) -> int:
    """Over how many devices do a model's layers lie?"""

@contextmanager
def one_thread(model: torch.nn.Module) -> Iterator[None]:
    """Let a small model on the CPU run on one thread; give the others back afterwards"""

def tiny_tokenizer(words: Sequence[str]=..., template: str | None=...) -> PreTrainedTokenizerBase:
    """A tokenizer that knows a handful of words"""

def tiny_model(cls: str=..., seed: int=0, words: Sequence[str]=..., **config: Any) -> PreTrainedModel:
    """A real model with a few thousand weights"""

def save_tiny(folder: str | Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase | bool | None=None) -> Path:
    """Save a model and its tokenizer as a hub model lies on disk"""

def good_minus_bad() -> PreTrainedModel:
    """A Llama reward model whose weights are a formula"""

def read_adapter(folder: str | Path) -> dict | None:
    """Is this directory an adapter to another model?"""

def adapter_weights(folder: str | Path) -> dict:
    """The tensors of an adapter under the names of the model that it changes"""

def hub_adapter(name: str, revision: str | None=None) -> Path | None:
    """An adapter on the hub, downloaded where it is not here"""

def merge_adapter(model: torch.nn.Module, folder: str | Path) -> torch.nn.Module:
    """Add an adapter to the weights of its base model"""
