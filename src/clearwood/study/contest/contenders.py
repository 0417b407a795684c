"""A contender: what learns, under the name by which it is asked for, and whether its models can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeAlias

from clearwood.catalogue import LEARNERS, entry_of, learner_called
from clearwood.errors import SettingError, no_such
from clearwood.learners.entry import LearnerEntry
from clearwood.learners.learner import Learner
from clearwood.models.model import Model
from clearwood.study.contest.readable_learners import grid_of, readable_learners
from clearwood.study.contest.yardsticks import (
    YARDSTICKS,
    Yardstick,
    usual_yardsticks,
    wrapped_estimator,
    yardstick_called,
)
from clearwood.study.recipe import Recipe
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

Learns: TypeAlias = Learner[Model] | Yardstick


@dataclass(frozen=True, slots=True, eq=False)
class Contender:
    """A learner, or a yardstick that makes no model, by its name; `grid` is what tuning tries, with the
    learner `to_tune` where it is another. `usual`: nobody named it. `dearness` and `by_class` are those of
    the readable learner."""

    name: str
    learns: Learns
    grid: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    to_tune: Learner[Model] | None = None
    usual: bool = False
    dearness: int = 1
    by_class: bool = False

    @property
    def is_yardstick(self) -> bool:
        return not callable(getattr(self.learns, "learn", None))

    @property
    def learner(self) -> Learner[Model]:
        """What learns a model; a sentence for a yardstick, which makes none."""
        learn: Any = self.learns
        if self.is_yardstick:
            raise SettingError(f"'{self.name}' is a reference model: it cannot be read.")
        made: Learner[Model] = learn
        return made


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Those who take part, and the sentences on those who were left out before it began."""

    contenders: tuple[Contender, ...]
    notes: tuple[str, ...] = ()


def contenders_of(given: Iterable[Any] | Mapping[str, Any] | None, table: Table) -> Field:
    """Learners, recipes, estimators and names of any of these as contenders; None: the usual ones.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [each.name for each in contenders_of([cw.C45(), "cart", cw.CART(max_depth=2)], days).contenders]
    ['c45', 'cart', 'cart:max_depth=2']
    """
    numbers = isinstance(table.schema.target, Numeric)
    if given is None:
        return _usual(table, numbers=numbers)
    if isinstance(given, Mapping):
        named = [replace(_contender(each, numbers=numbers), name=str(name)) for name, each in given.items()]
        return Field(tuple(named))
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SettingError("choose takes learners in a list, or by name: [C45(), RIPPER(), 'svm'].")
    made = [_contender(each, numbers=numbers) for each in given]
    if not made:
        raise SettingError("There is nothing to choose from: give at least one learner.")
    return Field(_told_apart(made))


def _usual(table: Table, *, numbers: bool) -> Field:
    rows = len(table)
    readable = [
        Contender(
            _name(each.name, each.settings_for(rows)),
            each.make(rows),
            each.grid,
            each.make_to_tune(),
            usual=True,
            dearness=each.dearness,
            by_class=each.by_class,
        )
        for each in readable_learners(numbers=numbers)
    ]
    names, notes = usual_yardsticks(rows, numbers=numbers)
    beside = [Contender(name, yardstick_called(name, numbers=numbers)) for name in names]
    return Field((*readable, *beside), notes)


def _contender(given: Any, *, numbers: bool) -> Contender:
    if isinstance(given, Contender):
        return given
    if isinstance(given, str):
        name = given.lower()
        if name in YARDSTICKS:
            return Contender(name, yardstick_called(name, numbers=numbers))
        if name not in LEARNERS:
            raise SettingError(no_such("learner or reference model", given, [*LEARNERS, *YARDSTICKS]))
        return Contender(name, learner_called(name).make(), grid_of(name, numbers=numbers))
    if isinstance(given, type):
        raise SettingError(f"{given.__name__} is a class: give a learner made of it, {given.__name__}().")
    if callable(getattr(given, "learn", None)):
        name = name_of_learner(given)
        return Contender(name, given, {} if isinstance(given, Recipe) else grid_of(name, numbers=numbers))
    if (made := wrapped_estimator(given)) is not None:
        return _contender(made, numbers=numbers) if hasattr(made, "learn") else Contender(made.title, made)
    raise SettingError(
        f"A contender is a learner, such as C45(), an estimator of scikit-learn's contract, or the name of "
        f"one, not a {type(given).__name__}."
    )


def name_of_learner(learner: Any) -> str:
    """As one asks for it at the shell: its name in the catalogue, and the settings that differ from it.

    >>> import clearwood as cw
    >>> name_of_learner(cw.GAM(pairs=0)), name_of_learner(cw.CHAID(exhaustive=True))
    ('gam:pairs=0', 'exhaustive-chaid')
    """
    if isinstance(learner, Recipe):
        pruned = "".join(f"+{each.name}" for each in learner.prunings)
        steps = [type(each).__name__.lower() for each in (*learner.before, *learner.after)]
        return name_of_learner(learner.learner) + pruned + "".join(f"+{each}" for each in steps)
    entry = entry_of(learner)
    if entry is None or not is_dataclass(learner):
        return type(learner).__name__
    settings = {each.name: getattr(learner, each.name) for each in fields(learner) if each.init}
    name, preset = _entry_name(entry, settings)
    usual = LEARNERS[name].make()
    different = {
        key: value for key, value in settings.items() if key not in preset and value != getattr(usual, key)
    }
    return _name(name, different)


def _entry_name(entry: LearnerEntry, settings: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The name in the list whose presets these settings have, those with most presets first."""
    named = [(name, each) for name, each in LEARNERS.items() if each.name == entry.name]
    named.sort(key=lambda pair: -len(pair[1].presets))
    for name, each in named:
        if all(settings.get(key) == value for key, value in each.presets.items()):
            return name, each.presets
    return named[-1][0], {}


def _name(name: str, settings: Mapping[str, Any]) -> str:
    written = ",".join(f"{key}={_written(value)}" for key, value in settings.items())
    return f"{name}:{written}" if written else name


def _written(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        pairs = ((f"{k[0]}/{k[1]}" if isinstance(k, tuple) else str(k), v) for k, v in value.items())
        return ",".join(f"{key}:{each}" for key, each in pairs)
    return name_of_learner(value) if callable(getattr(value, "learn", None)) else str(value)


def _told_apart(given: Sequence[Contender]) -> tuple[Contender, ...]:
    """Contenders of one name are numbered."""
    counts, seen = Counter(each.name for each in given), Counter[str]()
    made = []
    for each in given:
        seen[each.name] += 1
        alone = counts[each.name] == 1
        made.append(each if alone else replace(each, name=f"{each.name} ({seen[each.name]})"))
    return tuple(made)
