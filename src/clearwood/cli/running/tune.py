"""What `tune` does: read the grid, tune, say what was chosen and what may be quoted, save and draw."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType
from typing import Any

from clearwood.catalogue import SCORES, learner_called
from clearwood.cli.charting import check_chart
from clearwood.cli.deciding import deciding_of
from clearwood.cli.decision_options import Decisions
from clearwood.cli.dividing import check_judging, design_of, table_to_divide, with_usual_folds
from clearwood.cli.drawing import drawn_to_fit
from clearwood.cli.grids import FORM, grid_in
from clearwood.cli.judging_options import Judging
from clearwood.cli.learning import note_on_default, recipe_maker
from clearwood.cli.learning_options import Learning
from clearwood.cli.options import Output
from clearwood.cli.output import answer, note
from clearwood.cli.progress import trying
from clearwood.cli.settings import parsed_value
from clearwood.cli.source_options import Source, pairs
from clearwood.cli.writing import check_place
from clearwood.errors import SettingError
from clearwood.registry import Setting
from clearwood.study.contest.steps_for_all import StepsForAll
from clearwood.study.designs import FOLDS, columns_for_dividing
from clearwood.study.recipe import Recipe
from clearwood.study.tuning.grids import SettingGrid
from clearwood.study.tuning.trials import InterruptedTuningError
from clearwood.study.tuning.tuner import Tuning, tune
from clearwood.study.tuning.words import sentences, trials_in_text

_COSTS = Setting("--costs", (Mapping[tuple[str, str], float], NoneType), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningAsked:
    """What is tried, and what it is judged by, as typed."""

    grid: Sequence[str]
    draws: int | None
    one_se: bool
    nested: int | None
    resume: Path | None
    by: str | None
    positive: str | None
    costs: str | None
    decisions: Decisions
    balance: str | None
    select: str | None


def run(
    data: str,
    source: Source,
    learning: Learning,
    judging: Judging,
    output: Output,
    asked: TuningAsked,
    *,
    save: Path | None,
    place: Path | None,
) -> None:
    """From a table and a grid to what was chosen."""
    if not asked.grid:
        raise SettingError("Which settings are tried? Name values: --grid max_depth=3..10.")
    check_chart(place, data)
    check_judging(with_usual_folds(judging))
    recipe_for = recipe_maker(learning, select=asked.select, balance=asked.balance, positive=asked.positive)
    if asked.costs is not None and asked.decisions.cutoff is not None:
        raise SettingError("Give --costs, by which every trial decides, or --cutoff, not both.")
    deciding = deciding_of(asked.decisions, learning.seed)
    costs = None if asked.costs is None else parsed_value(_COSTS, asked.costs)
    for path in (save, asked.resume):
        check_place(path, data)
    _refuse_twice(learning, asked)
    _refuse_in_vain(asked)
    if learning.learner is not None:
        _grid(learning.learner, learner_called(learning.learner).load(), learning, asked)
    table = table_to_divide(data, source, judging, output)
    recipe = recipe_for(table)
    if deciding is not None:
        recipe = replace(recipe, after=(*recipe.after, deciding))
    if not table.schema.classes:
        StepsForAll(lambda _: recipe.before, recipe.after).check_classes(recipe.learner)
    maker: Callable[..., Any] = type(recipe.learner)
    grid = _grid(learning.learner or maker.__name__, maker, learning, asked)
    folds = str(min(FOLDS, max(len(table), 2)))
    with trying("Tuning"), _journal_named(asked.resume):
        tuned = tune(
            recipe if recipe.before or recipe.after else recipe.learner,
            table,
            grid,
            design=design_of(with_usual_folds(judging, folds), learning.seed, len(table)),
            by=asked.by,
            one_se=asked.one_se,
            nested=asked.nested,
            positive=asked.positive,
            costs=costs,
            resume=asked.resume,
        )
    notes = _notes(learning, recipe, tuned)
    note(notes, output)
    if save is not None:
        from clearwood.models.files import save as save_model  # late: only what is saved needs its forms

        save_model(tuned.model, save)
    if place is not None:
        from clearwood.draw.charts.settings import tuning as chart  # late: it needs the renderer

        drawn = chart(tuned)
        drawn.save(place)
        note([f"Drawn to {place}: {drawn.alt}"], output)
    answer(
        output,
        text=lambda: _to_text(tuned, quiet=output.quiet),
        data=lambda: _to_json(tuned),
        notes=[*table.notes, *notes],
        saved=save,
    )


@contextmanager
def _journal_named(journal: Path | None) -> Iterator[None]:
    """Where tuning ends before there is anything to choose from, say where what was tried is kept."""
    try:
        yield
    except InterruptedTuningError as error:
        if journal is None:
            raise
        raise InterruptedTuningError(error.sentence, f" It goes on with --resume {journal}.") from None


def _grid(owner: str, maker: Callable[..., Any], learning: Learning, asked: TuningAsked) -> SettingGrid:
    return grid_in(owner, asked.grid, maker, draws=asked.draws, seed=learning.seed or 0)


def _refuse_twice(learning: Learning, asked: TuningAsked) -> None:
    set_to = pairs("--set", learning.settings, "NAME=VALUE")
    for name in pairs("--grid", asked.grid, FORM):
        if name in set_to:
            raise SettingError(f"{name} is given by --set and by --grid. Give it once.")


def _refuse_in_vain(asked: TuningAsked) -> None:
    """Refuse what the score asked for does not depend on."""
    name = asked.by or ("accuracy" if asked.costs is None else "cost")
    entry = SCORES.get(name)
    if entry is None:
        return  # another sentence will say which scores there are
    if asked.positive is not None and not entry.about_positive:
        about = ", ".join(each for each in SCORES if SCORES[each].about_positive)
        raise SettingError(f"--positive is for a score about one class. Tune by one of: --score {about}.")
    if asked.costs is not None and not name.startswith(("cost", "profit")):
        raise SettingError(f"--costs has no effect on {entry.label}. Leave it out, or tune by --score cost.")


def _notes(learning: Learning, recipe: Recipe, tuned: Tuning) -> list[str]:
    """What was chosen on the user's behalf."""
    notes = [
        f"Rows are divided by '{name}' for evaluation, so it is not learned from."
        for name in columns_for_dividing(tuned.design)
    ]
    notes += note_on_default(learning, recipe)
    if tuned.judging.guessed:
        notes.append(
            f"{tuned.entry.label} is about one class, taken to be '{tuned.judging.guessed}'. "
            "For another: --positive CLASS."
        )
    return notes


def _to_text(tuned: Tuning, *, quiet: bool) -> str:
    lines = [] if quiet else [*drawn_to_fit(tuned.model), ""]
    lines += [*trials_in_text(tuned), "", *sentences(tuned)]
    if tuned.nested is None and not tuned.ended and len(tuned.trials) > 1:
        lines[-1] = "For a score to quote, tune within outer folds as well: --nested 5."
    return "\n".join(lines)


def _to_json(tuned: Tuning) -> dict[str, Any]:
    from clearwood.models.files import to_json  # late: as for saving

    return {**tuned.to_json(), "model": json.loads(to_json(tuned.model))}
