"""Imported last by the server of forks: what is imported by now stays, and no collector looks at it again.

Each fork would go through the objects of all libraries, half a second of CPU for every full collection.
"""
import gc

gc.collect()
gc.freeze()
