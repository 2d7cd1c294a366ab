# Written by `make export` from the module beside it. Edit the notebook.
"""Is this directory a whole model, and which one is it?"""
from contextlib import contextmanager
from pathlib import Path
from typing import Any
SMALL: int
WORDS: Any
TEMPLATE: str

def has_tokenizer(folder) -> bool:
    """Does a tokenizer lie in a directory?"""

def check_folder(folder, tokenizer=True, adapter=False) -> Path:
    """Refuse a directory that is not a whole model"""

def locate_model(name_or_path, revision=None, tokenizer=True, adapter=False):
    """Find a model, or say at once that it is not there"""

def local_folder(source, revision=None, adapter=False) -> Path:
    """The files of a model, downloaded where they are not here"""

def read_weights(folder) -> dict:
    """All weights of a checkpoint; pickles only where they hold nothing but tensors"""

def folder_key(folder) -> str:
    """The identity of a model directory, by content"""

def model_identity(source, config, revision) -> str:
    """What names a model's content: a directory by its bytes, a hub model by its commit"""

def import_transformers():
    """The library that loads models, with torch under it; or how to get them"""

@contextmanager
def quiet_transformers():
    """Silence what transformers prints while it loads or saves"""

def load_pretrained(auto, source, what, **kwargs):
    """`from_pretrained`, or one sentence that says why not"""

def load_tokenizer(source, **hub):
    """The tokenizer that lies beside the weights, not one that the architecture's family usually has"""

def check_finite(name, model):
    """Refuse weights that hold NaN or infinity"""

def gpu_dtype(saved, has_bfloat16):
    """The precision in which a model runs on a GPU, if nobody says"""

def device_and_dtype(config, device, dtype):
    """Fill in the defaults, refuse what is no floating-point type"""

@contextmanager
def one_thread(model):
    """Let a small model on the CPU run on one thread; give the others back afterwards"""

def tiny_tokenizer(words=..., template=...):
    """A tokenizer that knows a handful of words"""

def tiny_model(cls=..., seed=0, words=..., **config):
    """A real model with a few thousand weights"""

def save_tiny(folder, model, tokenizer=None) -> Path:
    """Save a model and its tokenizer as a hub model lies on disk"""

def good_minus_bad():
    """A Llama reward model whose weights are a formula"""

def read_adapter(folder) -> dict:
    """Is this directory an adapter to another model?"""

def adapter_weights(folder) -> dict:
    """The tensors of an adapter under the names of the model that it changes"""

def hub_adapter(name, revision=None) -> Path:
    """An adapter on the hub, downloaded where it is not here"""

def merge_adapter(model, folder):
    """Add an adapter to the weights of its base model"""
