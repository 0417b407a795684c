"""An answer by rules: which rule holds, and the share of each class among the rows behind it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from clearwood.deriving.decided import PREDICTING, answered_steps
from clearwood.deriving.deriving import row_words
from clearwood.deriving.trees.leaves import interval_figures, mean_interval_figures, squared_error_figure
from clearwood.errors import ColumnError, no_such
from clearwood.formulas.conditions import holds, written
from clearwood.formulas.expressions import Sum, Symbol, ValueOf
from clearwood.models.kinds.rules.rule_list import Rule, RuleList, behind_answers
from clearwood.models.model import holds_medians
from clearwood.predicting.batch import predict, shares
from clearwood.predicting.columns import table_of_row
from clearwood.predicting.one import rules_that_hold
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.table import Table
from clearwood.working.derivation import Answered, Derivation, Step
from clearwood.working.figures import Figure, Grid, GridCell, Rows, in_decimals, named, plain


def derive_rules_answer(rules: RuleList, row: Mapping[str, Any]) -> Derivation:
    """Which rules hold for a row, what they rest on, and the answer.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("objects"), target="Decision")
    >>> answer = derive_rules_answer(cw.ILA(class_order=("Yes",)).learn(table), {"Color": "Green"})
    >>> answer[0].decision, answer.figure("P(Yes | the rule)").exact
    ('Rule 1 is the first that holds.', Fraction(1, 1))
    """
    columns = tuple(each.name for each in rules.schema.inputs)
    for name in row:
        if name not in rules.schema.positions and name != getattr(rules.schema.target, "name", None):
            raise ColumnError(no_such("column", str(name), columns))
    table = table_of_row(rules, row)
    cells = _cells(rules, table)
    held = rules_that_hold(rules, cells)
    predicted = predict(rules, table)[0]
    answer = None if predicted is None else float(predicted) if rules.is_numeric else str(predicted)
    steps = [_which(rules, cells, held)]
    if rules.is_numeric:
        steps.append(_number_step(rules, held, answer))
    elif answer is None:
        steps.append(_unanswered(held))
    else:
        steps += _shares_steps(rules, held, str(answer), shares(rules, table)[0].tolist())
    return Derivation(f"{row_words(row)}: which rule decides?", steps)


def _cells(rules: RuleList, table: Table) -> dict[str, str | float | None]:
    """The row as conditions test it: a value that the schema does not list satisfies none of them."""
    cells: dict[str, str | float | None] = {}
    for name, column in table.columns.items():
        attribute, cell = rules.schema[name] if name in rules.schema.positions else None, column[0]
        if isinstance(attribute, Nominal | Ordinal):
            cells[name] = None if cell == -1 else attribute.values[cell] if cell >= 0 else _UNSEEN
        elif attribute is not None:
            cells[name] = None if cell is None or cell != cell else float(cell)
    return cells


_UNSEEN: Final = "\0unseen"


def _which(rules: RuleList, cells: Mapping[str, str | float | None], held: list[int]) -> Step:
    first = rules.matching == "first"
    tried = range((held[0] + 1 if held else len(rules)) if first else len(rules))
    grid = Grid(
        "Rules in order",
        ("number", "rule", "does not hold because of"),
        [(place + 1, str(rules.rules[place]), _failing(rules.rules[place], cells)) for place in tried],
        chosen=held[0] if held and first else None,
    )
    if not held:
        decision = "No rule holds."
    elif first:
        decision = f"Rule {held[0] + 1} is the first that holds."
    else:
        numbers, several = ", ".join(str(place + 1) for place in held), len(held) > 1
        decision = f"Rules {numbers} hold, and vote." if several else f"Rule {numbers} holds, and votes."
    return Step(PREDICTING, "Which rule holds?", (Figure("rules", None, grids=(grid,)),), decision)


def _failing(rule: Rule, cells: Mapping[str, str | float | None]) -> GridCell:
    return next((str(each) for each in rule.when if not holds(each, cells.get(each.name))), None)


def _number_step(rules: RuleList, held: list[int], answer: str | float | None) -> Step:
    source = rules.rules[held[0]] if held else rules.otherwise
    if answer is None or math.isnan(float(answer)):
        return _unanswered(held)
    weight, value, error = source.counts or (0.0, float(answer), 0.0)
    when = source.when if isinstance(source, Rule) else ()
    figure = Figure("prediction", float(answer), rows=Rows(weight, when))
    sure: tuple[Figure, ...] = ()
    if weight and not holds_medians(rules):
        mean, spread = Figure("mean", value, rows=figure.rows), squared_error_figure(error, weight)
        sure = mean, spread, *mean_interval_figures(mean, spread, plain(weight))
    decision = f"The prediction is {answer:g}."
    return Step(PREDICTING, "The prediction", (figure, *sure), decision, Answered(answer))


def _unanswered(held: list[int]) -> Step:
    decision = (
        f"Rule {held[0] + 1} refers the row: it is left without a prediction."
        if held
        else "No rule holds: the row is left without a prediction."
    )
    return Step(PREDICTING, "The prediction", (), decision, Answered(None))


def _shares_steps(
    rules: RuleList, held: list[int], answer: str, probabilities: Sequence[float]
) -> list[Step]:
    classes = rules.schema.classes
    voting = held[:1] if rules.matching == "first" else held
    places = voting or [len(rules)]
    counts_behind = behind_answers(rules)
    factors = rules.decision.factors or (1.0,) * len(classes)
    by_class = [[float(counts_behind[place][c]) for place in places] for c in range(len(classes))]
    counted = [
        Figure(f"rows of {written(name)}", math.fsum(own), put_in=Sum(tuple(map(plain, own))))
        for name, own in zip(classes, by_class, strict=True)
    ]
    weighed = [_weighed(each, factor) for each, factor in zip(counted, factors, strict=True)]
    whole = Sum(tuple(_raw(each) for each in weighed))
    behind = "the rule" if rules.matching == "first" or len(places) == 1 else "the votes"
    figures = [
        Figure(f"P({written(of)} | {behind})", share, _SHARE, _raw(each) / whole, under=(each,), share_of=of)
        for of, share, each in zip(classes, probabilities, weighed, strict=True)
    ]
    source = rules.entries[places[0]]
    if rules.matching == "first" and not rules.decision.factors and any(source.counts):
        figures += interval_figures(
            counted[classes.index(answer)].number, math.fsum(each.number for each in counted)
        )
    because = "" if any(source.counts) else " It met no rows: one of its class stands for them."
    decision = (
        f"The prediction is {answer}, with probability {probabilities[classes.index(answer)]:.4g}.{because}"
    )
    title = "Whose rows stand behind it?" if len(places) == 1 else "What do the votes add up to?"
    if rules.matching == "first":  # whatever mistakes cost, the rule has decided
        return [Step(PREDICTING, title, tuple(figures), decision, Answered(answer))]
    said = {"decided": decision, "before_costs": decision}
    return answered_steps(rules, title, figures, probabilities, answer, **said)


_SHARE: Final = Symbol("n", "c", "the number of covered rows of class c") / Symbol(
    "n", means="the number of covered rows"
)


def _weighed(rows: Figure, factor: float) -> Figure:
    """The rows of a class by the factor that priors give it, if it has one."""
    if factor == 1:
        return rows
    because = "Times the factor that the priors give the class."
    name, put_in = f"{rows.name}, weighed", plain(factor) * _raw(rows)
    return Figure(name, rows.number * factor, put_in=put_in, because=because, under=(rows,))


def _raw(figure: Figure) -> ValueOf:
    return in_decimals(figure) if figure.exact is None else named(figure)
