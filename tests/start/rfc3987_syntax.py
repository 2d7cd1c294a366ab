"""Keeps a grammar of web addresses out of the processes that tests start.

JupyterLab brings the package of this name. jsonschema imports it where it is there, and altair, papermill and
nbformat import jsonschema: two seconds of CPU in each process. No schema used here has a field of the formats
that it checks, "iri" and "iri-reference".
"""
raise ImportError("not needed by the tests; jsonschema goes on without it")
