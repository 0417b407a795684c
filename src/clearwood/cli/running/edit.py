"""What `edit` does to rules: changed, then moved, deleted and added to, by their numbers before that."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clearwood.cli.commands.edit import CurveEdits, Edits
from clearwood.cli.grouped import refuse_given
from clearwood.cli.options import Output
from clearwood.cli.output import answer
from clearwood.cli.rule_files import additive_in, read_rule_file, save_rules
from clearwood.cli.running.edit_curves import CURVE_EDITS, edit_curves
from clearwood.cli.source_options import Source
from clearwood.cli.writing import check_place
from clearwood.editing.edits import (
    EditedRules,
    add_rule,
    change_rule,
    compare_scores,
    delete_rules,
    move_rule,
    with_otherwise,
)
from clearwood.errors import SettingError
from clearwood.models.model import model_in_words
from clearwood.models.rule_list import RuleList
from clearwood.models.rule_reading import parse_answer, parse_rule
from clearwood.models.rule_text import write_rules
from clearwood.study.scores import evaluation_to_json, phrase


def run(
    rules: Path,
    edits: Edits,
    curves: CurveEdits,
    source: Source,
    output: Output,
    *,
    train: str | None,
    test: str | None,
    save: Path | None,
) -> None:
    """Edit the list, and score it before and after."""
    places = [each for each in (train, test) if each is not None]
    check_place(save, rules, *places)
    additive = additive_in(rules)
    if additive is not None:
        refuse_given(f"is about rules, and {rules} holds {model_in_words(additive)}. {CURVE_EDITS}", edits)
        edit_curves(rules, additive, curves, source, output, train=train, test=test, save=save)
        return
    refuse_given(f"is about curves, and {rules} holds no additive model.", curves)
    parsed = _parsed(edits)
    file = read_rule_file(rules, source, output, *places)
    tables = dict(zip(places, file.tables, strict=True))
    done = compare_scores(
        file.rules,
        _edited(file.rules, parsed),
        training=None if train is None else tables[train],
        held_out=None if test is None else tables[test],
    )
    if save is not None:
        save_rules(done.rules, save)
    answer(
        output,
        text=lambda: _to_text(done, with_rules=not output.quiet),
        data=lambda: _to_json(done),
        notes=file.notes,
        saved=save,
    )


def _to_text(done: EditedRules, *, with_rules: bool) -> str:
    parts = [write_rules(done.rules)] if with_rules else []
    for name, pair in (("training", done.training), ("held out", done.held_out)):
        if pair is not None:
            parts.append(f"{name}, before  {phrase(pair[0])}\n{name}, after   {phrase(pair[1])}")
    return "\n\n".join(parts)


def _to_json(done: EditedRules) -> dict[str, Any]:
    scores = {"training": done.training, "held_out": done.held_out}
    return {
        "rules": write_rules(done.rules).splitlines(),
        **{
            name: {"before": evaluation_to_json(pair[0]), "after": evaluation_to_json(pair[1])}
            for name, pair in scores.items()
            if pair is not None
        },
    }


@dataclass(frozen=True, slots=True)
class _Parsed:
    """What is to be done, in this order."""

    change: tuple[tuple[int, str], ...]
    move: tuple[tuple[int, int], ...]
    delete: tuple[int, ...]
    add: tuple[str, ...]
    at: int | None
    otherwise: str | None


def _parsed(edits: Edits) -> _Parsed:
    """The options as typed; `--change 2:IF …`, `--move 3:1`."""
    if edits.at is not None and not edits.add:
        raise SettingError("--place says where a rule is added: give it with --add.")
    moves = tuple(
        (number, _number("--move", place, "N:M", text))
        for text in edits.move or ()
        for number, place in [_numbered("--move", text, "N:M")]
    )
    changes = tuple(_numbered("--change", text, "N:IF … THEN …") for text in edits.change or ())
    return _Parsed(
        changes, moves, tuple(edits.delete or ()), tuple(edits.add or ()), edits.at, edits.otherwise
    )


def _edited(rules: RuleList, edits: _Parsed) -> RuleList:
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
