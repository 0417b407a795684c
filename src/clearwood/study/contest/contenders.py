"""A contender: what learns, under the name by which it is asked for, and whether its models can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from importlib.util import find_spec
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from clearwood.arrays import Longs
from clearwood.catalogue import LEARNERS, entry_of, learner_called
from clearwood.errors import MissingExtraError, SettingError, no_such
from clearwood.learners.learner import Learner
from clearwood.models.decision import Cutoff
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.model import Model
from clearwood.registry import Listed, imported
from clearwood.scoring.predictions import Predictions
from clearwood.study.deciding.decided_anew import costs_of_mistakes, with_aim, with_costs
from clearwood.study.deciding.deciding_step import Deciding
from clearwood.study.recipe import Balance, Finishing, Preparation, Recipe, recipe_of
from clearwood.table.attributes import Numeric
from clearwood.table.table import Table

# Reference models by name: models that nobody reads, judged beside those that can be read.


_HOME: Final = "clearwood.estimators.reference_models"

REFERENCE_MODELS: Final[Listed[Callable[..., ReferenceModel]]] = Listed(
    "yardstick", {name: f"{_HOME}:{name}" for name in ("lda", "knn", "svm", "random_forest")}
)

# Rows that a reference model learns from in each part unless it is named: the time of the first two grows
# with the square of the rows. What is tried must not depend on how fast a machine is.
MOST_ROWS: Final = {"svm": 5_000, "knn": 10_000, "random_forest": 10_000, "lda": 100_000}


class ReferenceModel(Protocol):
    """What learns and answers, but makes no model that can be read."""

    @property
    def title(self) -> str: ...

    def heeds_weights(self) -> bool:
        """Does it learn from the weights of rows?"""

    def predictions(
        self, learn: Table, judge: Table, *, places: Longs, part: int, shares: bool
    ) -> Predictions:
        """What it gives the rows that judge, learned from the others; shares of classes only if asked for."""


def reference_model_called(name: str, *, numbers: bool) -> ReferenceModel:
    """The reference model of this name, of classes or of numbers; an error where scikit-learn is missing."""
    try:
        made: ReferenceModel = REFERENCE_MODELS.find(name)(numbers=numbers)
    except MissingExtraError:
        raise MissingExtraError(
            f"'{name}' is scikit-learn's; install it: pip install 'clearwood[sklearn]'"
        ) from None
    return made


def wrapped_estimator(given: Any) -> Any | None:
    """A learner or reference model made of an estimator of scikit-learn's contract; None for what is none."""
    if not callable(getattr(given, "fit", None)) or not callable(getattr(given, "predict", None)):
        return None
    return imported(f"{_HOME}:estimator_as_contender")(given)


Learns: TypeAlias = Learner[Model] | ReferenceModel


@dataclass(frozen=True, slots=True, eq=False)
class Contender:
    """A learner, or a reference model that makes no model, by its name; `grid` is what tuning tries, with the
    learner `to_tune` where it is another. `usual`: nobody named it. `dearness` and `by_class` are those of
    the readable learner; `most_rows` how many rows of a part it learns from, drawn from all, None: from all.
    """

    name: str
    learns: Learns
    grid: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    to_tune: Learner[Model] | None = None
    usual: bool = False
    dearness: int = 1
    by_class: bool = False
    most_rows: int | None = None

    @property
    def is_reference_model(self) -> bool:
        return not callable(getattr(self.learns, "learn", None))

    @property
    def learner(self) -> Learner[Model]:
        """What learns a model; a sentence for a reference model, which makes none."""
        learn: Any = self.learns
        if self.is_reference_model:
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
    numbers, rows = isinstance(table.schema.target, Numeric), len(table)
    if given is None:
        readable = [each.contender(rows) for each in readable_learners(numbers=numbers)]
        beside = usual_reference_models(rows, numbers=numbers)
        return Field((*readable, *beside.contenders), beside.notes)
    if isinstance(given, Mapping):
        named = [replace(_contender(each, numbers=numbers), name=str(name)) for name, each in given.items()]
        return Field(tuple(named))
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SettingError("choose takes learners in a list, or by name: [C45(), RIPPER(), 'svm'].")
    made = [_contender(each, numbers=numbers) for each in given]
    if not made:
        raise SettingError("There is nothing to choose from: give at least one learner.")
    counts, seen = Counter(each.name for each in made), Counter[str]()
    for place, each in enumerate(made):
        seen[each.name] += 1
        if counts[each.name] > 1:  # contenders of one name are numbered
            made[place] = replace(each, name=f"{each.name} ({seen[each.name]})")
    return Field(tuple(made))


def usual_reference_models(rows: int, *, numbers: bool) -> Field:
    """Those that are tried without being named, on tables of many rows on a sample of them, and the sentences
    that say so.

    >>> [each.name for each in usual_reference_models(48_842, numbers=True).contenders]
    ['knn:rows=10000', 'svm:rows=5000', 'random_forest:rows=10000']
    """
    if find_spec("sklearn") is None:
        install = "install it: pip install 'clearwood[sklearn]'"
        return Field((), (f"No reference models: they are scikit-learn's; {install}",))
    made = list[Contender]()
    for name in REFERENCE_MODELS:
        if numbers and name == "lda":
            continue
        most = MOST_ROWS[name] if rows > MOST_ROWS[name] else None
        called = name if most is None else _name(name, {"rows": most})
        made.append(Contender(called, reference_model_called(name, numbers=numbers), most_rows=most))
    sampled = [f"{each.name.partition(':')[0]} {each.most_rows:,}" for each in made if each.most_rows]
    note = (
        f"Of the {rows:,} rows reference models learn from a sample in each part, for the time they take: "
        f"{', '.join(sampled)}. One that is named learns from all."
    )
    return Field(tuple(made), (note,) if sampled else ())


def _contender(given: Any, *, numbers: bool) -> Contender:
    if isinstance(given, Contender):
        return given
    if isinstance(given, str):
        name = given.lower()
        if name in REFERENCE_MODELS:
            return Contender(name, reference_model_called(name, numbers=numbers))
        if name not in LEARNERS:
            raise SettingError(no_such("learner or reference model", given, [*LEARNERS, *REFERENCE_MODELS]))
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
    # The name in the list whose presets these settings have, those with most presets first.
    named = [(name, each.presets) for name, each in LEARNERS.items() if each.name == entry.name]
    named.sort(key=lambda pair: -len(pair[1]))
    fitting = [pair for pair in named if all(settings.get(key) == each for key, each in pair[1].items())]
    name, preset = fitting[0] if fitting else (named[-1][0], {})
    usual = LEARNERS[name].make()
    different = {
        key: value for key, value in settings.items() if key not in preset and value != getattr(usual, key)
    }
    return _name(name, different)


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


# The readable learners that are tried where none are named, each with a small grid to tune over.


FEW_ROWS: Final = 40  # rows below which folds within folds would prune by chance


@dataclass(frozen=True, slots=True)
class ReadableLearner:
    """A learner by its name in the catalogue, its settings where they are not its own defaults, and the
    values of settings that tuning tries; `by_folds` are settings for tables with rows enough. `dearness` is
    about how many times as long as a tree it takes for a cell of the table, and `by_class` says that it does
    so for each of several classes."""

    name: str
    grid: Mapping[str, tuple[Any, ...]]
    settings: Mapping[str, Any] = field(default_factory=dict)
    by_folds: Mapping[str, Any] = field(default_factory=dict)
    dearness: int = 1
    by_class: bool = False

    def settings_for(self, rows: int) -> dict[str, Any]:
        """Those for a table of so many rows."""
        return {**self.settings, **(self.by_folds if rows >= FEW_ROWS else {})}

    def contender(self, rows: int) -> Contender:
        """The learner for a table of so many rows, and the one that is tuned, where it is another: what folds
        would choose, tuning does instead."""
        settings, entry = self.settings_for(rows), LEARNERS[self.name]
        return Contender(
            _name(self.name, settings),
            entry.make(**settings),
            self.grid,
            entry.make(**self.settings) if self.by_folds else None,
            usual=True,
            dearness=self.dearness,
            by_class=self.by_class,
        )


_CART: Final = ReadableLearner(
    "cart", {"max_depth": (3, 5, 8, None), "min_leaf": (1, 10, 50)}, by_folds={"alpha": "1se"}
)
_CHAID: Final = ReadableLearner("chaid", {"alpha_split": (0.01, 0.05), "max_depth": (3, 5, None)})
_GAM: Final = ReadableLearner("gam", {"pairs": (0, 5, 10)}, dearness=30, by_class=True)

FOR_CLASSES: Final = (
    ReadableLearner("c45", {"confidence": (0.01, 0.1, 0.25), "min_rows": (2, 10, 50)}),
    _CART,
    _CHAID,
    ReadableLearner("ripper", {"optimizations": (0, 2), "min_rows": (2, 10)}),
    ReadableLearner("tree-rules", {"alpha": (0.001, 0.05)}, dearness=5),
    ReadableLearner("bayes", {"numeric": ("gaussian", "kernel", "cuts")}, dearness=2),
    ReadableLearner(
        "logistic", {"penalty": ("l1", "l2"), "strength": (0.1, 1.0, 10.0)}, dearness=3, by_class=True
    ),
    _GAM,
)
FOR_NUMBERS: Final = (_CART, _CHAID, ReadableLearner("gam", {}, {"pairs": 0}), _GAM)


def readable_learners(*, numbers: bool) -> tuple[ReadableLearner, ...]:
    """Those for classes, or for numbers.

    >>> [each.name for each in readable_learners(numbers=True)]
    ['cart', 'chaid', 'gam', 'gam']
    """
    return FOR_NUMBERS if numbers else FOR_CLASSES


def grid_of(name: str, *, numbers: bool) -> Mapping[str, tuple[Any, ...]]:
    """What tuning tries for a learner of this name; nothing for one that is not among them."""
    return next(
        (each.grid for each in readable_learners(numbers=numbers) if each.name == name and each.grid), {}
    )


# Steps for all: what is done to the rows before every learner learns, and to its model after it.


_LEARNED_AGAIN: Final = 6  # models in place of one where folds of the training rows choose a decision


@dataclass(frozen=True, slots=True, eq=False)
class StepsForAll:
    """Preparations, made for each learner (some try columns with it), and finishings, the same for all.

    >>> import clearwood as cw
    >>> steps = StepsForAll(lambda learner: (cw.Balance("over"),))
    >>> steps.around(cw.C45()).before[0].by, steps.in_words(cw.C45())
    ('over', ['rows balanced by over'])
    """

    before: Callable[[Any], Sequence[Preparation]] = lambda _: ()
    after: tuple[Finishing, ...] = ()

    def around(self, learner: Any) -> Recipe:
        """The recipe of the learner with these steps beside its own."""
        recipe = recipe_of(learner)
        before = (*self.before(recipe.learner), *recipe.before)
        return replace(recipe, before=before, after=(*recipe.after, *self.after))

    def of_contender(self, contender: Contender) -> Contender:
        """A reference model stays as it is."""
        if contender.is_reference_model:
            return contender
        to_tune = None if contender.to_tune is None else self.around(contender.to_tune)
        again = _LEARNED_AGAIN if any(getattr(each, "by_rows", False) for each in self.after) else 1
        learns, dearness = self.around(contender.learner), contender.dearness * again
        return replace(contender, learns=learns, to_tune=to_tune, dearness=dearness)

    def in_words(self, learner: Any) -> list[str]:
        """What is done, a phrase for each step."""
        return [phrase for each in (*self.before(learner), *self.after) for phrase in _phrases(each)]

    def check_classes(self, learner: Any) -> None:
        """Refuse for numbers what is for classes."""
        if any(isinstance(each, Balance | Deciding) for each in (*self.before(learner), *self.after)):
            raise SettingError(
                "Balancing, calibration, cutoffs and referring are for classes, but the target is a number."
            )


def with_steps(
    contenders: Iterable[Contender], steps: StepsForAll, *, numbers: bool
) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """The contenders with these steps, and the sentences that say so."""
    made = tuple(contenders)
    first = next((recipe_of(each.learner).learner for each in made if not each.is_reference_model), None)
    phrases = [] if first is None else steps.in_words(first)
    if not phrases:
        return made, ()
    if numbers:
        steps.check_classes(first)
    notes = [f"Within every part, for each learner: {', '.join(phrases)}."]
    if unread := [each.name for each in made if each.is_reference_model]:
        notes.append(f"Reference models learn from the rows as they are: {', '.join(unread)}.")
    return tuple(map(steps.of_contender, made)), tuple(notes)


def _phrases(step: Any) -> list[str]:
    """
    >>> _phrases(Deciding(calibrate="platt", refer=0.8))
    ['probabilities calibrated by platt', 'rows in doubt referred']
    """
    if isinstance(step, Balance):
        return [f"rows balanced by {step.by}"]
    if isinstance(step, Deciding):
        asked = {
            f"probabilities calibrated by {step.calibrate}": step.calibrate is not None,
            "a cutoff set": step.cutoff is not None,
            "rows in doubt referred": step.refer is not None or step.accuracy is not None,
        }
        return [phrase for phrase, is_asked in asked.items() if is_asked]
    selects = getattr(step, "by", None)
    return [f"columns selected by {selects}" if selects else type(step).__name__]


# Deciding by the costs at stake, as a step of a recipe: every contender answers for the same costs.


@dataclass(frozen=True, slots=True)
class DecidingByCosts:
    """Answer with the class of least expected cost. Rules of which the first that holds answers name their
    classes themselves: of two classes a cutoff says the same, of more they stay as they are.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> rules = cw.Recipe(cw.RIPPER(), after=(DecidingByCosts({("No", "Yes"): 4}),)).learn(days)
    >>> rules.decision.cutoff
    Cutoff(positive='No', at=0.2, costs=((0.0, 4.0), (1.0, 0.0)))
    """

    costs: Mapping[tuple[str, str], float]
    by_rows: ClassVar = False  # no row has a part in it

    def finish(self, model: Model, recipe: Recipe, table: Table) -> Model:
        """The model with these costs for its decision."""
        del recipe, table
        if not isinstance(model, RuleList) or model.matching != "first":
            return with_costs(model, self.costs)
        classes = model.schema.classes
        if len(classes) != 2:
            return model
        costs = costs_of_mistakes(model.schema, self.costs)
        alarm, missed = costs[1][0] - costs[1][1], costs[0][1] - costs[0][0]
        if not (alarm > 0 and missed > 0):
            return model  # one class is never the dearer mistake: there is no cutoff between them
        cutoff = Cutoff(classes[0], alarm / (alarm + missed), costs)
        return with_aim(model, cutoff, None)


def deciding_by(costs: Mapping[tuple[str, str], float] | None, learner: Any) -> Any:
    """The learner as it is without costs, or with its own; else the recipe that decides by these."""
    recipe = learner if isinstance(learner, Recipe) else Recipe(learner)
    if costs is None or getattr(recipe.learner, "costs", None):
        return learner
    return replace(recipe, after=(*recipe.after, DecidingByCosts(costs)))
