"""`read_rules`: a text, or a file of it, as rules over a schema, counted on a table's rows if given one."""

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from clearwood.errors import ModelFileError, SchemaError, SourceError
from clearwood.learners.training import fingerprint
from clearwood.models.files import load
from clearwood.models.kinds.rules.rule_reading import named_target, parse_rules
from clearwood.models.kinds.rules.rule_text import columns_in
from clearwood.models.lineage import Balanced, Edited
from clearwood.models.model import Model, RuleList, check_kind
from clearwood.predicting.columns import table_for
from clearwood.predicting.of_rules import first_rule, rule_counts
from clearwood.scoring.evaluation import true_answers
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.schema_file import load_schema
from clearwood.table.table import Table

_MOST_BYTES: Final = 1 << 28
_BEGINNING: Final = re.compile(r"\s*(?:(?:if|always|otherwise|else|rules\s+vote)(?!\w)|#)", re.IGNORECASE)


def read_rules(source: str | os.PathLike[str], of: Schema | Table | None = None) -> RuleList:
    """Rules as `write_rules` prints them, or as people type them; see `rule_reading`.

    `source` is the text itself, or the path of a file of it. With a schema the rules have met no rows; with
    a table they are counted on its rows; without either the text must say what its columns are, as one that
    `clearwood edit --save` wrote does. What cannot be read is refused with its line and column.

    >>> from clearwood import Nominal, Numeric
    >>> schema = Schema((Numeric("Humidity"),), Nominal("Play", ("Yes", "No")))
    >>> print(read_rules("IF Humidity <= 75 THEN Play = Yes", schema))
    IF Humidity ≤ 75 THEN Play = Yes
    OTHERWISE nothing
    """
    text, name = (
        (source, "")
        if isinstance(source, str) and is_rule_text(source)
        else (rule_text_in(source), os.fspath(source))
    )
    schema = columns_in(text, name) if of is None else of.schema if isinstance(of, Table) else of
    if schema is None:
        raise SchemaError(
            f"{name or 'This text'} does not say what the columns of its rules are."
            " Give a table or a schema: read_rules(text, of)."
        )
    rules = parse_rules(text, schema, name)
    return recounted(rules, of) if isinstance(of, Table) else rules


def is_rule_text(source: str) -> bool:
    """Is this rules, rather than the name of a file of them? A file that is there is a file.

    >>> is_rule_text("IF a = 1 THEN b"), is_rule_text("rules of mine.txt")
    (True, False)
    """
    words = source.split(maxsplit=1)
    if not words or "\n" in source:
        return True
    return len(words) > 1 and _BEGINNING.match(source) is not None and not _is_there(source)


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long, or with characters that no path has
        return False


def begins_a_rule(text: str) -> bool:
    """Does the first line that is neither empty nor a comment begin a rule?"""
    return _BEGINNING.match(_first_line(text)) is not None


def _first_line(text: str) -> str:
    lines = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    return next(lines, "")


def check_begins(text: str, place: object) -> None:
    """Refuse a file whose first line, but for empty ones and comments, begins no rule."""
    first = _first_line(text)
    if not _BEGINNING.match(first):
        holds = f"begins with '{first.strip()[:40]}'" if first else "is empty"
        raise SourceError(
            f"There is no rule here: {place} {holds}. Write one per line, IF … THEN …;"
            " a table is given beside the rules."
        )


def rule_text_in(path: str | os.PathLike[str]) -> str:
    """The text of a file."""
    place = Path(path)
    try:
        with place.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(
            f"Cannot read '{str(place)[:200]}': {reason}."
            " Rules given as text begin with IF, ALWAYS or OTHERWISE."
        ) from None
    if len(content) > _MOST_BYTES:
        raise SourceError(f"{place}: more than {_MOST_BYTES >> 20} MB; that is too big for a file of rules.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(
            f"{place}: not rules; it is not UTF-8 text (byte {error.start + 1}). Save it as UTF-8."
        ) from None
    if "\0" in text:
        raise SourceError(f"{place}: not rules; it holds bytes that no text has.")
    return text


# `load_model_or_rules`: a model file, or rules as text with their columns, which are a model too.


_FIRST_BYTES: Final = 1 << 16  # bytes within which a text of rules comes to its first rule


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
            start = file.read(_FIRST_BYTES).decode("utf-8-sig", errors="replace")
    except OSError:
        return False
    return begins_a_rule(start)


# Rules counted again: the rows each one answers, on another table or after an edit.


def recounted(rules: RuleList, table: Any) -> RuleList:
    """The same rules with the counts of this table's rows: of those each rule answers, or if rules vote, of
    those it covers. `table` is a Table, or anything a table can be made of."""
    check_kind("recounted", rules, RuleList)
    table = table_for(rules, table, with_target=True)
    counts = _number_counts(rules, table) if rules.is_numeric else _class_counts(rules, table)
    counted = tuple(replace(rule, counts=each) for rule, each in zip(rules, counts, strict=False))
    origin = rules.origin.then(Edited("recount", text=fingerprint(table)))
    otherwise = replace(rules.otherwise, counts=counts[-1])
    decision = rules.decision
    if any(isinstance(done, Balanced) for done in rules.origin.after):
        # These counts are of rows as they come: there is nothing to correct any more.
        decision = replace(decision, prevalence=(), trained_at=())
    return replace(rules, rules=counted, otherwise=otherwise, decision=decision, origin=origin)


def _class_counts(rules: RuleList, table: Table) -> list[tuple[float, ...]]:
    """[rule + 1] row weight by class, the last for rows that no rule takes."""
    covered, first = rule_counts(rules.schema, rules, table)
    if rules.matching == "vote":
        first[:-1] = covered
    return [tuple(row) for row in first.tolist()]


def _number_counts(rules: RuleList, table: Table) -> list[tuple[float, ...]]:
    """[rule + 1] weight, mean, and the sum of squares about it."""
    y = np.asarray(true_answers(rules, table), dtype=np.float64)
    known = ~np.isnan(y)
    n = len(rules) + 1
    place = np.where((taken := first_rule(rules, table)) < 0, n - 1, taken)[known]
    w = (np.ones(len(table)) if table.weights is None else table.weights)[known]
    weight = np.bincount(place, w, minlength=n)
    sums = np.bincount(place, w * y[known], minlength=n)
    mean = np.divide(sums, weight, out=np.zeros(n), where=weight > 0)
    error = np.bincount(place, w * (y[known] - mean[place]) ** 2, minlength=n)
    return [tuple(row) for row in np.stack([weight, mean, error], axis=1).tolist()]
