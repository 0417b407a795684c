"""The derivation of an ensemble: its learner's own steps, where it has some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clearwood.catalogue import entry_of
from clearwood.errors import SettingError
from clearwood.models.ensemble import Ensemble
from clearwood.registry import named
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation


def derive_ensemble(model: Ensemble, table: Table | None) -> Derivation:
    """The steps by which its learner made it, from the table it was learned from."""
    entry = entry_of(model.origin.learner)
    if entry is None or not entry.steps:
        raise SettingError(
            f"The steps of {model.origin.learner} are not derived. Derive how a member answers a row: "
            "derive(model.members[0], row=row)."
        )
    derivation: Derivation = named(entry.steps)(model, table)
    return derivation


def derive_ensemble_answer(model: Ensemble, row: Mapping[str, Any]) -> Derivation:
    """How the members' answers to one row become one."""
    raise SettingError(
        f"How {model.size:,} members come to one answer is not derived. What they answer: "
        f"explain(model, {dict(row)!r}); how one of them does: derive(model.members[0], row=row)."
    )
