"""`clearwood compare`: saved models on the same rows, learners by the same folds, or a table of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from clearwood.catalogue import LEARNERS
from clearwood.cli.evaluation_options import Judging, costs_in
from clearwood.cli.learning import Seed, learners_by_text
from clearwood.cli.options import (
    LEARNING,
    ChartPath,
    Output,
    Positive,
    argument,
    given_in,
    option,
    options,
    refuse_given,
)
from clearwood.cli.output import answer, check_chart, check_place, note, save_chart, working
from clearwood.cli.settings import literal_choice
from clearwood.cli.sources import TableOptions, coded_for, holds_model, load_model, raw_in
from clearwood.errors import SettingError
from clearwood.scoring import SCORES, Better
from clearwood.words.numbers import many as many_of

if TYPE_CHECKING:
    from clearwood.table.raw import Raw

_Costs: TypeAlias = Mapping[tuple[str, str], float]
_COMPARING: Final = "How to compare"


@options()
class Learners:
    """The learners that are compared on one table, and how."""

    learners: list[str] | None = option(
        "NAME[:SETTING=VALUE,…]",
        "May be repeated; clearwood learners lists them.",
        LEARNING,
        name="--learner",
        short="-l",
        among=LEARNERS,
    )
    judging: Judging
    score: str | None = option("NAME", "accuracy, auc, rmse, …", _COMPARING)
    positive: Positive = None
    seed: Seed = None


@options(_COMPARING)
class ManyTables:
    """A table of scores that other programs or runs have made."""

    scores: str | None = option("FILE", "A line per table, a column per learner.")
    better: str | None = option("WAY", "Of --scores: more or less (more).")
    alpha: float | None = option("P", "Of --scores: the level (0.05).")


@options()
class CompareOptions:
    """What `clearwood compare` takes."""

    files: list[str] | None = argument(
        "[MODEL…] DATA", "Models and, last, rows; or a table to learn.", default=None, show_default=False
    )
    source: TableOptions
    learning: Learners
    many: ManyTables
    costs: str | None = option("TRUE/PREDICTED:COST,…", "What mistakes cost: bad/good:5.", _COMPARING)
    rope: float | None = option("NUMBER", "Differences too small to matter.", _COMPARING)
    picture: ChartPath = None
    output: Output


def run(asked: CompareOptions) -> None:
    """By what was given: a table of scores, models and rows, or a table and learners."""
    files = asked.files or []
    check_chart(asked.picture, *files)
    if asked.rope is not None and not asked.rope >= 0:
        raise SettingError(f"--rope is a difference from 0 up, not {asked.rope:g}.")
    paid = costs_in(asked.costs, "costs")
    if asked.many.scores is not None:
        _scores(asked)
        return
    refuse_given("is for a table of scores: give it with --scores FILE, or leave it out.", asked.many)
    if len(files) > 1:
        refuse_given("is for learners, but models are given, learned already. Leave it out.", asked.learning)
        refuse_given(
            "says what columns are, but models know their columns. Leave it out.", asked.source.columns
        )
        _models(asked, files[:-1], files[-1], paid)
        return
    if not files:
        raise SettingError(
            "Name models and the rows to compare them on (clearwood compare a.json b.json later.csv), or a "
            "table and learners (clearwood compare DATA -t COLUMN -l cart -l c45)."
        )
    _learners(asked, files[0], paid)


def _models(asked: CompareOptions, models: Sequence[str], data: str, costs: _Costs | None) -> None:
    from clearwood.cli.evaluation_rows import notes_of_models, unusual_rows
    from clearwood.study.comparing.models import check_same_target, compared_on

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
    raw = raw_in(data, asked.source.reading)
    # Each model codes the rows by its own schema; what was guessed of the file is the same for all.
    tables = {name: coded_for(model, raw) for name, model in loaded.items()}
    met = {name: unusual_rows(raw, model, tables[name]) for name, model in loaded.items()}
    read = dict.fromkeys(text for table in tables.values() for text in table.notes)
    notes = (*read, *notes_of_models(met))
    note(notes, asked.output)
    with working("Comparing"):
        comparison = compared_on(loaded, tables, costs, asked.rope)
    _answer(asked, comparison, notes, "differences")


def _learners(asked: CompareOptions, data: str, costs: _Costs | None) -> None:
    from clearwood.study.comparing.learners import compare_learners

    learning = asked.learning
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
    divided = any(given_in(learning.judging))
    judging = learning.judging.with_usual_folds() if divided else learning.judging
    judging.check()
    named = learners_by_text(learning.learners)
    if len(named) < 2:
        raise SettingError("One learner is given: name another to compare it with, -l NAME.")
    if learning.positive is not None and not _is_about_one_class(learning.score):
        raise SettingError(
            "--positive names the class of scores that are about one: "
            f"{', '.join(name for name in SCORES if _is_about_one_class(name)) or 'none'}. Leave it out."
        )
    table = judging.table(data, asked.source, asked.output)
    design = judging.design(learning.seed, len(table))
    with working(f"Comparing {len(named)} learners"):
        comparison = compare_learners(
            named,
            table,
            design,
            score=learning.score,
            positive=learning.positive or "",
            costs=costs,
            rope=asked.rope,
            seed=learning.seed or 0,
        )
    _answer(asked, comparison, table.notes, "differences")


def _scores(asked: CompareOptions) -> None:
    from clearwood.scoring.differences.paired import ROPE
    from clearwood.study.comparing.over_tables import compare_over_tables

    because = "is not for --scores, whose scores are there already. Leave it out."
    if asked.files:
        raise SettingError(f"{asked.files[0]} {because}")
    refuse_given(because, asked.learning, asked.source.columns)
    if asked.costs is not None:
        raise SettingError(f"--costs {because}")
    many, rope = asked.many, asked.rope
    assert many.scores is not None
    check_place(asked.picture, many.scores)
    better: Better = literal_choice("way", many.better or "more", Literal["more", "less"])
    raw = raw_in(many.scores, asked.source.reading)
    tables, scores = _matrix(raw)
    comparison = compare_over_tables(
        scores,
        tables=tables,
        better=better,
        alpha=0.05 if many.alpha is None else many.alpha,
        rope=ROPE if rope is None else rope,
    )
    _answer(asked, comparison, raw.notes, "critical_difference")


def _matrix(raw: Raw) -> tuple[list[str], dict[str, list[float]]]:
    """The names in the first column, and the numbers under each learner's name."""
    from clearwood.table.coding import as_numbers, as_strings

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
    learners = zip(raw.names[1:], raw.columns[1:], strict=True)
    return tables, {name: as_numbers(column, name, settled=True).tolist() for name, column in learners}


def _answer(asked: CompareOptions, comparison: Any, notes: Sequence[str], chart: str) -> None:
    save_chart(chart, comparison, place=asked.picture, output=asked.output)
    answer(
        asked.output,
        comparison,
        text=lambda: str(comparison).rstrip("\n"),
        notes=[*notes, *comparison.notes],
        saved=asked.picture,
    )


def _is_about_one_class(score: str | None) -> bool:
    return score is not None and score in SCORES and SCORES[score].about_positive
