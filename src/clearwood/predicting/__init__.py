"""Rows to regions to class shares."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clearwood.predicting.batch import leaf_of, predict, predict_codes, shares
    from clearwood.predicting.intervals import intervals
    from clearwood.predicting.through import count_through

__all__ = [
    "count_through",
    "intervals",
    "leaf_of",
    "predict",
    "predict_codes",
    "shares",
]

_HOMES = {"count_through": "through", "intervals": "intervals"}


def __getattr__(name: str) -> Any:
    """Intervals, and counts at every node, load when first asked for: most who predict need neither."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'batch')}"), name)
