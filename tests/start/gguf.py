"""The real gguf, which reads a file once in a process.

transformers has it read for the configuration, the weights and the tokenizer, four seconds of CPU each, and
asks for the same table of names at each module.
"""
from functools import cache
import real

gguf = real.load("gguf")
gguf.GGUFReader, gguf.get_tensor_name_map = cache(gguf.GGUFReader), cache(gguf.get_tensor_name_map)
