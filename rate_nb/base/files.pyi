# Written by `make export` from the module beside it. Edit the notebook.
"""How do responses from a file, or from a dataset on a hub, become a table, or one sentence about what is wrong and where?"""
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from pathlib import Path
from typing import Any
import pandas as pd
VERBATIM: Any
SEPARATORS: tuple[str, ...]
READERS: dict[str, Any]
TABLES: tuple[Any, ...]
MARKS: tuple[tuple[Any, ...], ...]
MOST_VALUES: int
ALSO_CALLED: dict[str, tuple[str, ...]]
RULES: dict[str, tuple[Any, ...]]

def check_file(path: Path) -> None:
    ...

def read_table(path: str | Path, verbatim: Sequence[str]=(), columns: Sequence[str] | None=None) -> pd.DataFrame:
    """Read a file of rows, or say what is wrong with it"""

def yaml_value(text: str) -> Any:
    """What YAML text says, in which no name stands twice, and which does not grow as it is read"""

def read_yaml(path: str | Path, what: str) -> Any:
    """Read a YAML file, as `yaml_value` does"""

def write_csv(table: pd.DataFrame, path: str | Path) -> Path:
    """Write a table that no spreadsheet runs"""

def read_written(path: str | Path, **options: Any) -> pd.DataFrame:
    """Read it as it was"""

def write_parquet(table: pd.DataFrame, path: str | Path) -> Path:
    ...

def write_tables(table: pd.DataFrame, path: str | Path) -> Path:
    """Write a CSV for people, and beside it a Parquet file, which is exact, for programs"""

def read_hub(source: str) -> pd.DataFrame:
    """Read a dataset through the `datasets` package"""

def read_saved(folder: str | Path) -> pd.DataFrame:
    """Read a dataset that was saved to disk"""

def read_source(source: str | Path | pd.DataFrame, verbatim: Sequence[str]=()) -> pd.DataFrame:
    """Read a file or a dataset; a DataFrame is returned as it is"""

def source_name(source: Any) -> str:
    """The name of a source"""

def near_names(missing: Iterable[str], columns: Iterable[str]) -> dict:
    """Which columns may be meant"""

def prose_columns(df: pd.DataFrame) -> list:
    """Columns that may hold prompts or responses"""

def need_columns(df: pd.DataFrame, columns: Iterable[str], source: Any) -> None:
    """Raise `SchemaError` unless all columns are there"""

def row_faults(bad: Any, values: Any, field: str, rule: str) -> list:
    """Say which rows break a rule, and what they hold"""

def raise_faults(faults: Sequence[str], source: Any) -> None:
    ...

def complete(df: pd.DataFrame, source: Any) -> pd.DataFrame:
    """Fill in what follows from the rest of a table of examples"""

def may_mean(df: pd.DataFrame) -> list[tuple[str, str, str]]:
    """Columns that look like an identifier or a label under another name"""

def warn_unused(df: pd.DataFrame, source: Any) -> None:
    """Warn of columns that look like an identifier or a label and are not used"""

def odd_rows(examples: pd.DataFrame) -> dict:
    """Which rows deserve a look before they are paid for"""

def unreadable_rows(examples: pd.DataFrame) -> list:
    """Say which rows deserve a look before they are paid for"""

def duplicate_rows(examples: pd.DataFrame) -> list:
    """Say which rows another one repeats"""

def last_changed(path: str | Path) -> str:
    """When data or a model last changed"""

def large_input(value: Any) -> bool:
    """What is not read before a run, only to look at it"""

def read_json(path: str | Path) -> Any:
    """Read a JSON file, or say where it breaks"""

def rows_key(data: dict, source: Any) -> str:
    """The key under which an object holds a list of objects, its rows"""

def as_rows(data: Any, source: Any) -> list:
    """Rows of a list of objects, or of an object of columns"""

def read_rows(source: str | Path, verbatim: Sequence[str]=()) -> list:
    """Rows of a file or a hub's dataset"""

def is_number(v: Any) -> bool:
    ...

def is_text(v: Any) -> bool:
    ...

def is_id(v: Any) -> bool:
    ...

def lists_of(test: Callable[[Any], bool], n: int | None=None) -> Callable[[Any], bool]:
    ...

def check_rows(rows: list[dict[str, Any]], fields: dict[str, Any], source: Any, key: Sequence[str]=()) -> list:
    """One error for all missing fields, broken rules and repeated ids"""

def as_number(v: Any) -> float:
    """A number, taken out of a list of one"""

def json_ready(v: Any) -> Any:
    """Plain values: numbers as numbers, what is no finite number as None, a table as a list of rows"""

def write_file(value: Any, path: str | Path) -> Path:
    """Write what a run has found: a table, or a summary for machines"""

def files_below(folder: str | Path, pattern: str='*.json') -> list:
    """Files of a kind in a folder"""

class TableWarning(UserWarning):
    """A table that may not say what its owner meant"""
