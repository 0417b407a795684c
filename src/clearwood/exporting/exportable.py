"""What can be exported, a model or a scorecard made of one, and what an export and its proof ask of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeAlias

from clearwood.arrays import Floats
from clearwood.explaining.scorecard import Scorecard, scorecard
from clearwood.models.columns_used import columns_used, inputs_used
from clearwood.models.files import to_json
from clearwood.models.kept import check_kind
from clearwood.models.model import AdditiveModel, LinearModel, Model, how_large, model_in_words
from clearwood.predicting.batch import predict, shares
from clearwood.table import encode
from clearwood.table.attributes import Attribute
from clearwood.table.raw import Row
from clearwood.table.table import Table
from clearwood.words.numbers import many

Exportable: TypeAlias = Model | Scorecard


def check_exportable(verb: str, given: object) -> None:
    """Refuse what is neither a model nor a scorecard."""
    if not isinstance(given, Scorecard):
        check_kind(verb, given)


def columns_needed_by(of: Exportable) -> set[str]:
    """The columns that rows must have."""
    return columns_used(of.model if isinstance(of, Scorecard) else of)


def inputs_of(of: Exportable) -> tuple[Attribute, ...]:
    """The attributes of these columns, in the order of the schema."""
    return inputs_used(of.model if isinstance(of, Scorecard) else of)


def table_of_rows(of: Exportable, rows: Sequence[Row]) -> Table:
    """Rows as a table, read by the schema."""
    schema = replace(of.schema, target=None, weight=None, read_as={})  # an export takes cells as they are
    if needed := columns_needed_by(of):
        return encode(list(rows), schema, only=needed)
    # Rows of no columns are as many as there are, and nothing to read.
    return Table(schema, {}, rows=len(rows))


def cells_to_prepare(of: Exportable) -> str:
    """What must be done to rows before an export is asked, as the model does it itself; often nothing.

    >>> import clearwood as cw
    >>> table = cw.read_table({"age": [31, -9, 40], "y": ["a", "b", "b"]}, target="y", missing={"age": "-9"})
    >>> cells_to_prepare(cw.NaiveBayes().learn(table))
    'Before asking it, leave -9 of age empty: the model reads it so.'
    """
    needed = columns_needed_by(of)
    emptied, renamed = [], []
    for name, changes in of.schema.read_as.items():
        where = f" of {name}" if name else ""
        if not name or name in needed:
            emptied += [f"{old}{where}" for old, new in changes.items() if new is None]
            renamed += [f"{old}{where} by {new}" for old, new in changes.items() if new is not None]
    todo = [f"leave {', '.join(emptied)} empty"] if emptied else []
    todo += [f"replace {', '.join(renamed)}"] if renamed else []
    return f"Before asking it, {' and '.join(todo)}: the model reads it so." if todo else ""


def answers_given_by(of: Exportable, rows: Any) -> list[str | float | None]:
    """What it answers to each row."""
    answers: list[str | float | None] = (
        of.predict(rows).tolist() if isinstance(of, Scorecard) else predict(of, rows).tolist()
    )
    return answers


def shares_given_by(of: Exportable, rows: Any) -> Floats:
    """[row, class] the share of each class."""
    return of.class_shares(rows) if isinstance(of, Scorecard) else shares(of, rows)


def points_given_by(of: Exportable, rows: Any) -> list[float] | None:
    """The sum of each row's points; None: it gives none."""
    return [float(each) for each in of.score(rows).tolist()] if isinstance(of, Scorecard) else None


def gives_points(of: Exportable) -> bool:
    """Does it give points beside its answer?"""
    return isinstance(of, Scorecard)


def export_title(of: Exportable) -> str:
    """What made it, and how large it is: `ID3, 5 leaves`."""
    size = f"{many(card_size(of), 'line')}" if isinstance(of, Scorecard) else how_large(of)
    made = f"a scorecard of {of.origin.title}" if isinstance(of, Scorecard) else of.origin.title
    return f"{made}, {size}"


def card_size(card: Scorecard) -> int:
    """How many lines a person reads, tables being one each."""
    return len(card.lines) + len(card.tables)


def settings_of_card(of: Exportable) -> dict[str, Any]:
    """What makes the scorecard of its model again; empty of a model."""
    return of.settings if isinstance(of, Scorecard) else {}


def card_again(of: Exportable, settings: Mapping[str, Any]) -> Exportable:
    """The scorecard that was made of a model with these settings; without any, what is given."""
    if isinstance(of, Scorecard) or not settings:
        return of
    check_kind("scorecard", of, LinearModel, AdditiveModel)
    assert isinstance(of, LinearModel | AdditiveModel)
    return scorecard(of, **settings)


def export_in_words(of: Exportable) -> str:
    """What it is, for a sentence: `a list of 2 rules`."""
    if isinstance(of, Scorecard):
        return f"a scorecard of {many(card_size(of), 'line')}"
    return model_in_words(of)


def fingerprint_of(of: Exportable) -> str:
    """The SHA-256 of its text: of a model as Clearwood writes it, of a card that and all that is its own."""
    text = to_json(of.model) + _text_of_card(of) if isinstance(of, Scorecard) else to_json(of)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _text_of_card(card: Scorecard) -> str:
    """All that decides about its points; every part of a line is written out."""
    lines = [repr(each) for each in (*card.lines, *card.tables)]
    parts = [card.favours, card.points_per_doubling, card.base, card.start, *lines]
    return json.dumps(parts)
