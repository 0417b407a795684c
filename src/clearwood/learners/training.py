"""Training: what every learner does with a table first: usable rows, priors and costs, and the origin."""

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any, Final, NoReturn, assert_never

import numpy as np

from clearwood import __version__, _native
from clearwood.arrays import Bools, Floats
from clearwood.errors import (
    Advice,
    ClearwoodWarning,
    ColumnError,
    LearningError,
    Part,
    Place,
    SettingError,
    check_known,
    no_such,
)
from clearwood.learners.learner import Learner
from clearwood.models.decision import Decision
from clearwood.models.lineage import LearnerAsData, Origin, Plain
from clearwood.registry import Costs, Priors
from clearwood.table.attributes import Attribute, Ignored, Nominal, Numeric, Ordinal, Text
from clearwood.table.folding import order_of_sums, sparse_keys, texts_as_numbers
from clearwood.table.schema import Schema
from clearwood.table.table import UNSEEN, SparseColumns, Table, Weights, empty_cells

_MOST_CLASSES: Final = 2000  # every leaf and every cell of a count holds a number for each
_LARGEST_TARGET: Final = 1e150  # its square is still a number
_WIDEST_WEIGHTS: Final = 1e12  # beyond, the smallest rows are less than the rounding of the largest


def usable_rows(learner: Learner[Any], table: Table, *, reads_text: bool = False) -> Table:
    """The rows with weight and a target, in the order of their content if their weights are parts of rows; a
    learner that cannot read text names the columns it leaves out."""
    if not isinstance(table, Table):
        raise LearningError(
            f"{type(learner).__name__} learns from a Table, not {type(table).__name__}. "
            "Make one: clearwood.read_table(…, target='…')."
        )
    check_target(learner, table)
    for attribute in table.schema.inputs:
        if attribute.name not in table.columns:
            raise ColumnError(
                f"The table lacks a column of its schema. {no_such('column', attribute.name, table.columns)}"
            )
    if not len(table):
        raise LearningError("The table has no rows to learn from.")
    target, known = table.schema.target, ~empty_cells(table.target)
    if table.weights is not None:
        _check_weights(table.weights)
        known &= table.weights > 0
    if not known.any():
        name = target.name if target else ""
        raise LearningError(f"No row has both a weight and a value of the target '{name}'.")
    rows = order_of_sums(table if known.all() else table.take(known))
    texts = [attribute.name for attribute in table.schema.attributes if isinstance(attribute, Text)]
    name = type(learner).__name__
    for warning in (
        f"{name} cannot ask about text; left out: {', '.join(texts)}." if texts and not reads_text else None,
        _too_light(learner, rows),
    ):
        if warning:
            warnings.warn(warning, ClearwoodWarning, stacklevel=4)
    return rows


def check_target(learner: Learner[Any], table: Table) -> None:
    """Refuse a target the learner cannot learn, more classes than fit, or numbers too large to square."""
    target = table.schema.target
    if isinstance(target, Nominal | Ordinal) and len(target.values) > _MOST_CLASSES:
        raise LearningError(
            f"Target '{target.name}' has {len(target.values):,} classes, and all that is counted is counted "
            f"once per class: the limit is {_MOST_CLASSES:,}. Join the rare ones into one class such as "
            "'other', or choose a coarser target."
        )
    if not isinstance(target, Numeric):
        return
    if not getattr(learner, "learns_numbers", False):
        raise LearningError(
            f"{type(learner).__name__} learns classes, and '{target.name}' is a number. "
            "Use CART or CHAID, or declare it: ",
            Advice("kinds", {target.name: "nominal"}),
            ".",
            place=Place(column=target.name),
        )
    too_large = f"is too large to learn from (the limit is {_LARGEST_TARGET:g}). "
    far = np.abs(table.target) > _LARGEST_TARGET
    refuse_where(far, table, target.name, too_large, "Give the target in larger units.")


def refuse_where(wrong: Bools, rows: Table, name: str, *why: Part) -> None:
    """Refuse the first of these cells [row] of a column or the target, with the reason and the way out."""
    if wrong.any():
        refuse_cell(rows, name, int(np.argmax(wrong)), *why)


def refuse_cell(rows: Table, name: str, row: int, *why: Part) -> NoReturn:
    """Refuse the number in one cell."""
    target = rows.schema.target
    what = "Target" if target is not None and target.name == name else "Column"
    place = Place(column=name, row=rows.row_number(row))
    cell = f"{what} '{name}', row {place.row}: {rows.columns[name][row]:g} "
    raise LearningError(cell, *why, place=place)


def _check_weights(weights: Weights) -> None:
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise LearningError("Row weights must be finite and not negative.")
    with np.errstate(over="ignore"):
        sums = (float(weights.sum()), float(np.dot(weights, weights)))
    if not np.isfinite(sums).all():
        raise LearningError("Row weights are so large that their sum or squares are not finite. Scale them.")
    heavy = weights[weights > 0]
    if len(heavy) and heavy.max() > _WIDEST_WEIGHTS * heavy.min():
        raise LearningError(
            f"Row weights reach from {heavy.min():g} to {heavy.max():g}: the light ones would be lost in the "
            f"rounding of the heavy (the limit is 1 to {_WIDEST_WEIGHTS:g}). Leave the lightest rows out."
        )


def _too_light(learner: Learner[Any], rows: Table) -> str | None:
    """The warning where no split and hardly a rule is possible only because of the scale of the weights."""
    if rows.weights is None:
        return None
    total = float(rows.weights.sum())
    least = getattr(learner, "min_rows", 0)
    leaf = getattr(learner, "min_leaf", least)
    needed = max(least, 2 * (1 if leaf is None else leaf))
    if not (total < needed <= len(rows) and 10 * total < len(rows)):
        return None
    return (
        f"The weights of {len(rows):,} rows sum to {total:g}, too little for a split or for most rules. "
        "Scale them so that a row of ordinary weight counts 1."
    )


def class_weights(rows: Table) -> Floats:
    """[class] the weight of its rows; none where the target is a number."""
    if not rows.schema.classes:
        return np.empty(0)
    by_code = np.bincount(rows.target - UNSEEN, rows.weights, len(rows.schema.classes) - UNSEEN)
    return by_code[-UNSEEN:].astype(np.float64)


def native_settings(learner: Any, *names: str) -> dict[str, Any]:
    """Settings of a learner by name, as native code takes them: −1 for none."""
    values = {name: getattr(learner, name) for name in names}
    return {name: -1 if value is None else value for name, value in values.items()}


# Priors and costs: from a learner's settings to the factors and the matrix that decide.


def decision_of(schema: Schema, weights: Floats, priors: Priors, costs: Costs) -> Decision:
    """How counts become an answer, given the training weight of each class.

    A prior π asks for the factor π · N ÷ N_class on that class's counts.

    >>> from clearwood.table.attributes import Nominal
    >>> schema = Schema((), Nominal("Play", ("No", "Yes")))
    >>> decision_of(schema, np.array([5.0, 9.0]), "equal", {("Yes", "No"): 3}).costs
    ((0.0, 1.0), (3.0, 0.0))
    """
    if not schema.classes and (priors is not None or costs is not None):
        raise SettingError("Priors and costs are for classes; this target is a number.")
    factors = () if priors is None else tuple(_factors(schema, weights, priors).tolist())
    return Decision(factors, () if costs is None else _matrix(schema, costs))


def scoring_factors(decision: Decision, weights: Floats) -> Floats:
    """[class] → the factor on its counts while splits are scored: priors altered by costs, as CART has it.

    Class c counts in proportion to its prior times Σ_j cost(c, j); the whole keeps its weight.

    >>> scoring_factors(Decision((), ((0.0, 1.0), (3.0, 0.0))), np.array([5.0, 5.0])).tolist()
    [0.5, 1.5]
    """
    factors = np.asarray(decision.factors) if decision.factors else np.ones(len(weights))
    if decision.costs:
        dear = np.asarray(decision.costs).sum(axis=1)
        # With one class there is nothing to mistake it for.
        factors = factors * (dear if len(dear) > 1 else 1.0)
        factors = factors * float(weights.sum() / (factors * weights).sum())
    return factors


def check_priors(classes: Sequence[str], priors: Mapping[str, float]) -> None:
    """Refuse priors that name another class, or lack one."""
    for name in priors:
        check_known("class", name, classes, plural="classes")
    absent = [name for name in classes if name not in priors]
    if absent:
        raise SettingError(f"priors lack the class '{absent[0]}'. Give every class a number.")


def _factors(schema: Schema, weights: Floats, priors: Mapping[str, float] | str) -> Floats:
    classes = schema.classes
    if isinstance(priors, str):
        given = np.ones(len(classes))
    else:
        check_priors(classes, priors)
        given = np.array([float(priors[name]) for name in classes])
    # A class without rows has no counts to raise; its prior goes to the others.
    met = weights > 0
    share = np.where(met, given, 0.0)
    return np.where(met, share / share.sum() * weights.sum() / np.where(met, weights, 1.0), 1.0)


def _matrix(schema: Schema, costs: Mapping[tuple[str, str], float]) -> tuple[tuple[float, ...], ...]:
    classes = schema.classes
    for pair in costs:
        for name in pair:
            check_known("class", name, classes, plural="classes")
    matrix = tuple(
        tuple(float(costs.get((true, called), true != called)) for called in classes) for true in classes
    )
    for true, row in zip(classes, matrix, strict=True):
        if len(classes) > 1 and not sum(row) > 0:
            raise SettingError(f"Every mistake about '{true}' costs 0. Give one of them a cost above 0.")
    return matrix


# A fingerprint of a table: sixteen digits that no other rows have, in any order and on any machine.


def fingerprint(table: Table) -> str:
    """Names, kinds, values, cells and weights count; the order of rows, the width of a float and ignored
    columns do not. Of sparse columns the cells that are stored count: the same table, dense, has another
    fingerprint.

    >>> import numpy as np
    >>> from clearwood.table.schema import Schema
    >>> x = {"x": np.array([1.0, 2.0])}
    >>> fingerprint(Table(Schema((Numeric("x"),)), x)) == fingerprint(Table(Schema((Numeric("x"),)), x))
    True
    """
    schema = table.schema
    attributes: list[Attribute] = [*schema.attributes, *([schema.target] if schema.target else [])]
    held = [attribute for attribute in attributes if attribute.name in table.columns]
    sparse = table.columns if isinstance(table.columns, SparseColumns) else None
    coded = [
        texts_as_numbers(table.columns[each.name]) if isinstance(each, Text) else table.columns[each.name]
        for each in held
        if sparse is None or each.name in sparse.dense
    ]
    if sparse is not None:
        coded.append((sparse_keys(sparse, len(table)) >> np.uint64(11)).astype(np.float64))
    head = [len(table), [_declared(each) for each in held], schema.target is not None, table.weights is None]
    digest = blake2b(json.dumps(head).encode(), digest_size=8)
    digest.update(_native.fingerprint(coded, table.weights).encode())
    return digest.hexdigest()


def _declared(attribute: Attribute) -> tuple[object, ...]:
    match attribute:
        case Nominal(name, values) | Ordinal(name, values) | Numeric(name, values):
            return attribute.kind, name, values
        case Text(name) | Ignored(name):
            return attribute.kind, name
        case _:
            assert_never(attribute)


# Where a learned model came from: its learner with every setting, and a fingerprint of the rows.


def origin_of(learner: Any, table: Table) -> Origin:
    """Who learned from what: the settings as plain values, and a fingerprint of the data."""

    made = made_of(learner)
    rows, mark = len(table), fingerprint(table)
    return Origin(made.learner, made.settings, __version__, mark, rows, weights_are=table.weights_are)


def made_of(learner: Any) -> LearnerAsData:
    """A learner as data."""
    settings = {each.name: _plain(getattr(learner, each.name)) for each in fields(learner)}
    return LearnerAsData(type(learner).__name__, settings)


def _plain(value: Any) -> Plain:
    """Settings as plain values: costs, whose keys are pairs, become a table of tables."""
    if isinstance(value, Mapping):
        if any(isinstance(key, tuple) for key in value):
            nested: dict[str, dict[str, Plain]] = {}
            for (true, called), cost in value.items():
                nested.setdefault(str(true), {})[str(called)] = _plain(cost)
            return nested
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_plain(each) for each in value)
    if is_dataclass(value) and callable(getattr(value, "learn", None)):
        return made_of(value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)
