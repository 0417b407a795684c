"""The kinds of model that files hold: for each its type, the form of its body, and the way there and back.

A kind that is added here is saved, loaded strictly, and published in the JSON Schema. A body has no schema
and no origin: it can stand in the file of another model, which gives it its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, Union

import msgspec
import numpy as np

from clearwood.errors import ClearwoodError, ModelFileError, no_such
from clearwood.models.files.forms import MOST, Finite, Form, without_point
from clearwood.models.files.heading import HEADING, Heading, SchemaForm, heading_from_form, heading_to_form
from clearwood.models.files.packed import PackedColumn, packed_column, unpacked
from clearwood.models.files.places import refuse
from clearwood.models.kinds.additive.additive_model import (
    AdditiveModel,
    PairShape,
    Shape,
    ShapePoints,
    Spread,
    cells_of_shape,
)
from clearwood.models.kinds.bayes.bayes_file import BayesForm, bayes_from_form, bayes_to_form
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble, Link
from clearwood.models.kinds.ensemble.ensemble_file import (
    CurveForm,
    EnsembleForm,
    curves_from_form,
    curves_to_form,
    ensemble_from_form,
    ensemble_to_form,
)
from clearwood.models.kinds.linear.linear_file import LinearForm, linear_from_form, linear_to_form
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rules_file import RulesForm, rules_from_form, rules_to_form
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.kinds.tree.tree_file import TreeForm, tree_from_form, tree_to_form
from clearwood.models.model import Model
from clearwood.records import dataclass

# An additive model in a file: one curve per line, its points as packed columns.


class ShapeForm(Form, frozen=True):
    """A column's curve. The cells of a number are the intervals between its `cuts` (low < x ≤ high), those
    of other columns their values; two more follow, for a missing cell and an unseen value. `points` by score,
    `errors` likewise or none, `rows` the weight of the training rows in each cell, or none."""

    column: str
    cuts: PackedColumn
    cut_count: int
    points: tuple[PackedColumn, ...]
    errors: tuple[PackedColumn, ...]
    rows: PackedColumn | None


class PairForm(Form, frozen=True):
    """A pair's table, row by row: the cells of the first column by those of the second."""

    columns: tuple[str, str]
    cuts: tuple[PackedColumn, PackedColumn]
    cut_counts: tuple[int, int]
    points: tuple[PackedColumn, ...]
    errors: tuple[PackedColumn, ...]
    rows: PackedColumn | None


class AdditiveForm(Form, frozen=True):
    """Scores are `base` plus the points of each curve's and pair's cell, and `link` makes probabilities or a
    number of them. `spread` says what the errors are. `learning` are losses by the number of rounds."""

    link: Link
    spread: Spread
    base: tuple[Finite, ...]
    learning: tuple[CurveForm, ...]
    curves: tuple[ShapeForm, ...]
    pairs: tuple[PairForm, ...]


def additive_to_form(model: AdditiveModel) -> AdditiveForm:
    return AdditiveForm(
        link=model.link,
        spread=model.spread,
        base=tuple(map(without_point, model.base)),
        learning=curves_to_form(model.curves),
        curves=tuple(
            ShapeForm(
                column=shape.name, cuts=_packed(shape.cuts), cut_count=len(shape.cuts), **_tables(shape)
            )
            for shape in model.shapes
        ),
        pairs=tuple(
            PairForm(
                columns=pair.names,
                cuts=(_packed(pair.cuts[0]), _packed(pair.cuts[1])),
                cut_counts=(len(pair.cuts[0]), len(pair.cuts[1])),
                **_tables(pair),
            )
            for pair in model.pairs
        ),
    )


def additive_from_form(form: AdditiveForm, heading: Heading) -> AdditiveModel:
    learning = curves_from_form(form.learning, "body.learning")
    shapes, pairs = [], []
    for i, curve in enumerate(form.curves):
        where = f"body.curves[{i}]"
        cuts = _cuts(curve.cuts, curve.cut_count, f"{where}.cuts")
        cells = _cells(heading, curve.column, cuts, f"{where}.column")
        shapes.append(Shape(curve.column, cuts, *_read_tables(curve, cells, where)))
    for i, pair in enumerate(form.pairs):
        where = f"body.pairs[{i}]"
        first, second = (
            _cuts(cuts, count, f"{where}.cuts[{side}]")
            for side, (cuts, count) in enumerate(zip(pair.cuts, pair.cut_counts, strict=True))
        )
        cells = _cells(heading, pair.columns[0], first, f"{where}.columns[0]")
        cells *= _cells(heading, pair.columns[1], second, f"{where}.columns[1]")
        pairs.append(PairShape(pair.columns, (first, second), *_read_tables(pair, cells, where)))
    return AdditiveModel(
        schema=heading.schema,
        base=tuple(map(float, form.base)),
        shapes=tuple(shapes),
        pairs=tuple(pairs),
        link=form.link,
        spread=form.spread,
        curves=learning,
        decision=heading.decision,
        origin=heading.origin,
        profile=heading.profile,
    )


def _packed(numbers: tuple[float, ...]) -> PackedColumn:
    return packed_column(np.array(numbers, dtype=np.float64))


def _tables(shape: Shape | PairShape) -> dict[str, Any]:
    return {
        "points": tuple(map(_packed, shape.points)),
        "errors": tuple(map(_packed, shape.errors)),
        "rows": _packed(shape.rows) if shape.rows else None,
    }


def _cuts(form: PackedColumn, count: int, where: str) -> tuple[float, ...]:
    if not 0 <= count <= 10_000_000:
        refuse(where, "must have a number of cuts from 0 up", count)
    return tuple(map(float, unpacked(form, count, where).tolist()))


def _cells(heading: Heading, name: str, cuts: tuple[float, ...], where: str) -> int:
    try:
        return cells_of_shape(heading.schema, name, cuts)
    except (ClearwoodError, KeyError) as error:
        raise ModelFileError(f"{where}: {error}") from None


def _read_tables(
    form: ShapeForm | PairForm, cells: int, where: str
) -> tuple[ShapePoints, ShapePoints, tuple[float, ...]]:
    points, errors = (
        tuple(
            tuple(map(float, unpacked(each, cells, f"{where}.{name}[{s}]").tolist()))
            for s, each in enumerate(table)
        )
        for name, table in (("points", form.points), ("errors", form.errors))
    )
    rows = (
        () if form.rows is None else tuple(map(float, unpacked(form.rows, cells, f"{where}.rows").tolist()))
    )
    return points, errors, rows


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of model in files; `lines` are the fields of its body that stand one entry a line."""

    model: type[Any]
    called: str
    body: type[Form]
    write: Callable[[Any], Form]
    read: Callable[[Any, Heading], Any]
    lines: tuple[str, ...]


KINDS: Final[dict[str, FileKind]] = {
    "tree": FileKind(Tree, "a tree", TreeForm, tree_to_form, tree_from_form, ("nodes",)),
    "rules": FileKind(RuleList, "a rule list", RulesForm, rules_to_form, rules_from_form, ("rules",)),
    "bayes": FileKind(
        BayesTables, "a Bayes model", BayesForm, bayes_to_form, bayes_from_form, ("distributions",)
    ),
    "linear": FileKind(
        LinearModel, "a linear model", LinearForm, linear_to_form, linear_from_form, ("terms",)
    ),
    "ensemble": FileKind(
        Ensemble, "an ensemble", EnsembleForm, ensemble_to_form, ensemble_from_form, ("models", "curves")
    ),
    "additive": FileKind(
        AdditiveModel,
        "an additive model",
        AdditiveForm,
        additive_to_form,
        additive_from_form,
        ("curves", "pairs"),
    ),
}


def kind_named(name: object) -> FileKind:
    """The kind of this name."""
    if not isinstance(name, str) or name not in KINDS:
        raise ModelFileError(no_such("kind of model", str(name), KINDS, plural="kinds"))
    return KINDS[name]


def kind_of_model(model: Model) -> str:
    """The name of a model's kind."""
    for name, kind in KINDS.items():
        if isinstance(model, kind.model):
            return name
    raise TypeError(f"Cannot save a {type(model).__name__}; models are: {', '.join(KINDS)}.")


@cache
def file_form(name: str) -> Any:
    """The form of a whole file of this kind: the heading, then the body."""
    return msgspec.defstruct(
        f"{name.capitalize()}File",
        [*HEADING, ("body", KINDS[name].body)],
        bases=(Form,),
        tag=name,
        tag_field="model",
        forbid_unknown_fields=True,
        kw_only=True,
        frozen=True,
        gc=False,
    )


@cache
def any_file() -> Any:
    """The form of a file of any kind, told apart by its `model`."""
    return Union[tuple(map(file_form, KINDS))]  # noqa: UP007


def model_of(form: Any, name: str) -> Model:
    """The model in a file's form."""
    kind, heading = KINDS[name], heading_from_form(form)
    try:
        model: Model = kind.read(form.body, heading)
        return model
    except ModelFileError:
        raise
    except (ClearwoodError, TypeError) as error:
        raise ModelFileError(f"not {kind.called}: {error}") from None


def fields_of(model: Model) -> tuple[FileKind, dict[str, Any], Form]:
    """A model's kind, its heading and its body, as forms."""
    kind = KINDS[kind_of_model(model)]
    return kind, heading_to_form(model), kind.write(model)


# The published JSON Schema of model files, made from their forms.
#
# `python -m clearwood.models.files.kinds` writes it; a test holds it to the forms.


PLACE: Final = Path(__file__).parents[1] / "model.schema.json"


def made_schema() -> dict[str, Any]:
    """The schema (draft 2020-12) of what is written now."""
    files = [file_form(name) for name in KINDS]
    refs, parts = msgspec.json.schema_components([*files, SchemaForm], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Clearwood model",
        "description": "A model as Clearwood saves it: plain data that stands alone, with its schema, its "
        "origin and how it decides.",
        "oneOf": list(refs[:-1]),
        "$defs": {name: _bare(part) for name, part in parts.items()},
    }


def schema_text() -> str:
    """The text of the published file."""
    return json.dumps(made_schema(), indent=1, ensure_ascii=False) + "\n"


def _bare(part: Any) -> Any:
    """Without bounds that every finite number keeps, and with sentences on one line."""
    if isinstance(part, dict):
        return {
            key: " ".join(each.split()) if key == "description" and isinstance(each, str) else _bare(each)
            for key, each in part.items()
            if not (key in ("minimum", "maximum") and isinstance(each, float) and abs(each) == MOST)
        }
    return [_bare(each) for each in part] if isinstance(part, list) else part


if __name__ == "__main__":
    PLACE.write_text(schema_text(), encoding="utf-8")
    sys.stdout.write(f"{PLACE}\n")
