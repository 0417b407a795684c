"""Rules tried in turn: how sure each is on its own rows, and what a list of them gets wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from clearwood.arrays import Bools, Floats, Ints
from clearwood.derive.trees.leaves import interval_figures
from clearwood.formulas.expressions import Sum
from clearwood.learners.rules.beam_search import covered_by
from clearwood.learners.rules.simplifying.training_rows import rows_and_truth
from clearwood.models.rule_list import Answer, Rule, RuleList
from clearwood.predict.columns import table_for
from clearwood.table.table import Table
from clearwood.working.figures import Figure, Grid, GridCell, Rows, plain


class RulesInOrder:
    """Shortened rules [rule] of a list, and the rows, counted again on demand."""

    def __init__(self, given: RuleList, rules: Sequence[Rule], table: Table) -> None:
        self.given = given
        self.rules = tuple(rules)
        self.table = table

    def sureness(self, order: Sequence[int]) -> Figure:
        """Each rule in this order (numbers from 1): its rows, those it is right about, Wilson's lower end."""
        counts = [self._right(number - 1) for number in order]
        lines: list[tuple[GridCell, ...]] = [
            (number, str(self.rules[number - 1]), rows, right, interval_figures(right, rows)[0].value)
            if rows > 0
            else (number, str(self.rules[number - 1]), rows, right, None)
            for number, (rows, right) in zip(order, counts, strict=True)
        ]

        def figure_of(place: int) -> Figure:
            rows, right = counts[place]
            name = f"interval from, rule {order[place]}"
            if rows > 0:
                return replace(interval_figures(right, rows)[0], name=name)
            return Figure(name, None, is_interval=True)

        columns = ("number", "rule", "rows", "right", "interval from")
        grid = Grid("The surest first", columns, lines, figure_of=figure_of)
        because = "Ordered by the lower end of the interval of its accuracy, on all rows it covers."
        return Figure("how sure each rule is", None, because=because, grids=(grid,))

    def errors(self, name: str, order: Sequence[int], otherwise: Answer | None) -> Figure:
        """The training errors of the rules tried in this order, rule by rule, and of the default."""
        rules = [number - 1 for number in order]
        taken = self._taken(rules)
        paid = self._paid(self._predicted(taken, rules, otherwise))
        parts = [float(paid[taken == place].sum()) for place in (*range(len(rules)), -1)]
        names = [*(str(self.rules[rule]) for rule in rules), f"OTHERWISE {otherwise or 'nothing'}"]
        lines: list[tuple[GridCell, ...]] = [
            (what, float(self._weights[taken == place].sum()), part)
            for what, place, part in zip(names, (*range(len(rules)), -1), parts, strict=True)
        ]
        return Figure(
            name,
            float(sum(parts)),
            put_in=Sum(tuple(map(plain, parts))),
            rows=Rows(float(self._weights.sum())),
            grids=(Grid("Errors", ("rule", "rows it predicts", "errors"), lines),),
        )

    @cached_property
    def _rows(self) -> Table:
        return rows_and_truth(self.given, table_for(self.given, self.table, with_target=True))[0]

    @cached_property
    def _costs(self) -> Floats:
        return rows_and_truth(self.given, self._rows)[1].costs

    @cached_property
    def _weights(self) -> Floats:
        return np.ones(len(self._rows)) if self._rows.weights is None else self._rows.weights

    @cached_property
    def _cover(self) -> list[Bools]:
        covers = []
        for rule in self.rules:
            cover = np.zeros(len(self._rows), dtype=np.bool_)
            cover[covered_by(self._rows, rule.when)] = True
            covers.append(cover)
        return covers

    def _code(self, then: object) -> int:
        return -1 if then is None else self.given.schema.classes.index(str(then))

    def _right(self, rule: int) -> tuple[float, float]:
        cover = self._cover[rule]
        right = cover & (self._rows.target == self._code(self.rules[rule].then))
        return float(self._weights[cover].sum()), float(self._weights[right].sum())

    def _taken(self, rules: Sequence[int]) -> Ints:
        """[row] the place of the first of these rules that holds; −1 where none does."""
        taken = np.full(len(self._rows), -1, dtype=np.int32)
        for place in reversed(range(len(rules))):
            taken[self._cover[rules[place]]] = place
        return taken

    def _predicted(self, taken: Ints, rules: Sequence[int], otherwise: Answer | None) -> Ints:
        """[row] the predicted class; −1 for none."""
        codes = [self._code(self.rules[rule].then) for rule in rules]
        return np.array([*codes, self._code(otherwise)], dtype=np.int32)[taken]

    def _paid(self, predicted: Ints) -> Floats:
        paid: Floats = self._weights * self._costs[self._rows.target, predicted]
        return paid
