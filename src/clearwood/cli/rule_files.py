"""What audit and edit read: rules in a model file or as text, and tables coded as the rules code them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearwood.cli.reading import coded_for, load_model
from clearwood.editing.reading import check_begins, rule_text_in
from clearwood.errors import SettingError
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.rule_list import RuleList
from clearwood.models.rule_reading import parse_rules, target_said
from clearwood.models.tree import Tree
from clearwood.table import read_table
from clearwood.table.sources import read_raw
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Reading:
    """How tables are to be read."""

    target: str | None
    weight: str | None
    schema: Path | None
    columns: Mapping[str, Any]
    query: str | None
    written: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The rules in a file, the tables given with it, and what was guessed of those."""

    rules: RuleList
    tables: tuple[Table, ...]
    notes: tuple[str, ...]


def read_rule_file(place: Path, reading: Reading, *data: str) -> RuleFile:
    """Rules and tables. Rules as text know no columns: the first table says what they are."""
    if _is_model(place):
        model = load_model(place)
        if isinstance(model, Tree):
            model = rules_of(model)
        if not isinstance(model, RuleList):
            raise SettingError(f"{place} holds no rules, but a {type(model).__name__}.")
        tables = tuple(_coded(model, each, reading) for each in data)
        return RuleFile(model, tables, tuple(note for table in tables for note in table.notes))
    text = rule_text_in(place)
    check_begins(text, place)
    if not data:
        raise SettingError(f"{place} holds rules as text: give the DATA whose columns they ask about.")
    first = read_table(
        data[0],
        target=reading.target or target_said(text),
        weight=reading.weight,
        schema=reading.schema,
        query=reading.query,
        **reading.columns,
        **reading.written,
    )
    rules = parse_rules(text, first.schema, str(place))
    tables = (first, *(_coded(rules, each, reading) for each in data[1:]))
    return RuleFile(rules, tables, tuple(note for table in tables for note in table.notes))


def _is_model(place: Path) -> bool:
    """Does the file begin as model files do? What is not there is left to those who say so."""
    if place.is_dir() or not place.exists():
        return place.suffix in (".json", ".gz") or not place.suffix
    try:
        with gzip.open(place) if place.suffix == ".gz" else place.open("rb") as file:
            return file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    except OSError:
        return True


def _coded(rules: RuleList, source: str, reading: Reading) -> Table:
    return coded_for(rules, read_raw(source, query=reading.query, **reading.written))
