"""Shadow columns: a column is kept if it is worth more than shuffled copies could be by chance.

As in Boruta (Kursa and Rudnicki 2010): in each round every column gets a shadow, a copy whose cells are
shuffled among the rows. A forest learns from both, and what each column is worth is seen on held-out rows. A
column that beats the best of all shadows in more rounds than a coin would is worth something.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Final

import numpy as np

from clearwood.arrays import Floats
from clearwood.bounds import Whole, Within
from clearwood.counting.chance import chance_key
from clearwood.explaining.dependence import answer_matrix
from clearwood.learners.ensembles.forest import Forest
from clearwood.measures.inference import holm
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.space.space_of import columns_used
from clearwood.registry import checked
from clearwood.selecting.ranking import ColumnOrder, ColumnScore, Selector
from clearwood.selecting.selection import only_columns
from clearwood.table.attributes import Attribute, Text
from clearwood.table.folding import hold_out, in_order_of_content, shuffled
from clearwood.table.table import Table

_HELD_OUT: Final = 1 / 3


@checked
def order_by_shadows(
    rows: Table,
    _: int | None = None,
    *,
    rounds: Annotated[int, Whole(1, 1000), "How often shadows are made and tried."] = 20,
    trees: Annotated[int, Whole(1, 10_000), "Trees that are learned in each round."] = 50,
    alpha: Annotated[float, Within(0, 1), "The largest p of a column that is kept, adjusted by Holm."] = 0.05,
    most_rows: Annotated[int, Whole(10), "Rows of a round, drawn by seed where there are more."] = 5000,
    seed: Annotated[int, Whole(0), "The seed of the shuffles, the held-out rows and the trees."] = 0,
) -> ColumnOrder:
    """The part of the rounds in which the column beats the best shadow, and how likely a coin does as well.

    A third of a round's rows is held out. What a column is worth is the rise of the squared error there (of
    the shares of classes, or of the number) when its cells are shuffled.
    """
    rows = in_order_of_content(rows)
    attributes = [each for each in rows.schema.inputs if not isinstance(each, Text)]
    if len(rows) < 3:
        return ColumnOrder(tuple(ColumnScore(each.name, 0.0) for each in attributes))
    worth = np.stack(
        [_round(rows, attributes, trees, most_rows, chance_key(seed, number)) for number in range(rounds)]
    )
    own, shadow = worth[:, : len(attributes)], worth[:, len(attributes) :]
    wins = (own > np.maximum(shadow.max(axis=1, keepdims=True), 0.0)).sum(axis=0)
    adjusted = holm([_at_least(int(each), rounds) for each in wins])
    mean = own.mean(axis=0)
    scored = [
        ColumnScore(
            attribute.name,
            float(wins[place]) / rounds,
            {"worth": float(mean[place]), "adjusted p": float(adjusted[place])},
            bool(adjusted[place] <= alpha),
        )
        for place, attribute in enumerate(attributes)
    ]
    notes: tuple[str, ...] = ()
    if _at_least(rounds, rounds) * len(attributes) > alpha:
        notes = (
            f"So few rounds ({rounds}) may keep no column of {len(attributes)}, however good. Ask for more.",
        )
    ordered = sorted(scored, key=lambda each: (-each.score, -each.figures["worth"]))
    return ColumnOrder(tuple(ordered), notes)


def _round(rows: Table, attributes: Sequence[Attribute], trees: int, most_rows: int, key: int) -> Floats:
    """[column, then shadow] what each is worth on held-out rows."""
    if len(rows) > most_rows:
        rows = rows.take(np.sort(shuffled(len(rows), chance_key(key, 0))[:most_rows]))
    both, names = _with_shadows(rows, attributes, key)
    learned, held = hold_out(both, _HELD_OUT, chance_key(key, 1))
    forest = Forest(trees=trees, seed=chance_key(key, 2) % 2**31).learn(both.take(learned))
    judged = both.take(held)
    before = _loss(forest, judged)
    used = columns_used(forest)
    worth = np.zeros(len(names))
    for place, name in enumerate(names):
        if name in used:
            order = shuffled(len(judged), chance_key(key, 3, place))
            mixed = {**judged.columns, name: judged.columns[name][order]}
            worth[place] = _loss(forest, replace(judged, columns=mixed, checked=True)) - before
    return worth


def _with_shadows(rows: Table, attributes: Sequence[Attribute], key: int) -> tuple[Table, list[str]]:
    """The table with a shuffled copy of every column, and the names of columns and copies."""
    taken = {*rows.columns, *rows.schema.positions}
    bare = only_columns(rows, [each.name for each in attributes])
    mark = "shadow of "
    while any(f"{mark}{each.name}" in taken for each in attributes):
        mark += "shadow of "
    shadows = [replace(each, name=f"{mark}{each.name}") for each in attributes]
    cells = {
        shadow.name: rows.columns[each.name][shuffled(len(rows), chance_key(key, 4, place))]
        for place, (each, shadow) in enumerate(zip(attributes, shadows, strict=True))
    }
    schema = replace(rows.schema, attributes=(*attributes, *shadows))
    columns = {each.name: rows.columns[each.name] for each in attributes}
    target = {rows.schema.predicted.name: rows.target}
    made = replace(bare, schema=schema, columns={**columns, **cells, **target}, checked=True)
    return made, [each.name for each in (*attributes, *shadows)]


def _loss(forest: Ensemble, rows: Table) -> float:
    """The mean squared error of the shares, or of the number."""
    given = answer_matrix(forest, rows)
    if forest.is_numeric:
        lost = (given[:, 0] - rows.target) ** 2
    else:
        given = given.copy()
        given[np.arange(len(rows)), rows.target] -= 1.0
        lost = (given**2).sum(axis=1)
    return float(np.average(lost, weights=rows.weights))


def _at_least(wins: int, rounds: int) -> float:
    """How likely a fair coin wins as often.

    >>> _at_least(9, 10)
    0.0107421875
    """
    return float(sum(math.comb(rounds, each) for each in range(wins, rounds + 1)) / 2.0**rounds)


SELECTOR: Final = Selector(
    order_by_shadows,
    "Columns worth more to a forest than the best of all shuffled copies (Boruta).",
    "rounds won",
    chooses=True,
)
