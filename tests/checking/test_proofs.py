"""Proofs: what is asserted of all rows agrees with trying every row there could be."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import numpy as np
import pytest

import clearwood as cw
from clearwood.checking.assertions.monotone import ShareDirection
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.predicting import predict, shares
from clearwood.predicting.row import row_predictor
from clearwood.table.raw import Cell
from clearwood.table.table import MISSING, UNSEEN, Table
from tests.checking.random_models import CLASSES, random_model, random_tree

# A number of every interval between the limits of the random models, or none; codes of the values likewise.
_NUMBERS = (-2.0, -1.0, 1.0, 3.0, 4.0, np.nan)
_CODES = (0, 1, 2, MISSING, UNSEEN)


def every_row(model: Model) -> Table:
    cells = list(product(_NUMBERS, _CODES, _CODES, _NUMBERS))
    x, colour, size, y = zip(*cells, strict=True)
    codes = {"colour": np.array(colour, dtype=np.int32), "size": np.array(size, dtype=np.int32)}
    return Table(model.schema, {"x": np.array(x), "y": np.array(y), **codes})


def is_monotone(model: Tree | RuleList, column: str, rising: bool) -> bool:
    """By trying: all rows in order of the column, the others alike."""
    table = every_row(model)
    figure = predict(model, table).astype(float) if model.is_numeric else shares(model, table)[:, 1]
    cells = table.columns[column].astype(float)
    known = ~np.isnan(cells) & (cells >= 0) if column == "size" else ~np.isnan(cells)
    others = [
        np.nan_to_num(table.columns[each], nan=99.0)
        for each in ("x", "y", "colour", "size")
        if each != column
    ]
    order = np.lexsort((cells, *others))
    order = order[known[order]]
    same = np.ones(len(order) - 1, dtype=bool)
    for each in others:
        same &= each[order][1:] == each[order][:-1]
    rise = np.diff(figure[order])[same]
    return bool((rise >= -1e-12).all() if rising else (rise <= 1e-12).all())


@pytest.mark.parametrize("seed", range(60))
def test_monotone_is_proved_or_refuted_as_trying_every_row_says(seed: int) -> None:
    die = np.random.default_rng(seed)
    numeric = seed % 5 == 0
    # Small trees, so that some of them are monotone.
    model = (
        random_tree(die, depth=1 + seed % 3, numeric=numeric)
        if seed % 2
        else random_model(die, numeric=numeric)
    )
    if model.is_numeric and isinstance(model, RuleList):
        return  # where rules say nothing there is no number to compare
    directions: tuple[ShareDirection, ...] = ("rises", "falls")
    for column, direction in product(("x", "size"), directions):
        asserted = cw.MonotoneIn(column=column, share="" if numeric else "b", direction=direction)
        (verdict,) = cw.check(model, asserted).verdicts
        assert verdict.exact
        assert verdict.holds == is_monotone(model, column, direction == "rises"), (column, direction)
        if not verdict.holds:
            low, high = (each.row for each in verdict.rows)
            assert {name for name in low if low[name] != high[name]} == {column}
            predictor = row_predictor(model)
            rows = _all_columns(low), _all_columns(high)
            one, other = (
                float(predictor(row) or 0.0) if numeric else predictor.shares(row)["b"] for row in rows
            )
            assert (other < one) if direction == "rises" else (other > one)


def _all_columns(row: Mapping[str, Cell]) -> dict[str, Cell]:
    return {"x": None, "y": None, "colour": None, "size": None, **row}


@pytest.mark.parametrize("seed", range(60))
def test_regions_are_proved_or_refuted_as_trying_every_row_says(seed: int) -> None:
    die = np.random.default_rng(seed)
    model = random_model(die)
    table = every_row(model)
    inside = (table.columns["x"] <= 2) & (table.columns["colour"] == 0)
    answers, share = predict(model, table)[inside], shares(model, table)[inside, 1]
    when = "x ≤ 2 AND colour = red"
    for name in CLASSES:
        never, always = cw.check(
            model, [cw.RegionGets(when=when, never=name), cw.RegionGets(when=when, answer=name)]
        ).verdicts
        assert never.exact
        assert never.holds == (name not in answers)
        assert always.holds == all(each == name for each in answers)
        for verdict in (never, always):
            if not verdict.holds:
                got = row_predictor(model)(_all_columns(verdict.rows[0].row))
                assert (got == name) == (verdict is never)
    for bound in (0.2, 0.5, 0.8):
        asserted = [
            cw.RegionGets(when=when, share="b", at_most=bound),
            cw.RegionGets(when=when, share="b", at_least=bound),
        ]
        most, least = cw.check(model, asserted).verdicts
        assert most.holds == bool((share <= bound + 1e-12).all())
        assert least.holds == bool((share >= bound - 1e-12).all())
        known = ~np.isnan(table.columns["y"][inside]) & (table.columns["size"][inside] >= 0)
        only = cw.RegionGets(when=when, share="b", at_most=bound, rows="known")
        assert cw.check(model, only).passed == bool((share[known] <= bound + 1e-12).all())
