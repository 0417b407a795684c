"""Where a learned model came from: its learner with every setting, and a fingerprint of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from clearwood import __version__
from clearwood.models.origin import Origin
from clearwood.models.plain import Plain
from clearwood.table.table import Table


def origin_of(learner: Any, table: Table) -> Origin:
    """Who learned from what: the settings as plain values, and a fingerprint of the data."""
    from clearwood.learners.fingerprint import fingerprint

    settings = {each.name: _plain(getattr(learner, each.name)) for each in fields(learner)}
    return Origin(type(learner).__name__, settings, __version__, fingerprint(table), len(table))


def _plain(value: Any) -> Plain:
    """Settings as JSON has them; costs, whose keys are pairs, become a table of tables."""
    if isinstance(value, Mapping):
        if any(isinstance(key, tuple) for key in value):
            nested: dict[str, dict[str, Plain]] = {}
            for (true, called), cost in value.items():
                nested.setdefault(str(true), {})[str(called)] = _plain(cost)
            return nested
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_plain(each) for each in value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)
