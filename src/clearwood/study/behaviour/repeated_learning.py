"""Many learnings in one study: whoever watches sees how many are done, and equal notes are passed on once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from clearwood.arrays import Floats, Longs
from clearwood.counting.chance import chance_key, drawn_with_replacement, weights_are_units
from clearwood.errors import SettingError
from clearwood.learners.ensembles.members import times_drawn
from clearwood.learners.learner import Learner
from clearwood.learners.parts import FinishedTask, PartNotes, TaskCounter, run_in_order
from clearwood.models.model import Model
from clearwood.predicting.batch import predict, predict_codes
from clearwood.registry import changed_settings
from clearwood.study.recipe import Recipe, threads_that_pay
from clearwood.table.coding import recoded
from clearwood.table.folding import groups_in, rows_by_content
from clearwood.table.table import Table, set_aside

_Asked = TypeVar("_Asked")
_LearnerSample: TypeAlias = tuple[int, Learner[Model], Table]  # the number of the sample, from 1


def asked_samples(
    learners: Sequence[Learner[Model]],
    rows: Table,
    samples: Iterable[Table],
    ask: Callable[[Model], _Asked],
    counter: TaskCounter,
) -> list[_Asked]:
    """What `ask` gets from the models of each sample of the rows, learner after learner.

    Only whole models are reported: a watcher that has seen enough of one must not cut the others short. A
    refusal names its sample, counted from 1, and so do the notes.
    """
    notes = PartNotes("sample")
    tasks = ((place, learner, sample) for place, sample in enumerate(samples, 1) for learner in learners)

    def asked(task: _LearnerSample) -> _Asked:
        place, learner, sample = task
        with notes.naming(place):
            model = learner.learn(sample)
        return ask(model)

    def heed(done: FinishedTask[_LearnerSample, _Asked]) -> None:
        notes.add(done.task[0], done.remarks)
        counter.add()

    found = run_in_order(tasks, asked, heed, threads=threads_that_pay(rows, *learners))
    notes.warn(len(found) // len(learners))
    return found


def answers_as_coded(model: Model, table: Table) -> Floats:
    """[row] the model's numbers (NaN: none), or its classes as the table codes them (−1: no answer)."""
    if model.is_numeric:
        return np.asarray(predict(model, table), dtype=np.float64)
    codes = predict_codes(model, table)
    if model.schema.classes != table.schema.classes:
        codes = recoded(codes, model.schema.classes, table.schema.classes)
    return codes.astype(np.float64)


# Rows drawn anew: what another sample of the same size might have been, by the bootstrap (Efron 1979).


_ANEW: Final = 0xA9E3  # tells these draws from those that a learner makes by the same seed


def resampled_tables(
    table: Table, samples: int, seed: int, group: str | None = None
) -> Iterator[tuple[Longs, Table]]:
    """So many samples: how often each row was drawn [row], and the table of those rows.

    Weights that are whole numbers stand for so many rows, and as many are drawn. Rows with other weights are
    drawn alike, and keep them: a survey's spread is that of the people who were asked. With a `group` column
    whole groups of rows are drawn, and the column is set aside. A row that was drawn twice has twice the
    weight: as two rows it could be learned from and judge at once, where a learner cross-validates.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [int(times.sum()) for times, _ in resampled_tables(days, 3, seed=0)]
    [14, 14, 14]
    """
    key = chance_key(seed, _ANEW)
    rows = table if group is None else set_aside(table, (group,), "rows are drawn by it")
    groups = None if group is None else groups_in(table, group)
    order = rows_by_content(rows)
    own = np.ones(len(table)) if table.weights is None else table.weights
    units = groups is None and weights_are_units(own)
    for place in range(samples):
        if groups is not None:
            times = drawn_with_replacement(chance_key(key, place), groups.count, groups.count)[groups.of]
        elif units:
            times = times_drawn(table, key, place, order)
        else:
            times = np.zeros(len(table), dtype=np.int64)
            times[order] = drawn_with_replacement(chance_key(key, place), len(table), len(table))
        drawn = np.flatnonzero(times)
        # The rows that were drawn, with weights on the scale of rows.
        weights = (times.astype(np.float64) if units else times * own)[drawn]
        yield times, replace(rows.take(drawn), weights=weights, weights_are="counts")


# The names of learners that stand side by side: the class, and the settings that tell two of one apart.


Learners: TypeAlias = Learner[Model] | Sequence[Learner[Model]] | Mapping[str, Learner[Model]]


def named_learners(verb: str, learners: Learners) -> dict[str, Learner[Model]]:
    """One learner, several, or several by the names they are to have.

    >>> import clearwood as cw
    >>> list(named_learners("stability", [cw.CART(), cw.CART(max_depth=1), cw.ID3()]))
    ['CART()', 'CART(max_depth=1)', 'ID3']
    """
    if isinstance(learners, Mapping):
        named = dict(learners)
    else:
        several = learners if isinstance(learners, Sequence) else [learners]
        kinds = Counter(_kind(each) for each in several)
        names = [_kind(each) if kinds[_kind(each)] == 1 else _with_settings(each) for each in several]
        twice = next((name for name, count in Counter(names).items() if count > 1), None)
        if twice is not None:
            raise SettingError(
                f"{verb} is given {twice} twice. Change a setting of one, or name them: {{'…': learner}}."
            )
        named = dict(zip(names, several, strict=True))
    for name, learner in named.items():
        if not callable(getattr(learner, "learn", None)):
            raise SettingError(f"{verb} takes learners, such as C45(), and {name!r} is none.")
    if not named:
        raise SettingError(f"{verb} takes at least one learner, such as C45().")
    return named


def _kind(learner: Any) -> str:
    return type(learner.learner if isinstance(learner, Recipe) else learner).__name__


def _with_settings(learner: Any) -> str:
    """The class with the settings that are not its own defaults."""
    of = learner.learner if isinstance(learner, Recipe) else learner
    if not is_dataclass(of):
        return _kind(learner)
    given = [f"{name}={value!r}" for name, value in changed_settings(of).items()]
    return f"{_kind(learner)}({', '.join(given)})"
