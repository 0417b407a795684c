"""Options of learning and what they ask for: a learner with its settings in a recipe, or a saved model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

from clearwood.catalogue import LEARNERS, PRUNERS, learner_called, trees
from clearwood.cli.evaluation_options import Judging, resampling_given
from clearwood.cli.options import LEARNING, flag, option, options, refuse_given
from clearwood.errors import SettingError, no_such
from clearwood.registry import check_effects, has_effect, settings_of
from clearwood.study.designs import Bootstrap, Design, Folds, HoldOut, columns_for_dividing

if TYPE_CHECKING:
    from clearwood.learners.learner import Learner
    from clearwood.models.model import Model
    from clearwood.study.recipe import Preparation, Pruning, Recipe
    from clearwood.table.table import Table


def usual_and_other(learners: Iterable[str]) -> str:
    """The learners that there are, those first that are taken where none is named."""
    usual = FOR_CLASSES, FOR_NUMBERS
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


# What the options say of learning: a recipe, or a saved model instead.


def recipe_maker(
    learning: Learning,
    prune: Sequence[str] | None = None,
    *,
    select: str | None = None,
    balance: str | None = None,
    positive: str | None = None,
) -> Callable[[Table], Recipe]:
    """The recipe, once the table is there: what is predicted decides where no learner is named. A direction
    that names no class is about the positive one, where that is named.

    Whatever can be refused before a table is read is refused here.
    """
    from clearwood.learners.directions import directed  # late, as all that help can do without

    prunings = _prunings(prune) if prune else []
    settings, seed = learning.settings, learning.seed
    if select is not None:
        _check_selection(select)
    before = _before(balance, seed)
    if learning.learner is not None:
        named = replace(named_recipe(learning.learner, settings, prunings, seed), before=before)
        named = replace(named, learner=directed(named.learner, positive))
        named = _selecting(named, select, seed)
        return lambda _: named

    def usual(table: Table) -> Recipe:
        default = default_learner(table)
        usual_settings = [f"{name}={value}" for name, value in default.settings.items()]
        made = named_recipe(default.name, settings or usual_settings, prunings, seed)
        made = replace(made, learner=directed(made.learner, positive))
        return _selecting(replace(made, before=before), select, seed)

    return usual


def preparations(
    select: str | None, balance: str | None, seed: int | None
) -> Callable[[Learner[Model]], tuple[Preparation, ...]]:
    """For a learner, what is done to its training rows; what is wrong with the texts is refused here."""
    from clearwood.study.recipe import Recipe

    if select is not None:
        _check_selection(select)
    before = _before(balance, seed)
    return lambda learner: _selecting(Recipe(learner, before=before), select, seed).before


def _before(balance: str | None, seed: int | None) -> tuple[Preparation, ...]:
    """What is done to the training rows before they are learned from."""
    if balance is None:
        return ()
    from clearwood.cli.recipe_steps import balance_of  # late: few recipes balance

    return (balance_of(balance, seed),)


def _check_selection(text: str) -> None:
    from clearwood.cli.recipe_steps import read_selection  # late: most models learn from all columns

    read_selection(text)


def _selecting(recipe: Recipe, text: str | None, seed: int | None) -> Recipe:
    """The recipe with the selection of columns before it."""
    if text is None:
        return recipe
    from clearwood.cli.recipe_steps import selection_of  # late: as above

    return replace(recipe, before=(selection_of(text, recipe.learner, seed), *recipe.before))


def _prunings(texts: Sequence[str]) -> list[Pruning]:
    from clearwood.cli.recipe_steps import pruning_of  # late: most trees are not pruned again

    return [pruning_of(each) for each in texts]


def named_recipe(
    learner: str, settings: Sequence[str] | None, prunings: Sequence[Pruning] = (), seed: int | None = None
) -> Recipe:
    """A learner by its name, with settings as typed; a `seed` given is the learner's too unless set apart."""
    from clearwood.cli.settings import parse
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
    named = FOR_CLASSES if learning.learner is None else learning.learner
    if not learner_called(named).by_members:
        able = ", ".join(name for name, entry in LEARNERS.items() if entry.by_members)
        raise SettingError(f"--keep is for learners of many members: {able}. Leave it out for {named}.")
    if option := resampling_given(judging):
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
    if learning.learner is not None or made == LEARNERS[FOR_CLASSES].name:
        return []
    return [f"The target is a number, so {made} learns it. For another learner: --learner NAME."]


def note_on_unused_seed(seed: int | None, *, drawn: bool) -> list[str]:
    """A note if a seed was given where nothing is drawn."""
    return [] if seed is None or drawn else ["Nothing here is random: --seed changes nothing."]


def refuse_learning(chosen: ModelOrLearner, *more: Any) -> None:
    """Refuse what is for learning beside a saved model, which knows its columns and is not learned again."""
    because = "is for learning, but --model gives a model that is already learned. Leave it out."
    refuse_given(because, chosen.learning, *more)


def literal_choice(kind: str, word: str, known: Any) -> Any:
    """The word, if it is one of those that the Literal has."""
    if word not in get_args(known):
        raise SettingError(no_such(kind, word, get_args(known)))
    return word


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
