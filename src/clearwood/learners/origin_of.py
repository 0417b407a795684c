"""Where a learned model came from: its learner with every setting, and a fingerprint of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from clearwood import __version__
from clearwood.models.origin import Origin
from clearwood.models.plain import LearnerAsData, Plain
from clearwood.table.table import Table


def origin_of(learner: Any, table: Table) -> Origin:
    """Who learned from what: the settings as plain values, and a fingerprint of the data."""
    from clearwood.learners.fingerprint import fingerprint

    made = made_of(learner)
    return Origin(
        made.learner,
        made.settings,
        __version__,
        fingerprint(table),
        len(table),
        weights_are=table.weights_are,
    )


def made_of(learner: Any) -> LearnerAsData:
    """A learner as data."""
    settings = {each.name: _plain(getattr(learner, each.name)) for each in fields(learner)}
    return LearnerAsData(type(learner).__name__, settings)


def _plain(value: Any) -> Plain:
    """Settings as plain values: costs, whose keys are pairs, become a table of tables."""
    if isinstance(value, Mapping):
        if any(isinstance(key, tuple) for key in value):
            nested: dict[str, dict[str, Plain]] = {}
            for (true, called), cost in value.items():
                nested.setdefault(str(true), {})[str(called)] = _plain(cost)
            return nested
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_plain(each) for each in value)
    if is_dataclass(value) and callable(getattr(value, "learn", None)):
        return made_of(value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)
