"""A model: whatever was learned, as plain data. Verbs over models may take all kinds from here, where "as"
the same name hands them on; what every kind answers in its own way, its record does (`kinds/kind.py`)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, get_args
from weakref import ref

from clearwood.errors import LearningError, SettingError
from clearwood.models.kinds.additive.additive_model import AdditiveModel as AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables as BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble as Ensemble
from clearwood.models.kinds.kind import kind_of
from clearwood.models.kinds.linear.linear_model import LinearModel as LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList as RuleList
from clearwood.models.kinds.tree.tree import Tree as Tree
from clearwood.models.lineage import Balanced, Edited, Origin
from clearwood.words.numbers import count_words, with_noun

if TYPE_CHECKING:
    from clearwood.models.account.account import Account

Model: TypeAlias = Tree | RuleList | BayesTables | LinearModel | Ensemble | AdditiveModel


def size_of(model: Model) -> tuple[int, str]:
    """How much a person has to read, and what is counted."""
    kind = kind_of(model)
    return kind.size(model), kind.unit


def how_large(model: Model) -> str:
    """Its size in the unit of its kind.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> how_large(cw.ID3().learn(table)), how_large(cw.ID3(max_depth=0).learn(table))
    ('5 leaves', '1 leaf')
    """
    return kind_of(model).size_in_words(model)


def in_unit(text: str, unit: str) -> str:
    """A size that is written already, with the unit of its kind.

    >>> in_unit("1", "leaves"), in_unit("1.5", "leaves"), in_unit("1", "rules")
    ('1 leaf', '1.5 leaves', '1 rule')
    """
    return with_noun(text, {"leaves": "leaf"}.get(unit, unit.removesuffix("s")), unit)


def model_in_words(model: Model) -> str:
    """What the model is, for a sentence: `a list of 2 rules`."""
    return f"{kind_of(model).phrase} of {how_large(model)}"


def tree_or_rules(model: Model) -> Tree | RuleList | None:
    """The model, if conditions lead each row to one leaf or rule that answers; None of a kind that has none,
    as its `no_rules` says."""
    if kind_of(model).no_rules is not None:
        return None
    assert isinstance(model, Tree | RuleList)
    return model


def holds_medians(model: Tree | RuleList) -> bool:
    """Whether the numbers are medians and the errors absolute, not means and squares."""
    return model.answers == "median"


# What is worked out of a model once, for those who ask it row by row.

_MOST_KEPT: Final = 32  # models of which a function keeps what it worked out

KeptT = TypeVar("KeptT")
ValueT = TypeVar("ValueT")


def kept(work: Callable[[KeptT], ValueT]) -> Callable[[KeptT], ValueT]:
    """A function of a model that works each out once, as long as the model lives and
    few others come after it.

    What it gives must not hold the model itself, which would then live for ever, and is not to be changed.

    >>> class Thing: ...
    >>> asked = []
    >>> sizes = kept(lambda thing: asked.append(thing.size) or thing.size)
    >>> thing = Thing()
    >>> thing.size = 3
    >>> sizes(thing), sizes(thing), asked
    (3, 3, [3])
    """
    values: OrderedDict[int, tuple[ref[KeptT], ValueT]] = OrderedDict()
    lock = Lock()

    @wraps(work)
    def once(model: KeptT) -> ValueT:
        place = id(model)
        held = values.get(place)
        if held is not None and held[0]() is model:
            return held[1]
        value = work(model)
        # Whoever dies is forgotten before another model can have its place.
        known = ref(model, lambda _: values.pop(place, None))
        with lock:
            values[place] = known, value
            values.move_to_end(place)
            while len(values) > _MOST_KEPT:
                values.popitem(last=False)
        return value

    return once


def account_of(model: BayesTables | LinearModel | AdditiveModel) -> Account:
    """What each column adds to each class.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> [term.name for term in account_of(cw.NaiveBayes().learn(table)).terms]
    ['Outlook', 'Temperature', 'Humidity', 'Wind']
    """
    account = kind_of(model).account
    assert account is not None, "only some kinds add up"
    return account(model)


# Kinds of models: a verb that is given the wrong one says which it takes, and the way there.


def check_kind(verb: str, model: object, *kinds: type) -> None:
    """Refuse what is none of these kinds; without kinds, what is no model at all.

    >>> from clearwood.learners.trees.c45 import C45
    >>> check_kind("leaf_of", C45(), Tree)
    Traceback (most recent call last):
    clearwood.errors.SettingError: leaf_of takes a Tree, not a C45. Learn one first: learner.learn(table).
    """
    allowed = kinds or get_args(Model)
    if not isinstance(model, allowed):
        names = " or ".join(kind.__name__ for kind in kinds) if kinds else "model"
        raise SettingError(
            f"{verb} takes {with_article(names)}, not {with_article(type(model).__name__)}."
            f"{_way_out(model, allowed)}"
        )


def with_article(name: str) -> str:
    """
    >>> with_article("Ensemble"), with_article("Tree")
    ('an Ensemble', 'a Tree')
    """
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _way_out(given: object, allowed: tuple[type, ...]) -> str:
    if isinstance(given, Tree) and RuleList in allowed:
        return " Read the tree as rules first: rules_of(tree)."
    if hasattr(given, "learn"):
        return " Learn one first: learner.learn(table)."
    if hasattr(given, "model_"):
        return " Give it what the estimator has learned: estimator.model_."
    return ""


# Reading size: how much a person reads to know all of a model, counted alike for every kind. The unit is one
# statement: a condition, a cell of a table, a weight, a step of a curve.

SIZE_IN_WORDS: Final = "Size: conditions, cells, weights or steps to read"


def reading_size(model: Model) -> int:
    """The conditions of all leaves or rules, the cells of Bayes tables, weights, steps of curves and cells of
    pairs; of an ensemble those of all members. Of a single leaf, or of no rules, it is 0.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> reading_size(cw.ID3().learn(table)), reading_size(cw.NaiveBayes().learn(table))
    (9, 20)
    """
    check_kind("reading_size", model)
    return kind_of(model).reading_size(model)


# Models of balanced rows: whose counts they print, and what cannot be mixed with them.


_MOST_NAMED: Final = 12  # classes that are named


def balanced_words(model: Model) -> list[str]:
    """A sentence that says whose the printed counts are, where the rows that were learned from had been
    balanced, and the rules not been counted again since."""
    after = model.origin.after
    if any(isinstance(done, Edited) and done.edit == "recount" for done in after):
        return []
    return [_sentence(model, done) for done in after if isinstance(done, Balanced)]


def _sentence(model: Model, done: Balanced) -> str:
    pairs = list(zip(model.schema.classes, done.before, done.after, strict=True))
    named = [f"{name} {count_words(one)} → {count_words(other)}" for name, one, other in pairs[:_MOST_NAMED]]
    more = f", and {len(pairs) - _MOST_NAMED:,} more" if len(pairs) > _MOST_NAMED else ""
    too_sure = ", too sure where rows were made or repeated" if isinstance(model, LinearModel) else ""
    what = f"{kind_of(model).counts} of the training rows balanced by {done.by}"
    return f"{what} ({', '.join(named)}{more}){too_sure}."


def refuse_balanced(origin: Origin, what: str) -> None:
    """A sentence where a model counts balanced rows, and rows as they come would be counted beside them.

    >>> over = Balanced("over", (1.0, 9.0), (9.0, 9.0))
    >>> try:
    ...     refuse_balanced(Origin("ID3", after=(over,)), "Merging")
    ... except LearningError as error:
    ...     print(str(error)[:77])
    Merging counts rows as they come, and this model's were balanced by over: the
    """
    for done in origin.after:
        if isinstance(done, Balanced):
            raise LearningError(
                f"{what} counts rows as they come, and this model's were balanced by {done.by}: the counts "
                "would be of both. Do it as a part of learning, or learn again from all rows."
            )
