"""Options of learning and what they ask for: a learner with its settings in a recipe, or a saved model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from clearwood.catalogue import (
    BALANCERS,
    LEARNERS,
    PRUNERS,
    SELECTORS,
    USUAL_FOR_CLASSES,
    USUAL_FOR_NUMBERS,
    default_learner,
    learner_called,
    pruner_called,
    trees,
)
from clearwood.cli.evaluation_options import Decisions, Judging
from clearwood.cli.options import LEARNING, BalanceBy, Positive, Select, flag, option, options, refuse_given
from clearwood.cli.settings import parse
from clearwood.errors import SettingError
from clearwood.registry import check_effects, has_effect, settings_of
from clearwood.study.designs import Bootstrap, Design, Folds, HoldOut, columns_for_dividing

if TYPE_CHECKING:
    from clearwood.learners.learner import Learner
    from clearwood.models.model import Model
    from clearwood.selecting.selection import Selection
    from clearwood.study.deciding.deciding_step import Deciding
    from clearwood.study.recipe import Balance, Preparation, Pruning, Recipe
    from clearwood.table.table import Table


def usual_and_other(learners: Iterable[str]) -> str:
    """The learners that there are, those first that are taken where none is named."""
    usual = USUAL_FOR_CLASSES, USUAL_FOR_NUMBERS
    return f"Usually {' or '.join(usual)}, else {', '.join(n for n in learners if n not in usual)}."


Keep = Annotated[
    bool, flag("If Ctrl-C ends the learning of an ensemble, keep the members learned until then.", LEARNING)
]
Prune = Annotated[
    list[str] | None,
    option(
        "PRUNER",
        f"Prune the tree by one of: {', '.join(PRUNERS)}; settings follow a colon: chi-square:alpha=0.01.",
        LEARNING,
    ),
]
Settings = Annotated[
    list[str] | None,
    option(
        "NAME=VALUE",
        "A setting, may be repeated; clearwood learners lists them.",
        LEARNING,
        name="--set",
        short="-s",
    ),
]
Seed = Annotated[int | None, option("N", "The seed of random choices.", LEARNING)]
SeveralLearners = Annotated[
    list[str] | None,
    option(
        "NAME[:SETTING=VALUE,…]",
        f"May be repeated. {usual_and_other(LEARNERS)}",
        LEARNING,
        name="--learner",
        short="-l",
        among=LEARNERS,
    ),
]


@options()
class Learning:
    """Which learner, and how it is set."""

    learner: str | None = option("NAME", usual_and_other(LEARNERS), LEARNING, short="-l", among=LEARNERS)
    settings: Settings = None
    seed: Seed = None


@options()
class ModelOrLearner:
    """A saved model, or the learner that makes one."""

    model: Path | None = option("MODEL", "A saved model, instead of learning one.", LEARNING, short="-m")
    learning: Learning


@options()
class LearningTree(Learning):
    """Which learner of trees, and how it is set."""

    learner: str | None = option("NAME", usual_and_other(trees()), LEARNING, short="-l", among=trees())


@options()
class ChosenTree(ModelOrLearner):
    """A saved tree, or the learner that grows one."""

    learning: LearningTree


@options()
class TrainingOptions:
    """What is done beside learning: to the training rows before it, and to a tree after it."""

    balance: BalanceBy = None
    positive: Positive = None
    select: Select = None
    prune: Prune = None

    def recipe_maker(
        self, learning: Learning, decisions: Decisions
    ) -> tuple[Callable[[Table], Recipe], str | None]:
        """The recipe, once the table is there, and the class that the scores are about, if one is named."""
        deciding, positive = decisions.step(learning.seed), self.positive
        if positive is None and deciding is not None and deciding.cutoff is not None:
            positive = deciding.cutoff.positive  # what the cutoff is about, the scores are about
        made = recipe_maker(
            learning,
            self.prune,
            select=self.select,
            balance=self.balance,
            positive=positive,
            deciding=deciding,
        )
        return made, positive


# What the options say of learning: a recipe, or a saved model instead.


def recipe_maker(
    learning: Learning,
    prune: Sequence[str] | None = None,
    *,
    select: str | None = None,
    balance: str | None = None,
    positive: str | None = None,
    deciding: Deciding | None = None,
) -> Callable[[Table], Recipe]:
    """The recipe, once the table is there: what is predicted decides where no learner is named. A direction
    that names no class is about the positive one, where that is named.

    Whatever can be refused before a table is read is refused here.
    """
    from clearwood.learners.directions import directed  # late, as all that help can do without

    prunings = [pruning_of(each) for each in prune or ()]
    before = preparations(select, balance, learning.seed)

    def made(name: str, settings: Sequence[str] | None) -> Recipe:
        recipe = named_recipe(name, settings, prunings, learning.seed)
        learner = directed(recipe.learner, positive)
        after = () if deciding is None else (deciding,)
        return replace(recipe, learner=learner, before=before(learner), after=after)

    if learning.learner is not None:
        named = made(learning.learner, learning.settings)
        return lambda _: named

    def usual(table: Table) -> Recipe:
        default = default_learner(table)
        usual_settings = [f"{name}={value}" for name, value in default.settings.items()]
        return made(default.name, learning.settings or usual_settings)

    return usual


def preparations(
    select: str | None, balance: str | None, seed: int | None
) -> Callable[[Learner[Model]], tuple[Preparation, ...]]:
    """For a learner, what is done to its training rows; what is wrong with the texts is refused here."""
    read = None if select is None else read_selection(select)
    balanced = () if balance is None else (balance_of(balance, seed),)
    if read is None:
        return lambda _: balanced
    return lambda learner: (selection_with(read, learner, seed), *balanced)


def named_recipe(
    learner: str, settings: Sequence[str] | None, prunings: Sequence[Pruning] = (), seed: int | None = None
) -> Recipe:
    """A learner by its name, with settings as typed; a `seed` given is the learner's too unless set apart."""
    from clearwood.study.recipe import Recipe

    entry = learner_called(learner)
    if prunings and entry.makes != "tree":
        raise SettingError(f"--prune is for trees, but {learner} learns none. Leave it out.")
    maker = entry.load()
    given = parse(learner, settings, maker)
    made = entry.make(**given)
    check_effects(made, given)  # also of what was given as it is by default
    if seed is not None and "seed" not in given and "seed" in settings_of(maker) and has_effect(made, "seed"):
        made = replace(made, seed=seed)
    return Recipe(made, tuple(prunings), seed or 0)


def check_keep(learning: Learning, judging: Judging) -> None:
    """Refuse to keep what was learned so far where there is nothing of the kind."""
    named = USUAL_FOR_CLASSES if learning.learner is None else learning.learner
    if not learner_called(named).by_members:
        able = ", ".join(name for name, entry in LEARNERS.items() if entry.by_members)
        raise SettingError(f"--keep is for learners of many members: {able}. Leave it out for {named}.")
    if option := judging.resampling:
        raise SettingError(f"--keep is for one model, and {option} learns several. Evaluate by --test-part.")


def notes_on_learning(learning: Learning, recipe: Recipe, design: Design) -> list[str]:
    """What was chosen on the user's behalf, and what was asked for in vain."""
    drawn = (
        (hasattr(recipe.learner, "seed") and has_effect(recipe.learner, "seed"))
        or isinstance(design, HoldOut | Folds | Bootstrap)
        or any(pruning.needs_fresh_rows for pruning in recipe.prunings)
        or any(getattr(step, "draws", False) for step in recipe.before)
        or any(getattr(step, "by_rows", False) for step in recipe.after)
    )
    divided = [
        f"Rows are divided by '{name}' for evaluation, so it is not learned from."
        for name in columns_for_dividing(design)
    ]
    return [*divided, *note_on_default(learning, recipe), *note_on_unused_seed(learning.seed, drawn=drawn)]


def note_on_default(learning: Learning, recipe: Recipe) -> list[str]:
    """Which learner was chosen, where none was named and it is not the one of classes."""
    made = type(recipe.learner).__name__
    if learning.learner is not None or made == LEARNERS[USUAL_FOR_CLASSES].name:
        return []
    return [f"The target is a number, so {made} learns it. For another learner: --learner NAME."]


def note_on_unused_seed(seed: int | None, *, drawn: bool) -> list[str]:
    """A note if a seed was given where nothing is drawn."""
    return [] if seed is None or drawn else ["Nothing here is random: --seed changes nothing."]


def refuse_learning(chosen: ModelOrLearner, *more: Any) -> None:
    """Refuse what is for learning beside a saved model, which knows its columns and is not learned again."""
    because = "is for learning, but --model gives a model that is already learned. Leave it out."
    refuse_given(because, chosen.learning, *more)


def learners_by_text(texts: Sequence[str]) -> dict[str, Learner[Model]]:
    """`cart:min_leaf=5` as a learner, under the name it was given by."""
    named: dict[str, Learner[Model]] = {}
    for text in texts:
        if text in named:
            raise SettingError(f"--learner {text} is given twice. Change the settings of one.")
        name, _, settings = text.partition(":")
        named[text] = named_recipe(name, [each for each in settings.split(",") if each]).learner
    return named


def learners_or_default(
    texts: Sequence[str] | None,
) -> Callable[[Table], tuple[dict[str, Learner[Model]], list[str]]]:
    """The named learners, or the usual one once the table is there, with a note where that may surprise."""
    if texts:
        named = learners_by_text(texts)
        return lambda _: (named, [])

    def usual(table: Table) -> tuple[dict[str, Learner[Model]], list[str]]:
        learning = Learning()
        recipe = recipe_maker(learning)(table)
        return {type(recipe.learner).__name__: recipe.learner}, note_on_default(learning, recipe)

    return usual


# Steps of a recipe by the text that options give: a selection of columns, a way to balance, a pruner.


@dataclass(frozen=True, slots=True)
class Read:
    """What the text says: a selector, how many columns to keep, its settings."""

    by: str
    keep: int | None
    settings: dict[str, Any]


def read_selection(text: str) -> Read:
    """`8`, `mrmr:8`, `cfs`, `relieff:8,neighbours=5`: whatever it can say alone, or a sentence.

    >>> read_selection("relieff:8,neighbours=5")
    Read(by='relieff', keep=8, settings={'neighbours': 5})
    >>> read_selection("8").by
    'mrmr'
    """
    from clearwood.selecting.selection import USUAL  # late: most models learn from all columns

    called, colon, rest = text.partition(":")
    if called.strip().isdigit() and not colon:
        called, rest = USUAL, called
    by = called.strip().lower()
    selector = SELECTORS.find(by)
    words = [each.strip() for each in rest.split(",") if each.strip()]
    keep = None
    if words and "=" not in words[0]:
        number = words.pop(0)
        if not number.isdigit() or not int(number):
            raise SettingError(
                f"'{text}': after the colon stands how many columns to keep, or a setting as NAME=VALUE, "
                "as in mrmr:8 or relieff:8,neighbours=5."
            )
        keep = int(number)
    return Read(by, keep, parse(by, words, selector.order))


def selection_with(read: Read, learner: Learner[Model] | None, seed: int | None) -> Selection:
    """The selection that was read, with the learner and the seed that other options give."""
    from clearwood.selecting.selection import Selection

    selector = SELECTORS[read.by]
    settings = dict(read.settings)
    if seed is not None and "seed" in settings_of(selector.order):
        settings.setdefault("seed", seed)
    return Selection(read.by, read.keep, learner if selector.needs_learner else None, settings)


def balance_of(text: str, seed: int | None = None) -> Balance:
    """`under:ratio=0.5` as a step of a recipe; a part without = goes on with the value before it.

    >>> balance_of("under:ratio=0.5", 3)
    Balance(by='under', settings={'ratio': 0.5}, seed=3)
    >>> balance_of("weights:by_class=bad:5,good:1").settings
    {'by_class': {'bad': 5.0, 'good': 1.0}}
    """
    from clearwood.study.recipe import Balance  # late: few recipes balance

    name, _, rest = text.partition(":")
    texts: list[str] = []
    for part in filter(None, rest.split(",")):
        if "=" in part or not texts:
            texts.append(part)
        else:
            texts[-1] += f",{part}"
    entry = BALANCERS.find(name.strip())
    return Balance(name.strip(), parse(name.strip(), texts, entry.balance), seed or 0)


def pruning_of(text: str, more: list[str] | None = None) -> Pruning:
    """`cost-complexity:alpha=0.01` as a pruning; `more` holds settings given apart.

    >>> pruning_of("chi-square:alpha=0.01")
    Pruning(name='chi-square', settings={'alpha': 0.01})
    """
    from clearwood.study.recipe import Pruning

    called, _, settings = text.partition(":")
    name = pruner_called(called)
    pruner = PRUNERS[name]
    given = parse(name, [each for each in (*settings.split(","), *(more or ())) if each], pruner.prune)
    for setting in settings_of(pruner.prune).values():
        if setting.required and setting.name not in given:
            what = setting.meaning[:1].lower() + setting.meaning[1:].removesuffix(".")
            raise SettingError(f"{name} needs {what}: {setting.name}=0.01, say.")
    return Pruning(name, pruner, given)
