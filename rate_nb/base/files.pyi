# Written by `make export` from the module beside it. Edit the notebook.
"""How do responses from a file, or from a dataset on a hub, become a table, or one sentence about what is wrong and where?"""
from pathlib import Path
from typing import Any
import pandas as pd
VERBATIM: Any
SEPARATORS: tuple[str, ...]
READERS: dict[str, Any]
MARKS: tuple[tuple[Any, ...], ...]
MOST_VALUES: int
ALSO_CALLED: dict[str, tuple[str, ...]]
RULES: dict[str, tuple[Any, ...]]

def read_table(path, verbatim=(), columns=None) -> pd.DataFrame:
    """Read a file of rows, or say what is wrong with it"""

def read_yaml(path, what):
    """Read a YAML file in which no name stands twice, and which does not grow as it is read"""

def write_csv(table, path) -> Path:
    """Write a table that no spreadsheet runs"""

def read_written(path, **options) -> pd.DataFrame:
    """Read it as it was"""

def write_parquet(table, path):
    ...

def write_tables(table, path) -> Path:
    """Write a CSV for people, and beside it a Parquet file, which is exact, for programs"""

def read_hub(source) -> pd.DataFrame:
    """Read a dataset through the `datasets` package"""

def read_source(source, verbatim=()) -> pd.DataFrame:
    """Read a file or a dataset of a hub; a DataFrame is returned as it is"""

def source_name(source) -> str:
    """The name of a source"""

def near_names(missing, columns) -> dict:
    """Which columns may be meant"""

def need_columns(df, columns, source):
    """Raise `SchemaError` unless all columns are there"""

def row_faults(bad, values, field, rule) -> list:
    """Say which rows break a rule, and what they hold"""

def raise_faults(faults, source):
    ...

def complete(df, source) -> pd.DataFrame:
    """Fill in what follows from the rest of a table of examples"""

def warn_unused(df, source):
    """Warn of columns that look like an identifier or a label and are not used"""

def odd_rows(examples) -> dict:
    """Which rows deserve a look before they are paid for"""

def unreadable_rows(examples) -> list:
    """Say which rows deserve a look before they are paid for"""

def last_changed(path) -> str:
    """When data or a model last changed"""

def read_json(path):
    """Read a JSON file, or say where it breaks"""

def as_rows(data, source) -> list:
    """Rows of a list of objects, or of an object of columns"""

def read_rows(source) -> list:
    """Rows of a file or a hub's dataset"""

def is_number(v):
    ...

def is_text(v):
    ...

def is_id(v):
    ...

def lists_of(test, n=None):
    ...

def check_rows(rows, fields, source, key=()) -> list:
    """One error for all missing fields, broken rules and repeated ids"""

def as_number(v):
    """A number, taken out of a list of one"""

def json_ready(v):
    """Plain values: numbers as numbers, what is no finite number as None, a table as a list of rows"""

def write_file(value, path) -> Path:
    """Write what a run has found: a table, or a summary for machines"""

def files_below(folder, pattern='*.json') -> list:
    """Files of a kind in a folder"""

class TableWarning(UserWarning):
    """A table that may not say what its owner meant"""
