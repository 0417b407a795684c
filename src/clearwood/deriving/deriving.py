"""Derive: how a model, a place in it, or one answer of it came about, counted again from its table."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, assert_never

from clearwood.catalogue import entry_of
from clearwood.errors import Advice, ColumnError, LearningError, SettingError, no_such
from clearwood.explaining.reference import Reference
from clearwood.formulas.conditions import written
from clearwood.learners.training import fingerprint
from clearwood.measures.bayes_rule import BayesRule
from clearwood.measures.inference import normal_quantile
from clearwood.models.decision import Decision
from clearwood.models.in_words import weights_in_full, with_weights
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.lineage import AsWeights, Balanced, Imported, LearnerAsData
from clearwood.models.model import Model, balanced_words, check_kind, with_article
from clearwood.predicting.batch import why_no_intervals
from clearwood.registry import imported, settings_of
from clearwood.table.attributes import Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.table import Table, set_aside
from clearwood.words.numbers import number
from clearwood.working.derivation import Derivation, ForIntervals
from clearwood.working.figures import GIVEN, Grid, GridCell

if TYPE_CHECKING:
    from clearwood.formulas.conditions import Condition

# A node's number, the branches on the way to it (from 0), or the conditions: "Outlook = Sunny".
At: TypeAlias = "int | tuple[int, ...] | str | Condition | tuple[Condition, ...]"


def derive(
    model: Model | BayesRule,
    table: Table | None = None,
    *,
    at: At | None = None,
    row: Mapping[str, Any] | None = None,
    nodes: Collection[int] | None = None,
    against: Reference = None,
) -> Derivation:
    """Every step by which a learner made a model from a table; with `at` those of one place in a tree, with
    `row` (cells by column) those of one prediction, for which no table is needed. Of a tree that nothing
    pruned only the splits down to that place are made anew, and compared with the model's.

    Pruning may take away most of what was grown: with `nodes`, only the steps that ended at these nodes of
    the tree are given; with range(tree.size), those of all nodes that are left.

    `against` is that of `evidence`: what the cells of `row` are compared with in a linear model, the average
    row unless given.

    Bayes tables hold the counts that their figures come from, and weights their fit: there too the table may
    be left out. What `bayes_rule` worked out is derived too.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> steps = cw.derive(cw.ID3().learn(table), table)
    >>> steps[0].decision
    'Outlook has the largest gain, 0.247: split on it.'
    >>> round(steps.figure("Gain(Humidity)").value, 3)
    0.152
    >>> answer = cw.derive(cw.NaiveBayes().learn(table), row={"Outlook": "Sunny", "Wind": "Weak"})
    >>> answer.figure("P(Outlook = Sunny | Yes)").exact
    Fraction(1, 4)
    """
    if isinstance(model, BayesRule):
        from clearwood.deriving.bayes.tables import derive_bayes_rule

        return derive_bayes_rule(model)
    check_kind("derive", model)
    if at is not None and not isinstance(model, Tree):
        raise SettingError(
            f"Only a tree has places to derive `at`; this is {with_article(type(model).__name__)}."
        )
    if at is not None and row is not None:
        raise SettingError("Give `at`, for a place in a tree, or `row`, for one prediction: not both.")
    if row is not None and not isinstance(row, Mapping):
        raise SettingError(f"`row` must give a cell by column, as in {{'Outlook': 'Sunny'}}, not {row!r}.")
    if against is not None:
        _check_against(model, row)
    if row is None and isinstance(model, Tree | RuleList):
        _check_learned_here(model)
    if row is None or model.decision.is_plain or model.is_numeric:
        derived = _derived(model, table, at, row, nodes, against)
    else:
        from clearwood.deriving.decided import with_decision

        by_shares = replace(model, decision=Decision(factors=model.decision.factors))
        derived = with_decision(model, row, _derived(by_shares, table, at, row, nodes, against))
    return replace(
        derived,
        title=derived.title + with_weights(model.origin),
        given=given_of(model),
        table=None if table is None else printed_table(table),
    )


def _check_against(model: Model, row: Mapping[str, Any] | None) -> None:
    if not isinstance(model, LinearModel):
        raise SettingError(
            "against is for linear models, whose intercept depends on the coding of the columns. Leave it "
            "out."
        )
    if row is None:
        raise SettingError("against is what the cells of a `row` are compared with, but no row is given.")


def _check_learned_here(model: Tree | RuleList) -> None:
    if any(isinstance(done, Imported) for done in model.origin.after):
        raise SettingError(
            f"This model was made by '{model.origin.learner}', which cannot be run again, so "
            "that its steps are not derived. Derive how it predicts a row: derive(model, row=row)."
        )


def _derived(
    model: Model,
    table: Table | None,
    at: At | None,
    row: Mapping[str, Any] | None,
    nodes: Collection[int] | None,
    against: Reference,
) -> Derivation:
    match model:
        case BayesTables():
            from clearwood.deriving.bayes.answer import derive_bayes_answer
            from clearwood.deriving.bayes.tables import derive_bayes_tables

            return derive_bayes_tables(model) if row is None else derive_bayes_answer(model, row)
        case LinearModel():
            from clearwood.deriving.linear.answer import derive_linear_answer
            from clearwood.deriving.linear.weights import derive_weights

            if row is not None:
                return derive_linear_answer(model, row, against)
            return derive_weights(model, None if table is None else counted_rows(model, table))
        case Tree():
            from clearwood.deriving.trees.answer import derive_tree_answer
            from clearwood.deriving.trees.deriving import derive_tree

            return derive_tree(model, table, at, nodes) if row is None else derive_tree_answer(model, row)
        case RuleList():
            from clearwood.deriving.rules.answer import derive_rules_answer
            from clearwood.deriving.rules.deriving import derive_rules

            return derive_rules(model, table) if row is None else derive_rules_answer(model, row)
        case Ensemble():
            from clearwood.deriving.ensembles.answer import derive_ensemble_answer
            from clearwood.deriving.ensembles.shared import derive_ensemble

            return derive_ensemble(model, table) if row is None else derive_ensemble_answer(model, row)
        case AdditiveModel():
            from clearwood.deriving.additive.answer import derive_additive_answer
            from clearwood.deriving.additive.curve import derive_curves

            return derive_curves(model, table) if row is None else derive_additive_answer(model, row)
        case _:
            assert_never(model)


# The training rows as a grid, so that a worksheet can be solved with nothing beside it.


MOST_PRINTED: Final = 100  # rows; nobody counts more by hand


def printed_table(table: Table) -> Grid | None:
    """Every row by its number, the inputs before the target; None where there are too many rows.

    >>> import clearwood as cw
    >>> grid = printed_table(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> grid.columns[:3], grid.rows[0]
    (('row', 'Outlook', 'Temperature'), (1, 'Sunny', 'Hot', 'High', 'Weak', 'No'))
    """
    if len(table) > MOST_PRINTED:
        return None
    target = table.schema.target
    shown = [each for each in table.schema.attributes if not isinstance(each, Ignored) and each != target]
    shown += [] if target is None else [target]
    columns = [[_cell(each, cell) for cell in table.columns[each.name].tolist()] for each in shown]
    names = tuple(each.name for each in shown)
    if table.weights is not None:
        names, columns = (*names, "weight of the row"), [*columns, table.weights.tolist()]
    rows = [(place, *cells) for place, cells in enumerate(zip(*columns, strict=True), 1)]
    heads = ("row", *names)
    return Grid("", heads, rows, on_sheet=(GIVEN,) * len(heads))


def _cell(attribute: object, cell: object) -> GridCell:
    if isinstance(attribute, Nominal | Ordinal):
        assert isinstance(cell, int)
        return attribute.values[cell] if cell >= 0 else None
    if isinstance(cell, float):
        return None if math.isnan(cell) else cell
    return None if cell is None else str(cell)


# A row in words: the title of what is derived for it.


def row_words(row: Mapping[str, Any]) -> str:
    """The cells that were given.

    >>> row_words({"Outlook": "Sunny", "Humidity": 70.0, "Wind": None})
    'Outlook = Sunny, Humidity = 70, Wind missing'
    """
    return ", ".join(f"{written(name)}{_cell_in_words(cell)}" for name, cell in row.items())


def _cell_in_words(cell: Any) -> str:
    if cell is None:
        return " missing"
    return f" = {number(cell) if isinstance(cell, float) else written(str(cell))}"


# Is this the table that a model was learned from?


def check_same_table(model: Model, table: Table | None) -> Table:
    """The table, if it is the one; a sentence otherwise."""
    if table is None:
        raise SettingError(
            "A model is derived by counting its rows again: give the table it was learned from."
        )
    if not isinstance(table, Table):
        raise SettingError(
            f"A derivation counts a Table, not {type(table).__name__}. Make one: clearwood.read_table(…)."
        )
    for attribute in (*model.schema.inputs, *([model.schema.target] if model.schema.target else [])):
        if attribute.name not in table.columns:
            raise ColumnError(
                f"The table lacks a column of the model. {no_such('column', attribute.name, table.columns)}"
            )
    hidden = [each.name for each in model.schema.attributes if isinstance(each, Ignored)]
    table = set_aside(table, [name for name in hidden if name in table.columns], "it was not learned from")
    origin = model.origin
    if origin.rows and origin.rows != len(table):
        raise LearningError(
            f"This model was learned from other rows: {origin.rows:,} of them, and here are {len(table):,}. "
            "Give the table it was learned from."
        )
    if origin.weights_are and table.weights_are and origin.weights_are != table.weights_are:
        raise LearningError(
            f"This model was learned with weights that are {origin.weights_are}, and here they are "
            f"{table.weights_are}. Read the table with ",
            Advice("weights_are", origin.weights_are),
            ".",
        )
    if origin.fingerprint and origin.fingerprint != fingerprint(table):
        raise LearningError(
            "This model was learned from other rows: cells, weights or the schema differ. Give the table it "
            "was learned from, read with schema=model.schema."
        )
    return table


def counted_rows(model: Model, table: Table | None) -> Table:
    """The rows that the model counted: those of the table it was learned from, balanced again where its
    lineage says that they were."""
    rows = check_same_table(model, table)
    for done in model.origin.after:
        if isinstance(done, Balanced):
            rows = imported("clearwood.balancing.balance_rows:again")(rows, done)
    return rows


# What a worksheet must give: the learner's settings in the letters of the formulas, and z of an interval.


_CONFIDENCE: Final = 0.95


def given_of(model: Model) -> tuple[str, ...]:
    """Each setting that a formula or a decision of the derivation uses (its declaration has a letter for it).

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> given_of(cw.C45(min_rows=3).learn(table))[:2]
    ('CF = 0.25', 'min_rows = 3')
    """
    entry = entry_of(model.origin.learner)
    known = {} if entry is None else settings_of(entry.load())
    idle = _idle(model)
    lines: list[str] = []
    for name, setting in known.items():
        if not setting.letter or name in idle:
            continue
        value = model.origin.settings.get(name)
        match value:
            case bool() | None | LearnerAsData() | tuple() | Mapping():
                continue  # no number or word that a formula could use
            case int() | float():
                lines.append(f"{setting.letter} = {number(value)}")
            case str():
                lines.append(f"{setting.letter} = {value}")
            case _:
                assert_never(value)
    if model.origin.weights_are is not None:
        lines.append(weights_in_full(model.origin.weights_are))
    lines += balanced_words(model)
    if why_no_intervals(model) is None:
        z = float(normal_quantile(0.5 + _CONFIDENCE / 2))
        lines.append(ForIntervals(f"z = {z:.4g} for intervals of {100 * _CONFIDENCE:g} %"))
    return tuple(lines)


def _idle(model: Model) -> frozenset[str]:
    """The settings of its learner that have a letter, but no part in this model."""
    settings = model.origin.settings
    if isinstance(model, BayesTables):
        return _idle_in_tables(model)
    if isinstance(model, LinearModel):
        if any(isinstance(done, AsWeights) for done in model.origin.after):
            return frozenset(settings)  # they made the curves, which are not derived with the weights
        return frozenset() if settings.get("penalty") is not None else frozenset({"strength"})
    return frozenset({"l1"}) if isinstance(model, Ensemble) and not settings.get("l1") else frozenset()


def _idle_in_tables(model: BayesTables) -> frozenset[str]:
    settings, inputs = model.origin.settings, model.schema.inputs
    by_numbers = settings.get("numeric") if any(isinstance(each, Numeric) for each in inputs) else None
    plays = {
        "m_prior": not isinstance(settings.get("smoothing"), str),
        "alpha": any(isinstance(each, Text) for each in inputs),
        "floor": by_numbers == "gaussian",
        "bandwidth": by_numbers == "kernel",
    }
    return frozenset(name for name, has_a_part in plays.items() if not has_a_part)
