"""`clearwood edit`: rules or curves changed by hand, and what that does to the scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from clearwood.cli.options import Output, RulePath, SaveRules, flag, option, options, refuse_given
from clearwood.cli.output import answer, check_place, note
from clearwood.cli.settings import literal_choice
from clearwood.cli.sources import TableOptions, rows_for, save_model
from clearwood.errors import SettingError

if TYPE_CHECKING:
    from clearwood.models.kinds.additive.additive_model import AdditiveModel
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
    """Edit the list or the curves, and score it before and after."""
    from clearwood.cli.rule_files import additive_in

    check_place(asked.save, asked.rules, asked.train, asked.test)
    additive = additive_in(asked.rules)
    if additive is None:
        _edit_rules(asked)
    else:
        _edit_curves(asked, additive)


def _edit_rules(asked: EditOptions) -> None:
    from clearwood.cli.rule_files import read_rule_file, save_rules
    from clearwood.editing.edits import compare_scores
    from clearwood.models.kinds.rules.rule_text import write_rules
    from clearwood.study.scores import evaluation_to_json, phrase

    refuse_given(f"is about curves, and {asked.rules} holds no additive model.", asked.curves)
    edits = asked.edits
    if edits.at is not None and not edits.add:
        raise SettingError("--place says where a rule is added: give it with --add.")
    moves = [
        (number, _number("--move", place, "N:M", text))
        for text in edits.move or ()
        for number, place in [_numbered("--move", text, "N:M")]
    ]
    changes = [_numbered("--change", text, "N:IF … THEN …") for text in edits.change or ()]
    places = [each for each in (asked.train, asked.test) if each is not None]
    file = read_rule_file(asked.rules, asked.source, asked.output, *places)
    tables = dict(zip(places, file.tables, strict=True))
    done = compare_scores(
        file.rules,
        _edited_rules(file.rules, changes, moves, edits),
        training=None if asked.train is None else tables[asked.train],
        held_out=None if asked.test is None else tables[asked.test],
    )
    if asked.save is not None:
        save_rules(done.rules, asked.save)
    _answer(
        asked,
        lambda: write_rules(done.rules),
        lambda: {"rules": write_rules(done.rules).splitlines()},
        {"training": done.training, "held out": done.held_out},
        phrase,
        evaluation_to_json,
        notes=file.notes,
    )


def _answer(
    asked: EditOptions,
    shown: Callable[[], str],
    data: Callable[[], dict[str, Any]],
    scores: Mapping[str, tuple[Any, Any] | None],
    in_words: Callable[[Any], str],
    as_json: Callable[[Any], Any],
    *,
    done: str = "",
    notes: Iterable[str],
) -> None:
    """What was edited, and the scores before and after, by the rows that they are of."""
    pairs = {name: pair for name, pair in scores.items() if pair is not None}

    def text() -> str:
        parts = ["" if asked.output.quiet else shown(), done]
        for name, (before, after) in pairs.items():
            parts.append(f"{name}, before  {in_words(before)}\n{name}, after   {in_words(after)}")
        return "\n\n".join(filter(None, parts))

    def before_and_after() -> dict[str, Any]:
        return {
            name.replace(" ", "_"): {"before": as_json(before), "after": as_json(after)}
            for name, (before, after) in pairs.items()
        }

    answer(asked.output, text=text, data=lambda: data() | before_and_after(), notes=notes, saved=asked.save)


def _edited_rules(
    rules: RuleList, changes: list[tuple[int, str]], moves: list[tuple[int, int]], edits: Edits
) -> RuleList:
    """The list after all edits; each text is refused with its place in the option that holds it."""
    from clearwood.editing.edits import add_rule, change_rule, delete_rules, move_rule, with_otherwise
    from clearwood.models.kinds.rules.rule_reading import parse_answer, parse_rule

    schema = rules.schema
    for number, text in changes:
        rules = change_rule(rules, number, parse_rule(text, schema, "--change"))
    numbers = list(range(1, len(rules) + 1))  # by place, the number that each rule had

    def place_of(number: int) -> int:
        if number not in numbers:
            raise SettingError(f"There is no rule {number}: the list has {len(numbers)}, counted from 1.")
        return numbers.index(number) + 1

    for number, to in moves:
        at = place_of(number)
        rules = move_rule(rules, at, to)
        numbers.insert(to - 1, numbers.pop(at - 1))
    if edits.delete:
        rules = delete_rules(rules, *map(place_of, edits.delete))
    for place, text in enumerate(edits.add or ()):
        at_place = None if edits.at is None else edits.at + place
        rules = add_rule(rules, parse_rule(text, schema, "--add"), at_place)
    if edits.otherwise is not None:
        rules = with_otherwise(rules, parse_answer(edits.otherwise, schema, "--otherwise"))
    return rules


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


# Edits of an additive model: its curves by hand, with the price on other rows.


def _edit_curves(asked: EditOptions, model: AdditiveModel) -> None:
    from clearwood.cli.drawing import model_text
    from clearwood.editing.curves import CurveScores, compare_curves
    from clearwood.models.in_words import in_words
    from clearwood.models.lineage import CurveEdited
    from clearwood.models.model import model_in_words
    from clearwood.study.known_rows import is_learned_from

    refuse_given(
        f"is about rules, and {asked.rules} holds {model_in_words(model)}. Its edits: --monotone, --flatten, "
        "--smooth, --set-points, --drop; see clearwood edit --help.",
        asked.edits,
    )
    refuse_given(
        f"has no effect: {asked.rules} already has the kinds of its columns. Leave it out.",
        asked.source.columns,
    )
    if asked.train is None and asked.test is None:
        refuse_given("is about DATA, but none is given. Leave it out.", asked.source.reading)
    if asked.save is not None and asked.save.suffix not in (".json", ".gz"):
        raise SettingError(f"An additive model is saved as .json or .gz, not as {asked.save.name}.")
    edited = _edited_curves(model, asked.curves)
    compared: dict[str, tuple[CurveScores, CurveScores]] = {}
    notes: list[str] = []
    for name, data in (("training", asked.train), ("held out", asked.test)):
        if data is None:
            continue
        rows = rows_for(model, data, asked.source.reading, asked.output)
        notes += rows.notes
        compared[name] = compare_curves(model, edited, rows).held_out
        if name == "held out" and is_learned_from(model, rows):
            seen = (
                "The model was learned from the rows of --test: they say too little of what the edits cost."
            )
            notes.append(seen)
            note([seen], asked.output)
    save_model(edited, asked.save)
    done = [each for each in edited.origin.after[len(model.origin.after) :] if isinstance(each, CurveEdited)]

    def scores(of: CurveScores) -> dict[str, float]:
        named = {"cost": of.cost, "accuracy": of.accuracy, "log_loss": of.log_loss, "rmse": of.rmse}
        return {name: value for name, value in named.items() if value is not None}

    _answer(
        asked,
        lambda: model_text(edited, positive=asked.curves.called),
        lambda: {"edits": [in_words(each) for each in done]},
        compared,
        str,
        scores,
        done="\n".join(f"{number}. {in_words(each)}" for number, each in enumerate(done, 1)),
        notes=notes,
    )


def _edited_curves(model: AdditiveModel, edits: CurveEdits) -> AdditiveModel:
    """The model after all edits, each refused in a sentence where it makes no sense."""
    from clearwood.editing.curves import drop_term, flatten, make_monotone, smooth

    called = edits.called
    if called is not None and not edits.monotone and not edits.set_points:
        raise SettingError(
            "--positive names the class of --monotone or --set-points: give it with one of them."
        )
    if edits.with_pairs and not edits.drop:
        raise SettingError("--with-pairs says what goes with a dropped column: give it with --drop.")
    for text in edits.monotone or ():
        column, how = _column(model, "--monotone", text, "COLUMN=up:CLASS or COLUMN=down:CLASS")
        way, _, whose = (how or "").partition(":")
        direction: Literal["up", "down"] = literal_choice("direction", way, Literal["up", "down"])
        model = make_monotone(model, column, direction, called=whose or called)
    for text in edits.flatten or ():
        column, how = _column(model, "--flatten", text, "COLUMN or COLUMN=LOW..HIGH")
        low, high = (None, None) if how is None else _stretch(model, "--flatten", column, how, text)
        model = flatten(model, column, low, high)
    for text in edits.smooth or ():
        column, how = _column(model, "--smooth", text, "COLUMN or COLUMN=CELLS")
        width = 5 if how is None else _parsed("--smooth", how, int, "a whole number of cells", text)
        model = smooth(model, column, width)
    for text in edits.set_points or ():
        model = _with_points(model, text, called)
    for text in edits.drop or ():
        model = drop_term(model, *_term(model, text), with_pairs=edits.with_pairs)
    return model


def _with_points(model: AdditiveModel, text: str, called: str | None) -> AdditiveModel:
    from clearwood.editing.curves import set_points

    form = "COLUMN=LOW..HIGH:POINTS or COLUMN=VALUE:POINTS"
    column, how = _column(model, "--set-points", text, form)
    where, colon, number = (how or "").rpartition(":")
    if not colon:
        raise SettingError(f"--set-points takes {form}, not '{text}'.")
    points = _parsed("--set-points", number, float, "a number of points", text)
    values = getattr(model.schema[column], "values", ())
    if where in values or where == "missing" or ".." not in where:
        return set_points(model, column, points, value=where, called=called)
    low, high = _stretch(model, "--set-points", column, where, text)
    return set_points(model, column, points, low=low, high=high, called=called)


def _column(model: AdditiveModel, option: str, text: str, form: str) -> tuple[str, str | None]:
    """The column, and what stands after its `=`; a column's own name may hold one."""
    names = [shape.name for shape in model.shapes]
    if text in names:
        return text, None
    own = [name for name in names if text.startswith(f"{name}=")]
    if own:
        name = max(own, key=len)
        return name, text[len(name) + 1 :]
    if not text:
        raise SettingError(f"{option} takes {form}.")
    name, equals, rest = text.partition("=")
    return model[name].name, rest if equals else None  # refuses the name, and says which may be meant


def _stretch(
    model: AdditiveModel, option: str, column: str, how: str, text: str
) -> tuple[float | str | None, float | str | None]:
    """Both ends of LOW..HIGH, of which either may be left out."""
    from clearwood.table.attributes import Numeric

    low, dots, high = how.partition("..")
    if not dots:
        raise SettingError(f"{option} takes a stretch as LOW..HIGH, LOW.. or ..HIGH, not '{text}'.")
    if not isinstance(model.schema[column], Numeric):
        return low or None, high or None
    ends = [
        _parsed(option, end, float, "numbers around the dots", text) if end else None for end in (low, high)
    ]
    return ends[0], ends[1]


def _parsed(option: str, text: str, kind: Callable[[str], Any], what: str, given: str) -> Any:
    try:
        return kind(text)
    except ValueError:
        raise SettingError(f"{option} takes {what}, not '{given}'.") from None


def _term(model: AdditiveModel, text: str) -> tuple[str, ...]:
    """The columns of a curve or a pair as a person types them: its name, or with * for ×."""
    from clearwood.models.kinds.additive.additive_model import curves_in, name_of, sides_of

    for term in curves_in(model):
        names = tuple(name for name, _ in sides_of(term))
        if text in (name_of(term), "*".join(names), " * ".join(names)):
            return names
    return tuple(re.split(r" [×*] ", text))
