"""Any table to coded columns, and what each column is."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.table.encoding import encode, learn_table
    from clearwood.table.reading import read_table

__all__ = ["encode", "learn_table", "read_table"]

_HOMES = {"encode": "encoding", "read_table": "reading", "learn_table": "encoding"}


def __getattr__(name: str) -> Any:
    """The readers load when first asked for, so that a model alone needs none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
