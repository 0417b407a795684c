"""Edits of an additive model's curves, each a new model: monotone, flat, smooth, set by hand, or dropped.

After each the curve is centred again: its mean over the training rows is 0, and the rest goes into the base.
An edited curve has no standard errors: nobody drew it from bags.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from clearwood.advice import Advice, NamedOption, Sentence
from clearwood.arrays import Floats
from clearwood.audit.curves import audit_curves
from clearwood.errors import ClearwoodWarning, SettingError, no_such
from clearwood.models.additive_model import AdditiveModel, PairShape, Shape
from clearwood.models.ensemble import score_name
from clearwood.models.kinds import check_kind
from clearwood.models.lineage import CurveEdited
from clearwood.predict.of_additive import cell_of, curves_in, name_of
from clearwood.table.attributes import Nominal, Numeric
from clearwood.words.numbers import many, number


def make_monotone(
    model: AdditiveModel, column: str, direction: Literal["up", "down"] = "up", *, called: str | None = None
) -> AdditiveModel:
    """The curve that never falls ("up") or never rises, nearest to this one by the training rows.

    Neighbouring cells that are the wrong way round are joined at their mean (pool adjacent violators). Of
    more than two classes `called` names the one whose curve it is.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6] * 9, "y": list("aababb") * 9}, target="y")
    >>> points = make_monotone(cw.GAM(bags=3).learn(table), "x").shapes[0].points[0][:6]
    >>> list(points) == sorted(points)
    True
    """
    check_kind("make_monotone", model, AdditiveModel)
    if direction not in ("up", "down"):
        raise SettingError(no_such("direction called", str(direction), ("up", "down"), plural="directions"))
    shape = model[column]
    if isinstance(model.schema[column], Nominal):
        raise SettingError(f"'{column}' is nominal: its values have no order in which a curve could rise.")
    known = len(shape.points[0]) - 2
    weights = np.array(shape.rows[:known] if shape.rows else (1.0,) * known)
    sign = 1.0 if direction == "up" else -1.0
    points = _copied(shape)
    for s in _scores(model, called):
        points[s][:known] = sign * _pooled(sign * np.array(shape.points[s][:known]), weights)
    done = CurveEdited("monotone", (column,), f"{direction}{_for(called)}")
    edited = _edited(model, shape, points, done)
    _warn_of_pairs(edited, column, direction, _scores(model, called)[0])
    return edited


def _warn_of_pairs(model: AdditiveModel, column: str, direction: str, score: int) -> None:
    """A curve that goes one way is not the whole model, if pairs turn it: that is said, not mended."""
    own = next(each for each in audit_curves(model).scores[score].columns if each.name == column)
    if own.model in (direction, "level"):
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
        row[first : last + 1] = np.average(row[first : last + 1], weights=weights)
    return _edited(model, shape, points, CurveEdited("flatten", (column,), _stretch(low, high)))


def smooth(model: AdditiveModel, column: str, width: int = 5) -> AdditiveModel:
    """Each cell's points as the mean, by rows, of the `width` cells around it; the ends have fewer."""
    check_kind("smooth", model, AdditiveModel)
    shape = model[column]
    if isinstance(model.schema[column], Nominal):
        raise SettingError(f"'{column}' is nominal: its values have no neighbours to be smoothed with.")
    if isinstance(width, bool) or not isinstance(width, int) or width < 1:
        raise SettingError(f"width must be a whole number of cells from 1 up, not {width!r}.")
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

    >>> import clearwood as cw
    >>> table = cw.read_table({"c": list("pqpq") * 9, "y": list("aabb") * 9}, target="y")
    >>> model = cw.AdditiveModel(table.schema, (0.0,), (Shape("c", (), ((0.5, -0.5, 0.0, 0.0),)),))
    >>> set_points(model, "c", 1.0, value="q").shapes[0].points
    ((-0.25, 0.25, 0.0, 0.0),)
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
    for s in _scores(model, called):
        table[s][first : last + 1] = points
    where = value if value is not None else _stretch(low, high)
    return _edited(model, shape, table, CurveEdited("set", (column,), f"{where}: {points:g}{_for(called)}"))


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


def _stretch(low: float | str | None, high: float | str | None) -> str:
    """From low to high in words.

    >>> _stretch(20, 30.5), _stretch(None, 30.0), _stretch(20, None), _stretch(None, None)
    ('20 to 30.5', 'up to 30', 'from 20', 'throughout')
    """
    if low is None and high is None:
        return "throughout"
    ends = [end if isinstance(end, str | None) else number(float(end)) for end in (low, high)]
    if low is None or high is None:
        return f"up to {ends[1]}" if low is None else f"from {ends[0]}"
    return f"{ends[0]} to {ends[1]}"


def _for(called: str | None) -> str:
    """Whose curve it is, of several classes."""
    return "" if called is None else f", for {called}"


def _columns(term: Shape | PairShape) -> tuple[str, ...]:
    return (term.name,) if isinstance(term, Shape) else term.names


def _copied(shape: Shape) -> list[Floats]:
    return [np.array(row) for row in shape.points]


def _scores(model: AdditiveModel, called: str | None) -> Sequence[int]:
    """The score that is edited: the only one, or that of a class."""
    if len(model.base) == 1:
        if called is not None:
            curve = score_name(model.schema, model.link, 0)
            raise SettingError(
                "There is one curve, of the ", f"{curve}: leave ", NamedOption("called"), " out."
            )
        return (0,)
    classes = model.schema.classes
    if called is None:
        raise SettingError(
            "Say of which class: ", Advice("called", classes[0]), ", for there is a curve for each."
        )
    if called not in classes:
        raise SettingError(no_such("class", called, classes, plural="classes"))
    return (classes.index(called),)


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
    if first > last:
        raise SettingError(f"low must not be above high: {low!r} to {high!r}.")
    return first, last


def _end(model: AdditiveModel, shape: Shape, value: float | str) -> int:
    if isinstance(model.schema[shape.name], Numeric):
        if isinstance(value, str) or not np.isfinite(value):
            raise SettingError(f"'{shape.name}' is numeric: give numbers, not {value!r}.")
        return cell_of(model, (shape.name, shape.cuts), float(value))
    return _value_cell(model, shape, str(value))


def _value_cell(model: AdditiveModel, shape: Shape, value: str) -> int:
    cells = len(shape.points[0])
    if value == "missing":
        return cells - 2
    values = getattr(model.schema[shape.name], "values", ())
    if value not in values:
        raise SettingError(no_such(f"value of '{shape.name}'", value, [*values, "missing"], plural="values"))
    return int(values.index(value))


def _edited(model: AdditiveModel, shape: Shape, points: list[Floats], done: CurveEdited) -> AdditiveModel:
    """The model with these points, centred again; with many classes also over the classes."""
    table = np.array(points)
    if len(table) > 1:
        table = table - table.mean(axis=0, keepdims=True)
    known = table.shape[1] - 2
    weights = np.array(shape.rows) if any(shape.rows) else np.array([1.0] * known + [0.0, 0.0])
    mean = (table * weights).sum(axis=1) / weights.sum()
    # A missing or unseen cell that no row had stays as the average row.
    moved = (weights > 0) | (np.abs(table).max(axis=0) > 0)
    table = np.where(moved, table - mean[:, None], 0.0)
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
