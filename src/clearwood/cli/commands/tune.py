"""`clearwood tune`: settings of a learner tried in folds; the best, or the simplest as good, is learned."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clearwood.catalogue import SCORES, learner_called
from clearwood.cli.evaluation_options import Decisions, Judging, costs_in
from clearwood.cli.learning import Learning, note_on_default, recipe_maker
from clearwood.cli.options import (
    DECIDING,
    JUDGING,
    BalanceBy,
    Data,
    Output,
    Save,
    Select,
    flag,
    option,
    options,
)
from clearwood.cli.output import answer, check_chart, check_place, next_with_model, note, save_chart, trying
from clearwood.cli.settings import parsed_value
from clearwood.cli.sources import TableOptions, model_as_json, pairs, save_model
from clearwood.errors import SettingError, check_known
from clearwood.registry import Setting, settings_of
from clearwood.study.designs import FOLDS, columns_for_dividing

if TYPE_CHECKING:
    from clearwood.study.recipe import Recipe
    from clearwood.study.tuning.grids import Range, SettingGrid
    from clearwood.study.tuning.tuner import Tuning

TUNING: Final = "How to tune"
FORM: Final = "NAME=VALUES"
_NUMBER: Final = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE: Final = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::(.*))?")


@options()
class TuneOptions:
    """What `clearwood tune` takes."""

    data: Data
    source: TableOptions
    learning: Learning
    grid: list[str] | None = option(
        "NAME=VALUES", "Try 3..10, 3..30:3, 0.01..1:log or 5,20,50.", TUNING, show_default=False
    )
    draws: int | None = option("N", "Try so many, drawn by --seed, not all.", TUNING)
    one_se: bool = flag("Within one standard error, take the simplest.", TUNING)
    nested: int | None = option("FOLDS", "Outer folds, for a score that may be quoted.", TUNING)
    resume: Path | None = option("FILE", "Keep a journal here, and go on where it ends.", TUNING)
    by: str | None = option("NAME", "Tune by accuracy, auc, cost, rmse, …", JUDGING, name="--score")
    positive: str | None = option("CLASS", "The class that the score is about.", JUDGING)
    costs: str | None = option(
        "TRUE/PREDICTED:COST,…", "What mistakes cost: bad/good:5. Tunes by cost.", DECIDING
    )
    decisions: Decisions
    judging: Judging
    balance: BalanceBy = None
    select: Select = None
    save: Save = None
    chart: Path | None = option("FILE", "Draw the score by the settings here.")
    output: Output


def run(asked: TuneOptions) -> None:
    """From a table and a grid to what was chosen."""
    from clearwood.study.contest.contenders import StepsForAll
    from clearwood.study.tuning.tuner import tune

    if not asked.grid:
        raise SettingError("Which settings are tried? Name values: --grid max_depth=3..10.")
    check_chart(asked.chart, asked.data)
    asked.judging.with_usual_folds().check()
    if asked.costs is not None and asked.decisions.cutoff is not None:
        raise SettingError("Give --costs, by which every trial decides, or --cutoff, not both.")
    recipe_for = recipe_maker(
        asked.learning,
        select=asked.select,
        balance=asked.balance,
        positive=asked.positive,
        deciding=asked.decisions.step(asked.learning.seed),
    )
    costs = costs_in(asked.costs)
    for path in (asked.save, asked.resume):
        check_place(path, asked.data)
    _refuse_twice(asked)
    _refuse_in_vain(asked)
    if asked.learning.learner is not None:
        _grid(asked.learning.learner, learner_called(asked.learning.learner).load(), asked)
    table = asked.judging.table(asked.data, asked.source, asked.output)
    recipe = recipe_for(table)
    if not table.schema.classes:
        StepsForAll(lambda _: recipe.before, recipe.after).check_classes(recipe.learner)
    maker: Callable[..., Any] = type(recipe.learner)
    grid = _grid(asked.learning.learner or maker.__name__, maker, asked)
    folds = str(min(FOLDS, max(len(table), 2)))
    with trying("Tuning"), _journal_named(asked.resume):
        tuned = tune(
            recipe if recipe.before or recipe.after else recipe.learner,
            table,
            grid,
            design=asked.judging.with_usual_folds(folds).design(asked.learning.seed, len(table)),
            by=asked.by,
            one_se=asked.one_se,
            nested=asked.nested,
            positive=asked.positive,
            costs=costs,
            resume=asked.resume,
        )
    notes = _notes(asked.learning, recipe, tuned)
    note(notes, asked.output)
    save_model(tuned.model, asked.save)
    save_chart("tuning", tuned, place=asked.chart, output=asked.output)
    answer(
        asked.output,
        text=lambda: _to_text(tuned, quiet=asked.output.quiet),
        data=lambda: {**tuned.to_json(), "model": model_as_json(tuned.model)},
        notes=[*table.notes, *notes],
        saved=asked.save,
        then=next_with_model(asked.save, asked.data),
    )


@contextmanager
def _journal_named(journal: Path | None) -> Iterator[None]:
    """Where tuning ends before there is anything to choose from, say where what was tried is kept."""
    from clearwood.study.tuning.trials import InterruptedTuningError

    try:
        yield
    except InterruptedTuningError as error:
        if journal is None:
            raise
        raise InterruptedTuningError(error.sentence, f" It goes on with --resume {journal}.") from None


def _grid(owner: str, maker: Callable[..., Any], asked: TuneOptions) -> SettingGrid:
    return grid_in(owner, asked.grid or (), maker, draws=asked.draws, seed=asked.learning.seed or 0)


def _refuse_twice(asked: TuneOptions) -> None:
    set_to = pairs("--set", asked.learning.settings, "NAME=VALUE")
    for name in pairs("--grid", asked.grid, FORM):
        if name in set_to:
            raise SettingError(f"{name} is given by --set and by --grid. Give it once.")


def _refuse_in_vain(asked: TuneOptions) -> None:
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
    from clearwood.cli.drawing import drawn_to_fit
    from clearwood.study.tuning.words import sentences, trials_in_text

    lines = [] if quiet else [*drawn_to_fit(tuned.model), ""]
    lines += [*trials_in_text(tuned), "", *sentences(tuned)]
    if tuned.nested is None and not tuned.ended and len(tuned.trials) > 1:
        lines[-1] = "For a score to quote, tune within outer folds as well: --nested 5."
    return "\n".join(lines)


# Values to try as a person types them: `3..10`, `3..30:3`, `0.001..0.1:log`, `5,20,50`.


def grid_in(
    owner: str, texts: Sequence[str], maker: Callable[..., Any], *, draws: int | None = None, seed: int = 0
) -> SettingGrid:
    """The `--grid` texts as a grid of the settings of a learner.

    >>> from clearwood.learners.trees.cart import CART
    >>> dict(grid_in("cart", ["max_depth=3..10", "min_leaf=5,20"], CART).over)
    {'max_depth': Range(low=3, high=10, step=None, log=False, count=None), 'min_leaf': (5.0, 20.0)}
    """
    from clearwood.study.tuning.grids import SettingGrid

    known = settings_of(maker)
    over: dict[str, Any] = {}
    for name, text in pairs("--grid", texts, FORM).items():
        check_known(f"setting of {owner} called", name, known, plural="settings")
        over[name] = _values(known[name], text.strip())
    return SettingGrid(over, draws, seed)


def _values(setting: Setting, text: str) -> Any:
    parts = _RANGE.fullmatch(text)
    if parts is not None:
        return _range(setting.name, text, parts)
    if ".." in text:
        raise SettingError(_misread(setting.name, text))
    return tuple(parsed_value(setting, each) for each in text.split(","))


def _range(name: str, text: str, parts: re.Match[str]) -> Range:
    from clearwood.study.tuning.grids import Range

    low, high = _number(parts[1]), _number(parts[2])
    if parts[3] is None:
        return Range(low, high)
    words = parts[3].split(":")
    log = "log" in words
    words = [each for each in words if each != "log"]
    if len(words) > 1 or not all(re.fullmatch(_NUMBER, each) for each in words):
        raise SettingError(_misread(name, text))
    if log:
        return Range(low, high, log=True, count=_count(name, text, words[0]) if words else None)
    return Range(low, high, _number(words[0]))


def _count(name: str, text: str, word: str) -> int:
    if not word.isdecimal():
        raise SettingError(_misread(name, text))
    return int(word)


def _number(text: str) -> float:
    """A whole number stays one."""
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text)


def _misread(name: str, text: str) -> str:
    return (
        f"--grid {name}={text} cannot be read. Write LOW..HIGH, with a step LOW..HIGH:STEP, by ratios "
        "LOW..HIGH:log (in nine, LOW..HIGH:log:9), or values with commas between."
    )
