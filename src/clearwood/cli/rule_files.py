"""What audit and edit read: rules in a model file or as text, and tables coded as the rules code them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from clearwood.cli.options import Output, given_in, refuse_given
from clearwood.cli.sources import TableOptions, beginning, load_model, rows_for, table_in
from clearwood.editing.reading import check_begins, holds_rule_text, rule_text_in, schema_place
from clearwood.errors import SettingError
from clearwood.files import write_whole
from clearwood.learners.rules.rules_of import rules_of
from clearwood.models.files import save
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.rules.rule_reading import named_target, parse_rules
from clearwood.models.kinds.rules.rule_text import columns_in, columns_text, write_rules
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import model_in_words
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class RulesAndTables:
    """The rules in a file, and the tables given with it."""

    rules: RuleList
    tables: tuple[Table, ...]

    @property
    def notes(self) -> list[str]:
        return [note for table in self.tables for note in table.notes]


def read_rule_file(place: Path, source: TableOptions, output: Output, *data: str) -> RulesAndTables:
    """Rules and tables. Rules as text that do not say their columns take those of the first table."""
    if not data:
        refuse_given("is about DATA, but none is given. Leave it out.", source.reading)
    if _is_model(place) or (_has_columns(place) and not any(given_in(source.columns))):
        model = load_model(place)
        refuse_given(
            f"has no effect: {place} already has the kinds of its columns. Leave it out.", source.columns
        )
        if isinstance(model, Tree):
            model = rules_of(model)
        if not isinstance(model, RuleList):
            way = way_to_rules(place, numeric=model.is_numeric)
            raise SettingError(f"{place} holds no rules, but {model_in_words(model)}. {way}")
        return RulesAndTables(model, tuple(rows_for(model, each, source.reading, output) for each in data))
    text = rule_text_in(place)
    check_begins(text, place)
    if not data and (source.columns.schema is not None or schema_place(place).is_file()):
        refuse_given("is about DATA, but none is given. Leave it out.", replace(source.columns, schema=None))
        rules = load_model(place, source.columns.schema)
        assert isinstance(rules, RuleList)
        return RulesAndTables(rules, ())
    if not data:
        raise SettingError(
            f"{place} holds rules as text: give the DATA whose columns they use, or their --schema."
        )
    columns = replace(source.columns, target=source.columns.target or named_target(text))
    source = replace(source, columns=columns)
    first = table_in(data[0], source, output)
    rules = parse_rules(text, first.schema, str(place))
    return RulesAndTables(
        rules, (first, *(rows_for(rules, each, source.reading, output) for each in data[1:]))
    )


def way_to_rules(place: str | Path, *, numeric: bool) -> str:
    """How to get rules that answer as a model does, of numbers or classes, which has none."""
    learner = "cart" if numeric else "c45"
    return f"A tree that predicts nearly as it does: clearwood distil {quote(str(place))} DATA -l {learner}."


def additive_in(place: Path) -> AdditiveModel | None:
    """The additive model in a file, if it holds one: what edits curves and not rules."""
    if not _is_model(place):
        return None
    model = load_model(place)
    return model if isinstance(model, AdditiveModel) else None


def save_rules(rules: RuleList, place: Path) -> None:
    """A model where the name ends in .json or .gz, else the text with its columns."""
    if place.suffix in (".json", ".gz"):
        save(rules, place)
    else:
        write_whole(place, f"{write_rules(rules)}\n\n{columns_text(rules.schema)}\n".encode())


def _has_columns(place: Path) -> bool:
    return holds_rule_text(place) and columns_in(rule_text_in(place), str(place)) is not None


def _is_model(place: Path) -> bool:
    """Does the file begin as model files do? What is not there is left to those who say so."""
    if place.is_dir() or not place.exists():
        return place.suffix in (".json", ".gz") or not place.suffix
    begins = beginning(place)
    return begins is None or begins.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
