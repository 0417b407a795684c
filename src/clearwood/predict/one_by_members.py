"""One row through the members of an ensemble: trees in one native call where no cell is unusual."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from clearwood.arrays import Floats
from clearwood.models.ensemble import Ensemble
from clearwood.predict.of_ensemble import compiled_trees
from clearwood.table.attributes import Nominal, Numeric, Ordinal

MemberCells: TypeAlias = Sequence[str | float | None]
MemberScores: TypeAlias = Callable[
    [MemberCells], Floats | None
]  # [1, score]; None: the row needs the general way


def scores_of_one(ensemble: Ensemble) -> MemberScores | None:
    """How the scores of a row's cells, in the order of the schema's inputs, are found; None: by a table."""
    if ensemble.trees is None:
        return None
    compiled = compiled_trees(ensemble)
    places = {attribute.name: place for place, attribute in enumerate(ensemble.schema.inputs)}
    readers: list[tuple[int, Mapping[str, int] | None]] = []
    asked = set(compiled.tested)
    for position, attribute in enumerate(ensemble.schema.attributes):
        if position not in asked:
            readers.append((-1, None))
        elif isinstance(attribute, Nominal | Ordinal):
            readers.append((places[attribute.name], ensemble.schema.codes(attribute.name)))
        else:
            assert isinstance(attribute, Numeric)
            readers.append((places[attribute.name], None))

    def scores(cells: MemberCells) -> Floats | None:
        try:
            given = [
                0.0 if place < 0 else cells[place] if codes is None else codes[cells[place]]  # type: ignore[index]
                for place, codes in readers
            ]
            sums = compiled.sums_of_one(given)  # type: ignore[arg-type]
        except (KeyError, TypeError):
            return None  # an empty cell, or a value never met
        return None if sums is None else compiled.finished(np.array([sums]))

    return scores
