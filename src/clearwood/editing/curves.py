"""Edits of an additive model's curves, each a new model: monotone, flat, smooth, set by hand, or dropped.

After each the curve is centred again: its mean over the training rows is 0, and the rest goes into the base,
so that a row whose cell was not edited is answered as before. The lineage names the cells that were changed.
An edited curve has no standard errors: nobody drew it from bags.
"""

import warnings
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from clearwood.arrays import Floats
from clearwood.auditing.curves import score_audits
from clearwood.errors import (
    Advice,
    ClearwoodWarning,
    NamedOption,
    Sentence,
    SettingError,
    check_known,
    no_such,
)
from clearwood.models.account.account import side_of
from clearwood.models.in_words import in_words
from clearwood.models.kinds.additive.additive_model import AdditiveModel, PairShape, Shape, curves_in, name_of
from clearwood.models.kinds.ensemble.ensemble import score_name
from clearwood.models.lineage import CurveEdited
from clearwood.models.model import check_kind
from clearwood.predicting.columns import table_for
from clearwood.scoring.calibration import calibration
from clearwood.scoring.evaluation import ClassEvaluation, evaluate
from clearwood.scoring.positive import check_positive, positive_class_of
from clearwood.study.known_rows import is_learned_from
from clearwood.table.attributes import Nominal, Numeric
from clearwood.table.table import Table
from clearwood.words.numbers import brief, many, number

_ROUNDING: Final = 1e-12  # of the largest points of a curve


def make_monotone(
    model: AdditiveModel, column: str, direction: Literal["up", "down"] = "up", *, called: str | None = None
) -> AdditiveModel:
    """The curve that never falls ("up") or never rises, nearest to this one by the training rows.

    Neighbouring cells that are the wrong way round are joined at their mean (pool adjacent violators).
    `called` names the class whose probability it is; of two it is guessed, and the lineage names it.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 9, "y": list("aababb") * 9}, target="y")
    >>> points = make_monotone(cw.GAM(bags=3).learn(table), "x").shapes[0].points[0][:6]
    >>> list(points) == sorted(points)
    True
    """
    check_kind("make_monotone", model, AdditiveModel)
    check_known("direction called", direction, ("up", "down"), plural="directions")
    shape = model[column]
    if isinstance(model.schema[column], Nominal):
        raise SettingError(f"'{column}' is nominal: its values have no order in which a curve could rise.")
    known = len(shape.points[0]) - 2
    weights = np.array(shape.rows[:known] if shape.rows else (1.0,) * known)
    score, turned, whose = _score(model, called)
    sign = turned if direction == "up" else -turned
    points = _copied(shape)
    points[score][:known] = sign * _pooled(sign * np.array(shape.points[score][:known]), weights)
    done = CurveEdited("monotone", (column,), f"{direction}{_for(whose)}")
    edited = _edited(model, shape, points, done)
    _warn_of_pairs(edited, column, "up" if sign > 0 else "down", direction, score)
    return edited


def _warn_of_pairs(model: AdditiveModel, column: str, way: str, direction: str, score: int) -> None:
    """A curve that goes one way is not the whole model, if pairs turn it: that is said, not mended."""
    own = next(each for each in score_audits(model)[score].columns if each.name == column)
    if own.model in (way, "level"):
        return
    word = "fall" if direction == "up" else "rise"
    warnings.warn(
        f"The curve of '{column}' goes {direction} only, but by its pairs the score can still {word}: "
        f"{', '.join(own.pairs)}. Drop these pairs if it must not.",
        ClearwoodWarning,
        stacklevel=3,
    )


def flatten(
    model: AdditiveModel, column: str, low: float | str | None = None, high: float | str | None = None
) -> AdditiveModel:
    """The curve level from `low` to `high` (numbers, or values of an ordinal column), at its mean there.

    Without one of them the curve is level to that end; without both it is level throughout, and adds nothing.
    """
    check_kind("flatten", model, AdditiveModel)
    shape = model[column]
    first, last = _between(model, shape, low, high)
    points = _copied(shape)
    weights = np.array(shape.rows[first : last + 1] if shape.rows else (1.0,) * (last + 1 - first))
    weights = weights if weights.sum() > 0 else np.ones_like(weights)
    for row in points:
        level = float(np.average(row[first : last + 1], weights=weights))
        # The mean of a whole curve is 0 but for rounding, which would count as points.
        row[first : last + 1] = 0.0 if abs(level) <= _ROUNDING * np.abs(row).max() else level
    return _edited(
        model, shape, points, CurveEdited("flatten", (column,), _stretch(model, shape, first, last))
    )


def smooth(model: AdditiveModel, column: str, width: int = 5) -> AdditiveModel:
    """Each cell's points as the mean, by rows, of the `width` cells around it; the ends have fewer.

    The width is odd, so that a cell has as many neighbours on both sides.
    """
    check_kind("smooth", model, AdditiveModel)
    shape = model[column]
    if isinstance(model.schema[column], Nominal):
        raise SettingError(f"'{column}' is nominal: its values have no neighbours to be smoothed with.")
    if isinstance(width, bool) or not isinstance(width, int) or width < 3 or width % 2 == 0:
        raise SettingError(
            "The width must be an odd number of cells from 3 up, a cell and as many on each side of it, "
            f"not {width!r}."
        )
    known = len(shape.points[0]) - 2
    weights = np.array(shape.rows[:known] if shape.rows else (1.0,) * known)
    points = _copied(shape)
    for s, row in enumerate(shape.points):
        for cell in range(known):
            around = slice(max(0, cell - width // 2), min(known, cell + width // 2 + 1))
            near = weights[around] if weights[around].sum() > 0 else None
            points[s][cell] = np.average(np.array(row[around]), weights=near)
    return _edited(model, shape, points, CurveEdited("smooth", (column,), f"over {width} cells"))


def set_points(
    model: AdditiveModel,
    column: str,
    points: float,
    *,
    low: float | str | None = None,
    high: float | str | None = None,
    value: str | None = None,
    called: str | None = None,
) -> AdditiveModel:
    """The curve at these points from `low` to `high`, or at one `value`; `value="missing"` is the empty cell.

    The cells in which `low` and `high` lie are changed as a whole. The curve is centred again, and the
    lineage has the points that it has then beside those given.

    >>> import clearwood as cw
    >>> table = cw.read_table({"c": list("pqpq") * 9, "y": list("aabb") * 9}, target="y")
    >>> model = cw.AdditiveModel(table.schema, (0.0,), (Shape("c", (), ((0.5, -0.5, 0.0, 0.0),)),))
    >>> set_points(model, "c", 1.0, value="q").shapes[0].points
    ((-0.25, 0.25, -0.75, -0.75),)
    """
    check_kind("set_points", model, AdditiveModel)
    if isinstance(points, bool) or not isinstance(points, int | float) or not np.isfinite(points):
        raise SettingError(f"points must be a finite number, not {points!r}.")
    shape = model[column]
    if value is not None:
        if low is not None or high is not None:
            raise SettingError("Give a value, or low and high: not both.")
        first = last = _value_cell(model, shape, value)
    else:
        first, last = _between(model, shape, low, high)
    table = _copied(shape)
    own = model.schema.classes[1] if len(model.base) == 1 and model.schema.classes else None
    score, turned, whose = _score(model, called or own)
    table[score][first : last + 1] = turned * points
    where = value if value is not None else _stretch(model, shape, first, last)
    shown = turned * float(_centred(shape, table)[0][score, first])
    centred = "" if brief(shown) == brief(points) else f" ({brief(shown)} once centred)"
    done = CurveEdited("set", (column,), f"{where}: {points:g}{centred}{_for(whose)}")
    return _edited(model, shape, table, done)


def drop_term(model: AdditiveModel, *columns: str, with_pairs: bool = False) -> AdditiveModel:
    """The model without a column's curve, or, of two columns, without their pair.

    Pairs of a dropped column stay, and a warning names them: the model still reads the column there.
    `with_pairs` drops them too.
    """
    check_kind("drop_term", model, AdditiveModel)
    asked = {*columns}
    terms = curves_in(model)
    if not any(asked == {*_columns(term)} for term in terms):
        named = " × ".join(columns)
        raise SettingError(
            no_such("curve or pair", named, [name_of(term) for term in terms], plural="curves and pairs")
        )
    pairs = [pair for pair in model.pairs if len(asked) == 1 and asked < {*pair.names}]
    if pairs and not with_pairs:
        names = ", ".join(name_of(pair) for pair in pairs)
        warnings.warn(
            Sentence(
                f"'{columns[0]}' is still read by {many(len(pairs), 'pair')}: {names}. To drop "
                f"{'it' if len(pairs) == 1 else 'them'} too: ",
                Advice("with_pairs", True),
                ".",
            ),
            ClearwoodWarning,
            stacklevel=2,
        )
        pairs = []
    how = f"with {', '.join(name_of(pair) for pair in pairs)}" if pairs else ""
    return replace(
        model,
        shapes=tuple(shape for shape in model.shapes if asked != {shape.name}),
        pairs=tuple(pair for pair in model.pairs if asked != {*pair.names} and pair not in pairs),
        origin=model.origin.then(CurveEdited("drop", columns, how)),
    )


def _stretch(model: AdditiveModel, shape: Shape, first: int, last: int) -> str:
    """From the first cell to the last in words: whole cells are changed, wherever in them the ends lie.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3], "y": list("aab")}, target="y")
    >>> shape = Shape("x", (1.5, 2.5), ((0.0,) * 5,))
    >>> model = cw.AdditiveModel(table.schema, (0.0,), (shape,))
    >>> [_stretch(model, shape, *cells) for cells in [(0, 0), (1, 1), (1, 2), (0, 2)]]
    ['up to 1.5', '1.5 to 2.5', 'above 1.5', 'throughout']
    """
    begins, ends = first == 0, last == len(shape.points[0]) - 3
    if begins and ends:
        return "throughout"
    attribute = model.schema[shape.name]
    if isinstance(attribute, Numeric):
        low = "" if begins else number(shape.cuts[first - 1])
        high = "" if ends else number(shape.cuts[last])
        above = f"above {low}"
    else:
        values = getattr(attribute, "values", ())
        low, high = str(values[first]), str(values[last])
        above = f"from {low}"
    return f"up to {high}" if begins else above if ends else f"{low} to {high}"


def _for(called: str) -> str:
    """Whose curve it is, of several classes."""
    return f", for {called}" if called else ""


def _columns(term: Shape | PairShape) -> tuple[str, ...]:
    return (term.name,) if isinstance(term, Shape) else term.names


def _copied(shape: Shape) -> list[Floats]:
    return [np.array(row) for row in shape.points]


def _score(model: AdditiveModel, called: str | None) -> tuple[int, float, str]:
    """The score that is edited, −1 where the class that is meant is the one it speaks against, and the class:
    of two the positive one where none is named."""
    classes = model.schema.classes
    if len(model.base) > 1:
        if called is None:
            raise SettingError(
                "Say of which class: ", Advice("called", classes[0]), ", for there is a curve for each."
            )
        check_positive(called, classes)
        return classes.index(called), 1.0, called
    if not classes:
        if called is not None:
            curve = score_name(model.schema, model.link, 0)
            raise SettingError(f"There is one curve, of the {curve}: leave ", NamedOption("called"), " out.")
        return 0, 1.0, ""
    whose, _ = positive_class_of(model, called)
    return 0, 1.0 if whose == classes[1] else -1.0, whose


def _between(
    model: AdditiveModel, shape: Shape, low: float | str | None, high: float | str | None
) -> tuple[int, int]:
    """The first and the last cell from low to high."""
    attribute = model.schema[shape.name]
    if isinstance(attribute, Nominal) and (low is not None or high is not None):
        raise SettingError(f"'{shape.name}' is nominal: nothing lies between its values. Give one value.")
    known = len(shape.points[0]) - 2
    first = 0 if low is None else _end(model, shape, low)
    last = known - 1 if high is None else _end(model, shape, high)
    if first > last or (isinstance(low, int | float) and isinstance(high, int | float) and low > high):
        raise SettingError(f"low must not be above high: {low!r} to {high!r}.")
    return first, last


def _end(model: AdditiveModel, shape: Shape, value: float | str) -> int:
    if isinstance(model.schema[shape.name], Numeric):
        if isinstance(value, str) or not np.isfinite(value):
            raise SettingError(f"'{shape.name}' is numeric: give numbers, not {value!r}.")
        return side_of(model.schema, shape.name, shape.cuts).place(value)
    return _value_cell(model, shape, str(value))


def _value_cell(model: AdditiveModel, shape: Shape, value: str) -> int:
    cells = len(shape.points[0])
    if value == "missing":
        return cells - 2
    values = getattr(model.schema[shape.name], "values", ())
    if value not in values:
        raise SettingError(no_such(f"value of '{shape.name}'", value, [*values, "missing"], plural="values"))
    return int(values.index(value))


def _centred(shape: Shape, points: list[Floats]) -> tuple[Floats, Floats]:
    """[score, cell] the points about their mean over the rows, with many classes also over the classes; and
    [score] that mean, which the base takes."""
    table = np.array(points)
    if len(table) > 1:
        table = table - table.mean(axis=0, keepdims=True)
    known = table.shape[1] - 2
    weights = np.array(shape.rows) if any(shape.rows) else np.array([1.0] * known + [0.0, 0.0])
    mean: Floats = (table * weights).sum(axis=1) / weights.sum()
    return table - mean[:, None], mean


def _edited(model: AdditiveModel, shape: Shape, points: list[Floats], done: CurveEdited) -> AdditiveModel:
    """The model with these points, centred again."""
    # Cells that no row had move with the others: the base moves for their rows too.
    table, mean = _centred(shape, points)
    new = replace(shape, points=tuple(tuple(row) for row in table.tolist()), errors=())
    return replace(
        model,
        base=tuple((np.array(model.base) + mean).tolist()),
        shapes=tuple(new if each.name == shape.name else each for each in model.shapes),
        origin=model.origin.then(done),
    )


def _pooled(points: Floats, weights: Floats) -> Floats:
    """The nearest sequence that never falls: neighbours the wrong way round are joined at their mean."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, cells
    for point, weight in zip(points.tolist(), weights.tolist(), strict=True):
        block = (point, weight, 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, before, cells = blocks.pop()
            total = before + block[1]
            joined = (mean * before + block[0] * block[1]) / total if total > 0 else (mean + block[0]) / 2
            block = (joined, total, cells + block[2])
        blocks.append(block)
    return np.concatenate([np.full(cells, mean) for mean, _, cells in blocks])


# What edits of curves cost: the ledger of edits, and both models' scores on rows not learned from.


@dataclass(frozen=True, slots=True)
class CurveScores:
    """How well a model does on held-out rows: the part answered correctly and the log loss of classes, what
    a row costs where costs were given; the root mean squared error of numbers."""

    accuracy: float | None = None
    log_loss: float | None = None
    rmse: float | None = None
    cost: float | None = None

    def __str__(self) -> str:
        if self.rmse is not None:
            return f"off by {self.rmse:.4g}"
        cost = "" if self.cost is None else f"a row costs {self.cost:.4g}, "
        return f"{cost}{100 * (self.accuracy or 0.0):.1f} % correct, log loss {self.log_loss:.4f}"


@dataclass(frozen=True, slots=True)
class EditedCurves:
    """The edits since the model `before`, in order, and the scores of both on rows not learned from."""

    before: AdditiveModel
    after: AdditiveModel
    edits: tuple[CurveEdited, ...]
    held_out: tuple[CurveScores, CurveScores]  # before and after
    training_rows: bool = False  # are the rows those that the model was learned from, in whatever order?

    def __str__(self) -> str:
        lines = [f"{place}. {in_words(each)}" for place, each in enumerate(self.edits, 1)]
        on = "on the rows given"
        if self.training_rows:
            on = "on the rows that it was learned from, which are too kind to what was learned"
        return "\n".join([*lines, f"{on}: {self.held_out[0]} → {self.held_out[1]}"])


def compare_curves(before: AdditiveModel, after: AdditiveModel, rows: Any) -> EditedCurves:
    """What the edits from one model to the other were, and what they cost on rows not learned from; where
    the rows are those learned from, it says so (`training_rows`)."""
    check_kind("compare_curves", before, AdditiveModel)
    check_kind("compare_curves", after, AdditiveModel)
    done = before.origin.after
    if after.origin.after[: len(done)] != done or after.origin.made != before.origin.made:
        raise SettingError("The second model does not come of the first by edits: their histories differ.")
    edits = tuple(each for each in after.origin.after[len(done) :] if isinstance(each, CurveEdited))
    table = table_for(before, rows, with_target=True)
    known = is_learned_from(before, table)
    return EditedCurves(before, after, edits, (_scores(before, table), _scores(after, table)), known)


def _scores(model: AdditiveModel, rows: Table) -> CurveScores:
    evaluation = evaluate(model, rows)
    if not isinstance(evaluation, ClassEvaluation):
        return CurveScores(rmse=evaluation.rmse)
    paid = None if evaluation.cost is None else evaluation.cost.per_row
    return CurveScores(evaluation.accuracy, calibration(model, rows).log_loss, cost=paid)
