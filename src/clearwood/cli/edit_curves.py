"""What `edit` does to an additive model: its curves by hand, with the ledger and the price on other rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Literal

from clearwood.cli.commands.edit import CurveEdits, EditOptions
from clearwood.cli.drawing import model_text
from clearwood.cli.options import refuse_given
from clearwood.cli.output import answer, note
from clearwood.cli.settings import literal_choice
from clearwood.cli.sources import rows_for
from clearwood.editing.curves import (
    CurveScores,
    EditedCurves,
    compare_curves,
    drop_term,
    flatten,
    make_monotone,
    set_points,
    smooth,
)
from clearwood.errors import SettingError
from clearwood.learners.training import fingerprint
from clearwood.models.files import save as save_model
from clearwood.models.kinds.additive.additive_model import AdditiveModel, curves_in, name_of, sides_of
from clearwood.models.lineage import CurveEdited
from clearwood.models.lineage_words import in_words
from clearwood.study.known_rows import has_seen
from clearwood.table.attributes import Numeric

CURVE_EDITS: Final = (
    "Its edits: --monotone, --flatten, --smooth, --set-points, --drop; see clearwood edit --help."
)


def edit_curves(asked: EditOptions, model: AdditiveModel) -> None:
    """Edit the curves, and score the model before and after."""
    refuse_given(
        f"has no effect: {asked.rules} already has the kinds of its columns. Leave it out.",
        asked.source.columns,
    )
    if asked.train is None and asked.test is None:
        refuse_given("is about DATA, but none is given. Leave it out.", asked.source.reading)
    if asked.save is not None and asked.save.suffix not in (".json", ".gz"):
        raise SettingError(f"An additive model is saved as .json or .gz, not as {asked.save.name}.")
    edited = _edited(model, asked.curves)
    compared: dict[str, EditedCurves] = {}
    notes: list[str] = []
    for name, data in (("training", asked.train), ("held out", asked.test)):
        if data is None:
            continue
        rows = rows_for(model, data, asked.source.reading, asked.output)
        notes += rows.notes
        compared[name] = compare_curves(model, edited, rows)
        if name == "held out" and (fingerprint(rows) == model.origin.fingerprint or has_seen(model, rows)):
            seen = (
                "The model was learned from the rows of --test: they say too little of what the edits cost."
            )
            notes.append(seen)
            note([seen], asked.output)
    if asked.save is not None:
        save_model(edited, asked.save)
    done = [each for each in edited.origin.after[len(model.origin.after) :] if isinstance(each, CurveEdited)]

    def text() -> str:
        parts = [] if asked.output.quiet else [model_text(edited, positive=asked.curves.called)]
        parts += ["\n".join(f"{number}. {in_words(each)}" for number, each in enumerate(done, 1))] * bool(
            done
        )
        for name, scores in compared.items():
            before, after = scores.held_out
            parts.append(f"{name}, before  {before}\n{name}, after   {after}")
        return "\n\n".join(parts)

    answer(asked.output, text=text, data=lambda: _to_json(done, compared), notes=notes, saved=asked.save)


def _to_json(done: list[CurveEdited], compared: dict[str, EditedCurves]) -> dict[str, Any]:
    def scores(of: CurveScores) -> dict[str, float]:
        named = {"cost": of.cost, "accuracy": of.accuracy, "log_loss": of.log_loss, "rmse": of.rmse}
        return {name: value for name, value in named.items() if value is not None}

    return {
        "edits": [in_words(each) for each in done],
        **{
            name.replace(" ", "_"): {"before": scores(each.held_out[0]), "after": scores(each.held_out[1])}
            for name, each in compared.items()
        },
    }


def _edited(model: AdditiveModel, edits: CurveEdits) -> AdditiveModel:
    """The model after all edits, each refused in a sentence where it makes no sense."""
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
    for term in curves_in(model):
        names = tuple(name for name, _ in sides_of(term))
        if text in (name_of(term), "*".join(names), " * ".join(names)):
            return names
    return tuple(re.split(r" [×*] ", text))
