"""`clearwood edit`: rules or curves changed by hand, and what that does to the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clearwood.cli.options import Output, RulePath, SaveRules, flag, option, options, refuse_given
from clearwood.cli.output import answer, check_place
from clearwood.cli.sources import TableOptions
from clearwood.errors import SettingError
from clearwood.records import dataclass

if TYPE_CHECKING:
    from clearwood.editing.edits import EditedRules
    from clearwood.models.kinds.rules.rule_list import RuleList


@options("Edits of rules; their numbers are those before the edit, counted from 1")
class Edits:
    """What is to be done to the list, as it is typed."""

    change: list[str] | None = option("N:'IF … THEN …'", "Replace rule N by this one.")
    move: list[str] | None = option("N:M", "Move rule N to place M.")
    delete: list[int] | None = option("N", "Delete rule N.")
    add: list[str] | None = option("'IF … THEN …'", "A new rule, after the others.")
    at: int | None = option("N", "Add as the N-th rule of the new list.", name="--place")
    otherwise: str | None = option("CLASS", "The default rule's prediction, or 'nothing'.")


@options("Edits of an additive model's curves, in this order")
class CurveEdits:
    """What is to be done to the curves of an additive model, as it is typed."""

    monotone: list[str] | None = option(
        "COLUMN=up|down[:CLASS]", "Let the probability of a class never fall, or rise, by a curve."
    )
    flatten: list[str] | None = option("COLUMN[=LOW..HIGH]", "Make it level, there or overall.")
    smooth: list[str] | None = option("COLUMN[=CELLS]", "Smooth it, over 5 cells or so many (odd).")
    set_points: list[str] | None = option("COLUMN=WHERE:POINTS", "At LOW..HIGH, a value or missing.")
    drop: list[str] | None = option("COLUMN", "Drop a curve, or a pair: 'A × B'.")
    with_pairs: bool = flag("Drop their pairs with columns.")
    called: str | None = option(
        "CLASS", "Whose curve goes up, or gets points (guessed of two).", name="--positive"
    )


@options()
class EditOptions:
    """What `clearwood edit` takes."""

    rules: RulePath
    edits: Edits
    curves: CurveEdits
    source: TableOptions
    train: str | None = option("DATA", "The training rows, to score on, and to count rules on.")
    test: str | None = option("DATA", "Held-out rows, to score on.")
    save: SaveRules = None
    output: Output


def run(asked: EditOptions) -> None:
    """Edit the list, and score it before and after."""
    from clearwood.cli.edit_curves import CURVE_EDITS, edit_curves
    from clearwood.cli.rule_files import additive_in, read_rule_file, save_rules
    from clearwood.editing.edits import compare_scores
    from clearwood.models.model import model_in_words

    places = [each for each in (asked.train, asked.test) if each is not None]
    check_place(asked.save, asked.rules, *places)
    additive = additive_in(asked.rules)
    if additive is not None:
        refuse_given(
            f"is about rules, and {asked.rules} holds {model_in_words(additive)}. {CURVE_EDITS}", asked.edits
        )
        edit_curves(asked, additive)
        return
    refuse_given(f"is about curves, and {asked.rules} holds no additive model.", asked.curves)
    parsed = _parsed(asked.edits)
    file = read_rule_file(asked.rules, asked.source, asked.output, *places)
    tables = dict(zip(places, file.tables, strict=True))
    done = compare_scores(
        file.rules,
        _edited(file.rules, parsed),
        training=None if asked.train is None else tables[asked.train],
        held_out=None if asked.test is None else tables[asked.test],
    )
    if asked.save is not None:
        save_rules(done.rules, asked.save)
    answer(
        asked.output,
        text=lambda: _to_text(done, with_rules=not asked.output.quiet),
        data=lambda: _to_json(done),
        notes=file.notes,
        saved=asked.save,
    )


def _to_text(done: EditedRules, *, with_rules: bool) -> str:
    from clearwood.models.kinds.rules.rule_text import write_rules
    from clearwood.study.scores import phrase

    parts = [write_rules(done.rules)] if with_rules else []
    for name, pair in (("training", done.training), ("held out", done.held_out)):
        if pair is not None:
            parts.append(f"{name}, before  {phrase(pair[0])}\n{name}, after   {phrase(pair[1])}")
    return "\n\n".join(parts)


def _to_json(done: EditedRules) -> dict[str, Any]:
    from clearwood.models.kinds.rules.rule_text import write_rules
    from clearwood.study.scores import evaluation_to_json

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
    from clearwood.editing.edits import add_rule, change_rule, delete_rules, move_rule, with_otherwise
    from clearwood.models.kinds.rules.rule_reading import parse_answer, parse_rule

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
