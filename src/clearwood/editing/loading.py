"""`load_model_or_rules`: a model file, or rules as text with their columns, which are a model too."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from clearwood.editing.reading import begins_a_rule, rule_text_in
from clearwood.errors import ModelFileError
from clearwood.models.files import load
from clearwood.models.model import Model
from clearwood.models.rule_columns import columns_in
from clearwood.models.rule_reading import parse_rules
from clearwood.table.schema import Schema

_BEGINNING: Final = 1 << 16  # bytes within which a text of rules comes to its first rule


def load_model_or_rules(path: str | os.PathLike[str], schema: Schema | None = None) -> Model:
    """The model in a file. Rules as text need their columns: the schema given, or the lines `#: column …` of
    the text itself, as `clearwood edit --save` writes them. Such rules have met no rows.
    """
    place = Path(path)
    if not holds_rule_text(place):
        return load(place)
    text = rule_text_in(place)
    known = schema or columns_in(text, str(place))
    if known is None:
        raise ModelFileError(
            f"{place} holds rules as text, and does not say what their columns are. Make a model of them:"
            f" clearwood edit {place} --train DATA --save {place.with_suffix('.json')}."
        )
    return parse_rules(text, known, str(place))


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
