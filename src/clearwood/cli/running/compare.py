"""What `compare` does: models on the same rows, learners by the same folds, or learners over many tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Literal

from clearwood.cli.charting import check_chart
from clearwood.cli.commands.compare import Learners, ManyTables
from clearwood.cli.dividing import check_judging, design_of, table_to_divide, with_usual_folds
from clearwood.cli.grouped import given_in, refuse_given
from clearwood.cli.judged_rows import notes_of_models, rows_met
from clearwood.cli.learning import learners_by_text, literal_choice
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import working
from clearwood.cli.settings import parsed_value
from clearwood.cli.source_options import Reading, Source
from clearwood.cli.sources import coded_for, holds_model, load_model, raw_in
from clearwood.cli.writing import check_place
from clearwood.draw.charts.comparison import critical_difference, differences
from clearwood.draw.picture import Picture
from clearwood.errors import SettingError
from clearwood.registry import Setting
from clearwood.scoring import SCORES
from clearwood.scoring.differences.bayes import ROPE
from clearwood.scoring.score import Better
from clearwood.study.comparing.learners import compare_learners
from clearwood.study.comparing.models import check_same_target, compared_on
from clearwood.study.comparing.over_tables import compare_over_tables
from clearwood.table.coding import as_numbers, as_strings
from clearwood.table.raw import Raw
from clearwood.words.numbers import many as many_of


def run(
    files: Sequence[str],
    source: Source,
    learning: Learners,
    many: ManyTables,
    output: Output,
    *,
    costs: str | None,
    rope: float | None,
    place: Path | None,
) -> None:
    """By what was given: a table of scores, models and rows, or a table and learners."""
    check_chart(place, *files)
    if rope is not None and not rope >= 0:
        raise SettingError(f"--rope is a difference from 0 up, not {rope:g}.")
    paid = None if costs is None else _costs(costs)
    if many.scores is not None:
        _refuse("is not for --scores, whose scores are there already. Leave it out.", files, learning, source)
        if costs is not None:
            raise SettingError("--costs is not for --scores, whose scores are there already. Leave it out.")
        _scores(many, source.reading, output, rope, place)
        return
    refuse_given("is for a table of scores: give it with --scores FILE, or leave it out.", many)
    if len(files) > 1:
        refuse_given("is for learners, but models are given, learned already. Leave it out.", learning)
        refuse_given("says what columns are, but models know their columns. Leave it out.", source.columns)
        _models(files[:-1], files[-1], source.reading, output, paid, rope, place)
        return
    if not files:
        raise SettingError(
            "Name models and the rows to compare them on (clearwood compare a.json b.json later.csv), or a "
            "table and learners (clearwood compare DATA -t COLUMN -l cart -l c45)."
        )
    _learners(files[0], source, learning, output, paid, rope, place)


def _models(
    models: Sequence[str],
    data: str,
    reading: Reading,
    output: Output,
    costs: Mapping[tuple[str, str], float] | None,
    rope: float | None,
    place: Path | None,
) -> None:
    if holds_model(data):
        raise SettingError(f"The last file is the rows to compare the models on, but {data} holds a model.")
    if len(models) < 2:
        raise SettingError(
            f"One model, {models[0]}, and rows: name another model to compare it with. To evaluate one "
            f"alone: clearwood evaluate {models[0]} {data}."
        )
    twice = next((each for each in models if models.count(each) > 1), None)
    if twice is not None:
        raise SettingError(f"{twice} is given twice. Name each model once.")
    loaded = {each: load_model(Path(each)) for each in models}
    check_same_target({f"'{name}'": model for name, model in loaded.items()})
    raw = raw_in(data, reading)
    # Each model codes the rows by its own schema; what was guessed of the file is the same for all.
    tables = {name: coded_for(model, raw) for name, model in loaded.items()}
    met = {name: rows_met(raw, model, tables[name]) for name, model in loaded.items()}
    read = dict.fromkeys(text for table in tables.values() for text in table.notes)
    notes = (*read, *notes_of_models(met))
    note(notes, output)
    with working("Comparing"):
        comparison = compared_on(loaded, tables, costs, rope)
    _answer(comparison, notes, output, place, lambda: differences(comparison))


def _learners(
    data: str,
    source: Source,
    learning: Learners,
    output: Output,
    costs: Mapping[tuple[str, str], float] | None,
    rope: float | None,
    place: Path | None,
) -> None:
    if holds_model(data):
        raise SettingError(
            f"{data} holds a model. Name another model, and last the rows to compare them on: "
            f"clearwood compare {data} OTHER.json DATA."
        )
    if not learning.learners:
        raise SettingError(
            "Which learners are to be compared? Name two or more: -l cart -l c45:confidence=0.1. (Where "
            "the trees of learners part, and why: clearwood derive DATA --compare.)"
        )
    # Ten folds, or as many as there are rows, where nothing is said of judging.
    asked = any(given_in(learning.judging))
    judging = with_usual_folds(learning.judging) if asked else learning.judging
    check_judging(judging)
    named = learners_by_text(learning.learners)
    if len(named) < 2:
        raise SettingError("One learner is given: name another to compare it with, -l NAME.")
    if learning.positive is not None and not _is_about_one_class(learning.score):
        raise SettingError(
            "--positive names the class of scores that are about one: "
            f"{', '.join(name for name in SCORES if _is_about_one_class(name)) or 'none'}. Leave it out."
        )
    table = table_to_divide(data, source, judging, output)
    design = design_of(judging, learning.seed, len(table))
    with working(f"Comparing {len(named)} learners"):
        comparison = compare_learners(
            named,
            table,
            design,
            score=learning.score,
            positive=learning.positive or "",
            costs=costs,
            rope=rope,
            seed=learning.seed or 0,
        )
    _answer(comparison, table.notes, output, place, lambda: differences(comparison))


def _scores(
    many: ManyTables, reading: Reading, output: Output, rope: float | None, place: Path | None
) -> None:
    assert many.scores is not None
    check_place(place, many.scores)
    better: Better = literal_choice("way", many.better or "more", Literal["more", "less"])
    raw = raw_in(many.scores, reading)
    tables, scores = _matrix(raw)
    comparison = compare_over_tables(
        scores,
        tables=tables,
        better=better,
        alpha=0.05 if many.alpha is None else many.alpha,
        rope=ROPE if rope is None else rope,
    )
    _answer(comparison, raw.notes, output, place, lambda: critical_difference(comparison))


def _matrix(raw: Raw) -> tuple[list[str], dict[str, list[float]]]:
    """The names in the first column, and the numbers under each learner's name."""
    if len(raw.names) < 3:
        raise SettingError(
            f"{raw.where} has {many_of(len(raw.names), 'column')}. A table of scores has the tables' names "
            "first, then a column for each of two or more learners."
        )
    first = as_strings(raw.columns[0])
    tables = ["" if code < 0 else first.values[code] for code in first.codes.tolist()]
    if "" in tables:
        raise SettingError(
            f"{raw.where}, row {tables.index('') + 1}: the table has no name in the first column."
        )
    scores = {}
    for name, column in zip(raw.names[1:], raw.columns[1:], strict=True):
        scores[name] = [float(each) for each in as_numbers(column, name, settled=True)]
    return tables, scores


def _answer(
    comparison: Any,
    notes: Sequence[str],
    output: Output,
    place: Path | None,
    chart: Callable[[], Picture],
) -> None:
    if place is not None:
        drawn = chart()
        drawn.save(place)
        note([f"Drawn to {place}: {drawn.alt}"], output)
    answer(
        output,
        text=lambda: str(comparison).rstrip("\n"),
        data=comparison.to_json,
        notes=[*notes, *comparison.notes],
        saved=place,
    )


def _refuse(because: str, files: Sequence[str], learning: Learners, source: Source) -> None:
    if files:
        raise SettingError(f"{files[0]} {because}")
    refuse_given(because, learning, source.columns)


def _is_about_one_class(score: str | None) -> bool:
    return score is not None and score in SCORES and SCORES[score].about_positive


def _costs(text: str) -> Mapping[tuple[str, str], float]:
    """`bad/good:5,…` as learners' settings have them."""
    setting = Setting("costs", (Mapping[tuple[str, str], float], NoneType), None)
    costs: Mapping[tuple[str, str], float] = parsed_value(setting, text)
    return costs
