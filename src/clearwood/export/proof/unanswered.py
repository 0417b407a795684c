"""Rows that an export leaves without an answer on purpose: those that a tree divides, where NULL was asked
for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clearwood.export.exported import Exported
from clearwood.export.program.evaluating import evaluated
from clearwood.export.program.program_of import program_of
from clearwood.table.raw import Row

DIVIDED: Final = "divided among leaves, which get no prediction by divided='null'"


def unanswered_rows(exported: Exported, rows: Sequence[Row]) -> frozenset[int]:
    """The places of the rows that are to have no answer."""
    if exported.options.get("divided") != "null":
        return frozenset()
    program = program_of(exported.model)
    regions = (evaluated(program, row).region for row in rows)
    return frozenset(place for place, region in enumerate(regions) if region is not None and region < 0)
