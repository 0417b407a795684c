"""`load_model_or_rules`: a model file, or rules as text with their columns, which are a model too."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

from clearwood.editing.reading import begins_a_rule, rule_text_in
from clearwood.errors import ModelFileError
from clearwood.models.files import load
from clearwood.models.model import Model
from clearwood.models.rule_columns import columns_in
from clearwood.models.rule_reading import named_target, parse_rules
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.schema_file import load_schema

_BEGINNING: Final = 1 << 16  # bytes within which a text of rules comes to its first rule


def load_model_or_rules(path: str | os.PathLike[str], schema: Schema | None = None) -> Model:
    """The model in a file. Rules as text need their columns: the schema given, or the lines `#: column …` of
    the text itself, as `clearwood edit --save` writes them, or the schema file that stands beside them
    (`mine.schema.json` beside `mine.txt`). Such rules have met no rows.
    """
    place = Path(path)
    if not holds_rule_text(place):
        return load(place)
    text = rule_text_in(place)
    known = schema or columns_in(text, str(place)) or _schema_beside(place)
    if known is None:
        raise ModelFileError(
            f"{place} holds rules as text, and does not say what their columns are. Give their schema "
            f"(--schema FILE, or {schema_place(place).name} beside them; clearwood schema DATA --save FILE "
            f"makes one), or make a model of them: clearwood edit {place} --train DATA --save "
            f"{place.with_suffix('.json')}."
        )
    return parse_rules(text, _with_target(known, text), str(place))


def schema_place(rules: Path) -> Path:
    """Where the schema of a text of rules is looked for, if nobody names one."""
    return rules.with_name(f"{rules.stem}.schema.json")


def _schema_beside(rules: Path) -> Schema | None:
    place = schema_place(rules)
    return load_schema(place) if place.is_file() else None


def _with_target(schema: Schema, text: str) -> Schema:
    """The schema; where it names no target, with the column that the rules name in their answers."""
    target = (named_target(text) if schema.target is None else None) or ""
    column = schema[target] if target in schema.positions else None
    if not isinstance(column, Nominal | Ordinal | Numeric):
        return schema
    rest = tuple(each for each in schema.attributes if each.name != target)
    return replace(schema, attributes=rest, target=column)


def holds_rule_text(place: Path) -> bool:
    """Does the file begin with a rule rather than as model files do?"""
    if place.suffix == ".gz" or not place.is_file():
        return False
    try:
        with place.open("rb") as file:
            start = file.read(_BEGINNING).decode("utf-8-sig", errors="replace")
    except OSError:
        return False
    return begins_a_rule(start)
