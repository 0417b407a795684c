"""The sums of Bayes models: those of two models of disjoint rows are those of the model of all rows."""

import math
from dataclasses import replace
from hashlib import blake2b
from typing import Any, assert_never

from clearwood.errors import Advice, LearningError, SchemaError, no_such
from clearwood.models.decision import Decision
from clearwood.models.kinds.bayes.bayes_tables import BayesTables, ClassPriors
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Exact,
    Gaussian,
    Kernel,
    Words,
    exact,
    faded,
)
from clearwood.models.lineage import Joined, LearnedMore, Origin
from clearwood.models.model import check_kind, refuse_balanced
from clearwood.table.attributes import Attribute, Nominal, Ordinal, joined_values
from clearwood.table.schema import Schema


def merged(first: BayesTables, second: BayesTables) -> BayesTables:
    """One model of both models' rows, exactly; only the order of new values and classes depends on theirs.

    Both must have the same columns, distributions, smoothing, cuts and priors; values and classes that only
    the second knows follow those of the first. Costs are the first model's.

    >>> from clearwood.table.attributes import Nominal
    >>> schema = Schema((Nominal("Wind", ("Weak",)),), Nominal("Play", ("No", "Yes")))
    >>> one = BayesTables(schema, (1, 2), (Categorical("Wind", ((1,), (2,))),))
    >>> merged(one, one).distributions[0].counts
    ((2,), (4,))
    """
    check_kind("merged", first, BayesTables)
    check_kind("merged", second, BayesTables)
    for each in (first, second):
        refuse_balanced(each.origin, "Merging")
    schema = joined_schema(first.schema, second.schema)
    if len(first.distributions) != len(second.distributions):
        raise SchemaError("The models have different columns. Learn both from tables of the same columns.")
    added = []
    for one in first.distributions:
        name = one.names[0] if isinstance(one, Bag) else one.name
        other = second[name]
        ours, theirs = _spread(one, first.schema, schema), _spread(other, second.schema, schema)
        if emptied(ours, schema) != emptied(theirs, schema):
            raise LearningError(
                f"Column '{name}' has another distribution, smoothing or cuts in the second model. "
                "Learn both alike, or add the rows by learn_more."
            )
        added.append(_added(ours, theirs))
    return BayesTables(
        schema,
        _sum(
            _by_class(first.classes, first.schema.classes, schema.classes),
            _by_class(second.classes, second.schema.classes, schema.classes),
        ),
        tuple(added),
        _priors(first, second),
        _decision(first.decision, len(schema.classes)),
        _origin(first.origin, second.origin),
    )


def under_classes(model: BayesTables, classes: tuple[str, ...]) -> BayesTables:
    """The model with its classes in this order; those it has not met have no rows, and cost 1 to mistake."""
    own, target = model.schema.classes, model.schema.target
    if own == classes:
        return model
    assert isinstance(target, Nominal | Ordinal)
    new = new_classes(model, classes)
    schema = replace(model.schema, target=replace(target, values=classes))
    priors = model.priors if isinstance(model.priors, str) else dict(zip(own, model.priors, strict=True))
    wide = _decision(model.decision, len((*own, *new)))
    places = [(*own, *new).index(name) for name in classes]
    return replace(
        model,
        schema=schema,
        classes=_by_class(model.classes, own, classes),
        distributions=tuple(_spread(each, model.schema, schema) for each in model.distributions),
        priors=priors if isinstance(priors, str) else tuple(priors[name] for name in classes),
        decision=replace(
            wide, costs=wide.costs and tuple(tuple(wide.costs[i][j] for j in places) for i in places)
        ),
    )


def new_classes(model: BayesTables, classes: tuple[str, ...]) -> list[str]:
    """Those that the model has not met; refused where its priors are given."""
    new = [name for name in classes if name not in model.schema.classes]
    if new and not isinstance(model.priors, str):
        raise LearningError(
            f"The priors of this model are given, and lack the new class '{new[0]}'. "
            "Learn again with priors for it, or with ",
            Advice("priors", None, setting=True),
            ".",
        )
    return new


def _sums_of(distribution: Distribution) -> dict[str, Any]:
    """By field the exact sums, [class] or [class][·]; the points of kernels are apart."""
    match distribution:
        case Categorical() | Cuts():
            names: tuple[str, ...] = ("counts",)
        case Gaussian():
            names = ("weights", "sums", "squares")
        case Bag():
            names = ("counts", "known")
        case Words():
            names = ("counts", "documents", "known")
        case Kernel():
            names = ()
        case _:
            assert_never(distribution)
    return {name: getattr(distribution, name) for name in names}


def emptied(distribution: Distribution, schema: Schema) -> Distribution:
    """The distribution without its sums: what must be alike for two to be added, or what to count next."""
    if isinstance(distribution, Categorical) and not isinstance(distribution.prior, str):
        name = distribution.name
        if len(distribution.prior) != len(getattr(schema[name], "values", ())):
            raise LearningError(
                f"The value prior of '{name}' is given, and lacks a new value. "
                "Learn again with m_prior for it."
            )
    if isinstance(distribution, Kernel):
        return replace(distribution, points=())
    without: dict[str, Any] = dict.fromkeys(_sums_of(distribution), ())
    if isinstance(distribution, Words):
        without |= {"words": (), "texts": (), "read": 0}
    return replace(distribution, **without)


def joined_schema(ours: Schema, theirs: Schema) -> Schema:
    """Our schema with their new values and classes behind our own."""
    if theirs.target is None or theirs.target.name != ours.predicted.name:
        raise SchemaError(
            f"The models predict different columns: '{ours.predicted.name}' is not in the second."
        )
    target = _widened(ours.predicted, theirs.target)
    assert isinstance(target, Nominal | Ordinal)
    attributes = []
    for attribute in ours.attributes:
        if attribute.name not in theirs.positions:
            raise SchemaError(
                f"The second lacks a column. {no_such('column', attribute.name, theirs.positions)}"
            )
        attributes.append(_widened(attribute, theirs[attribute.name]))
    return replace(ours, attributes=tuple(attributes), target=target)


def _widened(ours: Attribute, theirs: Attribute) -> Attribute:
    if type(ours) is not type(theirs):
        raise SchemaError(
            f"Column '{ours.name}' is {ours.kind} in the model and {theirs.kind} in what is added. "
            "Read the table with schema=model.schema, or declare its kinds."
        )
    if isinstance(ours, Nominal) and isinstance(theirs, Nominal):
        return replace(ours, values=joined_values(ours.values, theirs.values))
    if isinstance(ours, Ordinal) and isinstance(theirs, Ordinal):
        new = [value for value in theirs.values if value not in ours.values]
        if new:
            raise SchemaError(
                f"Column '{ours.name}' is ordinal, and the place of its new value '{new[0]}' is not known. "
                "Learn again with all its values declared from low to high."
            )
    return ours


def _spread(distribution: Distribution, own: Schema, schema: Schema) -> Distribution:
    """The same sums under the wider schema: zeros for values and classes it has not met."""
    if isinstance(distribution, Kernel):
        by_name = dict(zip(own.classes, distribution.points, strict=True))
        return replace(distribution, points=tuple(by_name.get(name, ()) for name in schema.classes))
    if isinstance(distribution, Categorical):
        values = _values(own[distribution.name]), _values(schema[distribution.name])
        distribution = replace(
            distribution, counts=tuple(_placed(row, *values) for row in distribution.counts)
        )
    sums: dict[str, Any] = {
        name: _by_class(each, own.classes, schema.classes) for name, each in _sums_of(distribution).items()
    }
    return replace(distribution, **sums)


def _added(one: Distribution, other: Distribution) -> Distribution:
    """The sums of both, which are alike, and spread under one schema."""
    if isinstance(one, Kernel) and isinstance(other, Kernel):
        return replace(one, points=tuple(map(_together, one.points, other.points)))
    more: dict[str, Any] = {}
    if isinstance(one, Words) and isinstance(other, Words):
        words = tuple(sorted({*one.words, *other.words}))
        one, other = _under_words(one, words), _under_words(other, words)
        more = {"texts": _sum(one.texts, other.texts), "read": one.read + other.read}
    theirs = _sums_of(other)
    return replace(one, **{name: _sum(each, theirs[name]) for name, each in _sums_of(one).items()}, **more)


def _together(
    one: tuple[tuple[float, Exact], ...], other: tuple[tuple[float, Exact], ...]
) -> tuple[tuple[float, Exact], ...]:
    weights: dict[float, Exact] = dict(one)
    for value, weight in other:
        weights[value] = exact(weights.get(value, 0) + weight)
    return tuple(sorted(weights.items()))


def _under_words(own: Words, words: tuple[str, ...]) -> Words:
    """The same sums under a longer list of words."""
    counts, documents = (
        tuple(_placed(row, own.words, words) for row in rows) for rows in (own.counts, own.documents)
    )
    texts = _placed(own.texts, own.words, words)
    return replace(own, words=words, counts=counts, documents=documents, texts=texts)


def _sum(one: Any, other: Any) -> Any:
    """Of two numbers, rows or tables alike."""
    if isinstance(one, tuple):
        return tuple(_sum(a, b) for a, b in zip(one, other, strict=True))
    return exact(one + other)


def _placed(row: tuple[Any, ...], own: tuple[str, ...], names: tuple[str, ...]) -> tuple[Any, ...]:
    """The numbers of `own` names at the places of `names`; 0 for the others."""
    if own == names:
        return row
    by_name = dict(zip(own, row, strict=True))
    return tuple(by_name.get(name, 0) for name in names)


def _by_class(sums: tuple[Any, ...], own: tuple[str, ...], classes: tuple[str, ...]) -> tuple[Any, ...]:
    """Sums [class] or [class][·] of these classes; zeros of those that are new."""
    if own == classes or not sums:
        return sums
    nothing: Any = (0,) * len(sums[0]) if isinstance(sums[0], tuple) else 0
    by_name = dict(zip(own, sums, strict=True))
    return tuple(by_name.get(name, nothing) for name in classes)


def _values(attribute: Attribute) -> tuple[str, ...]:
    assert isinstance(attribute, Nominal | Ordinal)
    return attribute.values


# Fading: every weight of a Bayes model becomes less, so that newer rows count more.


def faded_model(model: BayesTables, decay: float) -> BayesTables:
    """The model with every weight × decay: what is left of it when newer rows are to count more."""
    if decay == 1:
        return model
    distributions = tuple(_faded_one(each, decay) for each in model.distributions)
    return replace(model, classes=_faded(model.classes, decay), distributions=distributions)


def _faded_one(distribution: Distribution, decay: float) -> Distribution:
    if isinstance(distribution, Kernel):
        points = tuple(
            tuple((value, faded(weight, decay)) for value, weight in each) for each in distribution.points
        )
        return replace(distribution, points=points)
    gaussian = isinstance(distribution, Gaussian)  # rounded to this side, no variance can fall below 0
    sums = _sums_of(distribution).items()
    return replace(
        distribution, **{name: _faded(each, decay, up=gaussian and name != "sums") for name, each in sums}
    )


def _faded(sums: Any, decay: float, *, up: bool = False) -> Any:
    """A number, row or table of sums × decay."""
    if isinstance(sums, tuple):
        return tuple(_faded(each, decay, up=up) for each in sums)
    return faded(sums, decay, up=up)


# The priors, decision and origin of two models together.


def _priors(first: BayesTables, second: BayesTables) -> ClassPriors:
    if isinstance(first.priors, str) and first.priors == second.priors:
        return first.priors
    if not isinstance(first.priors, str):
        missing = [name for name in second.schema.classes if name not in first.schema.classes]
        if missing:
            raise LearningError(
                f"The priors are given, and lack the class '{missing[0]}' of the second model."
            )
    ours, theirs = _given_priors(first), _given_priors(second)
    # Numbers that were given as other parts of one proportion differ by rounding.
    if ours and ours.keys() == theirs.keys() and all(math.isclose(ours[c], theirs[c]) for c in ours):
        return first.priors
    raise LearningError("The models have different priors. Learn both with the same.")


def _given_priors(model: BayesTables) -> dict[str, float]:
    """By class; none where they are not given."""
    return {} if isinstance(model.priors, str) else dict(zip(model.schema.classes, model.priors, strict=True))


def _decision(decision: Decision, classes: int) -> Decision:
    """The costs, with 1 for a mistake about a new class."""
    if not decision.costs_kept or len(decision.costs_kept) == classes:
        return decision
    kept, old = decision.costs_kept, len(decision.costs_kept)
    wide = tuple(
        tuple(kept[i][j] if i < old and j < old else float(i != j) for j in range(classes))
        for i in range(classes)
    )
    if decision.cutoff is not None:
        return replace(decision, cutoff=replace(decision.cutoff, costs=wide))
    return replace(decision, costs=wide)


def _origin(first: Origin, second: Origin) -> Origin:
    """The first model's, with the second joined to it; the rows are those of both."""
    mark = _of_both(first.fingerprint, second.fingerprint)
    return replace(first, fingerprint=mark, rows=first.rows + second.rows).then(Joined(second))


def learned_more(model: Origin, more: Origin) -> Origin:
    """The origin of a model that learned the rows of another origin too.

    Rows may come in many small batches, and lineage must not grow with them: those that follow each other are
    one entry.
    """
    before, added = model.after, LearnedMore(more.rows, more.fingerprint)
    if before and isinstance(last := before[-1], LearnedMore):
        before = before[:-1]
        added = LearnedMore(last.rows + more.rows, _of_both(last.fingerprint, more.fingerprint))
    mark = _of_both(model.fingerprint, more.fingerprint)
    return replace(model, fingerprint=mark, rows=model.rows + more.rows, after=(*before, added))


def _of_both(first: str, second: str) -> str:
    """Both tables' fingerprints in one, whatever their order."""
    return blake2b("+".join(sorted((first, second))).encode(), digest_size=8).hexdigest()
