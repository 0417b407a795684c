"""Edits as a command takes them: numbers of the list as it was, changed, then moved, deleted and added to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clearwood.cli.writing import whole_file
from clearwood.editing.edits import add_rule, change_rule, delete_rules, move_rule, with_otherwise
from clearwood.errors import SettingError
from clearwood.models.files import save
from clearwood.models.rule_list import RuleList
from clearwood.models.rule_reading import parse_answer, parse_rule
from clearwood.models.rule_text import write_rules


@dataclass(frozen=True, slots=True)
class Edits:
    """What is to be done, in this order."""

    change: tuple[tuple[int, str], ...] = ()
    move: tuple[tuple[int, int], ...] = ()
    delete: tuple[int, ...] = ()
    add: tuple[str, ...] = ()
    at: int | None = None
    otherwise: str | None = None

    @classmethod
    def of(
        cls,
        change: Sequence[str] | None,
        move: Sequence[str] | None,
        delete: Sequence[int] | None,
        add: Sequence[str] | None,
        at: int | None,
        otherwise: str | None,
    ) -> Edits:
        """The options as typed; `--change 2:IF …`, `--move 3:1`."""
        if at is not None and not add:
            raise SettingError("--at says where a rule is added: give it with --add.")
        moves = tuple(
            (number, _number("--move", place, "N:M", text))
            for text in move or ()
            for number, place in [_numbered("--move", text, "N:M")]
        )
        changes = tuple(_numbered("--change", text, "N:IF … THEN …") for text in change or ())
        return cls(changes, moves, tuple(delete or ()), tuple(add or ()), at, otherwise)


def edited(rules: RuleList, edits: Edits) -> RuleList:
    """The list after all edits; each text is refused with its place in the option that holds it."""
    schema = rules.schema
    for number, text in edits.change:
        rules = change_rule(rules, number, parse_rule(text, schema, "--change"))
    numbers = list(range(1, len(rules) + 1))  # by place, the number that each rule had
    for number, to in edits.move:
        at = _at(numbers, number)
        rules = move_rule(rules, at, to)
        numbers.insert(to - 1, numbers.pop(at - 1))
    rules = delete_rules(rules, *(_at(numbers, number) for number in edits.delete)) if edits.delete else rules
    for place, text in enumerate(edits.add):
        at_place = None if edits.at is None else edits.at + place
        rules = add_rule(rules, parse_rule(text, schema, "--add"), at_place)
    if edits.otherwise is not None:
        rules = with_otherwise(rules, parse_answer(edits.otherwise, schema, "--otherwise"))
    return rules


def save_rules(rules: RuleList, place: Path) -> None:
    """A model where the name ends in .json or .gz, else the text."""
    if place.suffix in (".json", ".gz"):
        save(rules, place)
        return
    with whole_file(place) as file:
        file.write(write_rules(rules) + "\n")


def _at(numbers: list[int], number: int) -> int:
    """Where the rule that had this number is now."""
    if number not in numbers:
        raise SettingError(f"There is no rule {number}: the list has {len(numbers)}, counted from 1.")
    return numbers.index(number) + 1


def _numbered(option: str, text: str, form: str) -> tuple[int, str]:
    number, colon, rest = text.partition(":")
    if not colon:
        raise SettingError(f"{option} takes {form}, not '{text}'.")
    return _number(option, number, form, text), rest


def _number(option: str, number: str, form: str, text: str) -> int:
    try:
        return int(number)
    except ValueError:
        raise SettingError(f"{option} takes {form} with a rule's number, not '{text}'.") from None
