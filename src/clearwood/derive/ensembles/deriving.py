"""The derivation of an ensemble: by its learner's own steps, where it has some."""

from __future__ import annotations

from clearwood.catalogue import entry_of
from clearwood.derive.same_table import counted_rows
from clearwood.errors import SettingError
from clearwood.models.ensemble import Ensemble
from clearwood.models.lineage import LearnedMore
from clearwood.registry import imported
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation


def derive_ensemble(model: Ensemble, table: Table | None) -> Derivation:
    """The steps by which its learner made it, from the table it was learned from."""
    entry = entry_of(model.origin.learner)
    if entry is None or not entry.steps:
        raise SettingError(
            f"The steps of {model.origin.learner} are not derived. Derive how the members predict a row: "
            "derive(model, row=row)."
        )
    if any(isinstance(done, LearnedMore) for done in model.origin.after):
        raise SettingError(
            "This ensemble learned more later, and steps are derived from one learning. Derive how its "
            "members predict a row: derive(model, row=row)."
        )
    derivation: Derivation = imported(entry.steps)(model, counted_rows(model, table))
    return derivation
