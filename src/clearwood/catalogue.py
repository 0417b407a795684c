"""What there is: learners, pruners, measures, scores, sources, importers, formats of exports, …, joined.

A program of its own adds to a list in one line, as in `LEARNERS["mine"] = LearnerEntry(Mine, "…", "tree")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin

from clearwood.errors import SettingError, no_such
from clearwood.learners.bayes import LEARNERS as _BAYES
from clearwood.learners.ensembles import LEARNERS as _ENSEMBLES
from clearwood.learners.entry import LearnerEntry
from clearwood.learners.linear import LEARNERS as _LINEAR
from clearwood.learners.rules import LEARNERS as _RULES
from clearwood.learners.trees import LEARNERS as _TREES
from clearwood.learners.trees.pruning import PRUNERS as PRUNERS
from clearwood.records import dataclass
from clearwood.registry import Setting, settings_of
from clearwood.scoring import SCORES as SCORES
from clearwood.table.formats import SOURCES as SOURCES

if TYPE_CHECKING:
    from clearwood.balancing import BALANCERS as BALANCERS
    from clearwood.exporting import FORMATS as FORMATS
    from clearwood.exporting import RUNNERS as RUNNERS
    from clearwood.importing import IMPORTERS as IMPORTERS
    from clearwood.measures import ADJUSTMENTS as ADJUSTMENTS
    from clearwood.measures import ERRORS as ERRORS
    from clearwood.measures import IMPURITIES as IMPURITIES
    from clearwood.measures import TESTS as TESTS
    from clearwood.models.lineage import Origin
    from clearwood.selecting import SELECTORS as SELECTORS
    from clearwood.table.table import Table


LEARNERS: Final[dict[str, LearnerEntry]] = {**_TREES, **_RULES, **_BAYES, **_LINEAR, **_ENSEMBLES}

_LOADED_LATE: Final = {  # most of them need NumPy, which names and help can do without, or are extras
    "ADJUSTMENTS": "measures",
    "ERRORS": "measures",
    "IMPURITIES": "measures",
    "TESTS": "measures",
    "BALANCERS": "balancing",
    "FORMATS": "exporting",  # in a higher room, as are the next two
    "RUNNERS": "exporting",
    "IMPORTERS": "importing",
    "SELECTORS": "selecting",  # in a higher room, since some of them try learners in folds
}


def __getattr__(name: str) -> Any:
    if name not in _LOADED_LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"clearwood.{_LOADED_LATE[name]}"), name)


def trees() -> dict[str, LearnerEntry]:
    """The learners whose model is a tree: what can be pruned, compared, and read as rules."""
    return {name: entry for name, entry in LEARNERS.items() if entry.makes == "tree"}


def single_models() -> dict[str, LearnerEntry]:
    """The learners of one model by itself: what an ensemble can have for members."""
    return {name: entry for name, entry in LEARNERS.items() if entry.makes not in ("ensemble", "additive")}


def compared_by_default() -> dict[str, LearnerEntry]:
    """The learners of trees that a comparison takes where none are named, by the names it gives them.

    >>> list(compared_by_default())
    ['ID3', 'C4.5', 'CART', 'CHAID']
    """
    return {entry.compared_as: entry for entry in trees().values() if entry.compared_as}


def learner_called(name: str) -> LearnerEntry:
    """The learner of this name, or the sentence with the nearest one."""
    return _entry("learner", name, LEARNERS)


def tree_called(name: str) -> LearnerEntry:
    """The learner of trees of this name, or the sentence with the nearest one."""
    return _entry("tree called", name, trees(), plural="trees")


def member_called(name: str) -> LearnerEntry:
    """The learner of single models of this name, or the sentence with the nearest one.

    >>> member_called("forest")
    Traceback (most recent call last):
        ...
    clearwood.errors.SettingError: 'forest' learns no single model, and so no member. Take c45 or cart.
    """
    if name in LEARNERS and name not in single_models():
        raise SettingError(f"'{name}' learns no single model, and so no member. Take c45 or cart.")
    return _entry("learner", name, single_models())


def pruner_called(name: str) -> str:
    """A pruner's name as the list has it; a sentence where there is none.

    >>> pruner_called("Chi-Square")
    'chi-square'
    """
    if name.lower() in PRUNERS:
        return name.lower()
    raise SettingError(no_such("pruner", name, PRUNERS))


def entry_of(learner: object) -> LearnerEntry | None:
    """The entry of a learner, a learner's class, or a class's name; None where it is in no list."""
    name = learner if isinstance(learner, str) else getattr(learner, "__name__", type(learner).__name__)
    return next((entry for entry in LEARNERS.values() if entry.name == name), None)


def learner_of(origin: Origin) -> Any:
    """The learner that made a model, as it was set; a sentence where it cannot be made again.

    >>> from clearwood.models.lineage import Origin
    >>> learner_of(Origin("ID3", {"min_rows": 5})).min_rows
    5
    """
    return _made(origin.learner, origin.settings)


def _made(learner: str, settings: Mapping[str, Any]) -> Any:
    entry = entry_of(learner)
    if entry is None:
        names = dict.fromkeys(each.name for each in LEARNERS.values())
        raise SettingError(
            f"This model was made by '{learner}', which is no learner that can be run again. "
            f"Those that can: {', '.join(names)}."
        )
    known = settings_of(entry.load())
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise SettingError(
            f"This model was made by {learner} with the setting '{unknown[0]}', which this version "
            "does not know. Learn it again."
        )
    return entry.load()(**{name: _value(known[name], value) for name, value in settings.items()})


def _value(setting: Setting, value: Any) -> Any:
    """A setting as learners take it: a learner made of its name and settings, costs with pairs for keys."""
    if any(map(_is_learner, setting.takes)):
        return _nested(value)
    by_pair = any(get_args(kind)[:1] == (tuple[str, str],) for kind in setting.takes)
    if by_pair and isinstance(value, Mapping) and all(isinstance(row, Mapping) for row in value.values()):
        return {(true, called): cost for true, row in value.items() for called, cost in row.items()}
    return dict(value) if isinstance(value, Mapping) else value


def _is_learner(kind: Any) -> bool:
    from clearwood.learners.learner import Learner

    return get_origin(kind) is Learner


def _nested(value: Any) -> Any:
    """A learner within a learner's settings."""
    from clearwood.models.lineage import LearnerAsData

    match value:
        case LearnerAsData(learner, settings) | {"learner": learner, "settings": settings}:
            return _made(learner, settings)
        case _:
            raise SettingError(
                f"This model was made with a learner that its file has as {value!r}. Learn it again."
            )


def _entry(
    kind: str, name: str, entries: Mapping[str, LearnerEntry], *, plural: str | None = None
) -> LearnerEntry:
    if name.lower() not in entries:
        raise SettingError(no_such(kind, name, entries, plural=plural))
    return entries[name.lower()]


# Which learner learns where none is named: what is predicted decides.


USUAL_FOR_CLASSES: Final = "c45"
USUAL_FOR_NUMBERS: Final = "cart"
_ENOUGH_TO_PRUNE: Final = 40  # rows, for the folds by which a tree of numbers is pruned


@dataclass(frozen=True, slots=True)
class DefaultLearner:
    """A learner by its name in the catalogue, and its settings where they are not its own defaults."""

    name: str
    settings: dict[str, Any] = field(default_factory=dict)

    def make(self) -> Any:
        return LEARNERS[self.name].make(**self.settings)


def default_learner(table: Table) -> DefaultLearner:
    """A tree of classes by C4.5, of numbers by CART; it prunes by cross-validation where rows are enough.

    >>> import clearwood as cw
    >>> default_learner(cw.read_table({"x": [1, 2], "y": ["a", "b"]}, target="y")).name
    'c45'
    >>> default_learner(cw.read_table({"x": range(50), "y": range(50)}, target="y"))
    DefaultLearner(name='cart', settings={'alpha': 'cv'})
    """
    from clearwood.table.attributes import Numeric  # late: help asks for the names alone

    if not isinstance(table.schema.target, Numeric):
        return DefaultLearner(USUAL_FOR_CLASSES)
    return DefaultLearner(USUAL_FOR_NUMBERS, {"alpha": "cv"} if len(table) >= _ENOUGH_TO_PRUNE else {})
