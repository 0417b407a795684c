"""Merging Bayes models: the sums of two models of disjoint rows are those of the model of all rows."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from hashlib import blake2b
from typing import assert_never

from clearwood.advice import Advice
from clearwood.errors import LearningError, SchemaError, no_such
from clearwood.models.decision import Decision
from clearwood.models.kept import check_kind
from clearwood.models.kinds.bayes.bayes_tables import BayesTables, ClassPriors
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Exact,
    ExactRow,
    Gaussian,
    Kernel,
    Sums,
    Words,
    exact,
)
from clearwood.models.lineage import Joined, LearnedMore
from clearwood.models.origin import Origin
from clearwood.models.reading_size import refuse_balanced
from clearwood.table.attributes import Attribute, Nominal, Ordinal, joined_values, kind_of
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
            _placed(first.classes, first.schema.classes, schema.classes),
            _placed(second.classes, second.schema.classes, schema.classes),
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
    new = [name for name in classes if name not in own]
    if new and not isinstance(model.priors, str):
        raise LearningError(
            f"The priors of this model are given, and lack the new class '{new[0]}'. "
            "Learn again with priors for it, or with ",
            Advice("priors", None, setting=True),
            ".",
        )
    schema = replace(model.schema, target=replace(target, values=classes))
    priors = model.priors if isinstance(model.priors, str) else dict(zip(own, model.priors, strict=True))
    wide = _decision(model.decision, len((*own, *new)))
    places = [(*own, *new).index(name) for name in classes]
    return replace(
        model,
        schema=schema,
        classes=_placed(model.classes, own, classes),
        distributions=tuple(_spread(each, model.schema, schema) for each in model.distributions),
        priors=priors if isinstance(priors, str) else tuple(priors[name] for name in classes),
        decision=replace(
            wide, costs=wide.costs and tuple(tuple(wide.costs[i][j] for j in places) for i in places)
        ),
    )


def emptied(distribution: Distribution, schema: Schema) -> Distribution:
    """The distribution without its sums: what must be alike for two to be added, or what to count next."""
    match distribution:
        case Categorical(name, _, _, prior):
            if not isinstance(prior, str) and len(prior) != len(getattr(schema[name], "values", ())):
                raise LearningError(
                    f"The value prior of '{name}' is given, and lacks a new value. "
                    "Learn again with m_prior for it."
                )
            return replace(distribution, counts=())
        case Cuts():
            return replace(distribution, counts=())
        case Gaussian():
            return replace(distribution, weights=(), sums=(), squares=())
        case Kernel():
            return replace(distribution, points=())
        case Bag():
            return replace(distribution, counts=(), known=())
        case Words():
            return replace(distribution, words=(), counts=(), documents=(), known=(), texts=(), read=0)
        case _:
            assert_never(distribution)


def joined_schema(ours: Schema, theirs: Schema) -> Schema:
    """Our schema with their new values and classes behind our own."""
    assert ours.target is not None
    if theirs.target is None or theirs.target.name != ours.target.name:
        raise SchemaError(f"The models predict different columns: '{ours.target.name}' is not in the second.")
    target = _widened(ours.target, theirs.target)
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
            f"Column '{ours.name}' is {kind_of(ours)} in the model and {kind_of(theirs)} in what is added. "
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
    classes = (own.classes, schema.classes)
    match distribution:
        case Categorical(name, counts):
            values = _values(own[name]), _values(schema[name])
            return replace(
                distribution, counts=_by_class(tuple(_placed(row, *values) for row in counts), *classes)
            )
        case Cuts(_, _, counts):
            return replace(distribution, counts=_by_class(counts, *classes))
        case Gaussian(_, weights, sums, squares):
            return replace(
                distribution,
                weights=_placed(weights, *classes),
                sums=_placed(sums, *classes),
                squares=_placed(squares, *classes),
            )
        case Kernel(_, points):
            by_name = dict(zip(own.classes, points, strict=True))
            return replace(distribution, points=tuple(by_name.get(name, ()) for name in schema.classes))
        case Bag(_, _, counts, known):
            return replace(
                distribution,
                counts=_by_class(counts, *classes),
                known=_by_class(known, *classes) if known else (),
            )
        case Words(_, _, _, counts, documents, of_class):
            return replace(
                distribution,
                counts=_by_class(counts, *classes),
                documents=_by_class(documents, *classes),
                known=_placed(of_class, *classes),
            )
        case _:
            assert_never(distribution)


def _added(one: Distribution, other: Distribution) -> Distribution:
    """The sums of both, which are spread under one schema."""
    match one, other:
        case Categorical(), Categorical():
            return replace(one, counts=_sums(one.counts, other.counts))
        case Cuts(), Cuts():
            return replace(one, counts=_sums(one.counts, other.counts))
        case Gaussian(), Gaussian():
            return replace(
                one,
                weights=_sum(one.weights, other.weights),
                sums=_sum(one.sums, other.sums),
                squares=_sum(one.squares, other.squares),
            )
        case Kernel(), Kernel():
            return replace(one, points=tuple(map(_together, one.points, other.points)))
        case Bag(), Bag():
            return replace(one, counts=_sums(one.counts, other.counts), known=_sums(one.known, other.known))
        case Words(), Words():
            words = tuple(sorted({*one.words, *other.words}))
            return replace(
                one,
                words=words,
                counts=_word_sums(one.words, one.counts, other.words, other.counts, words),
                documents=_word_sums(one.words, one.documents, other.words, other.documents, words),
                known=_sum(one.known, other.known),
                texts=_texts_of(one, other, words),
                read=one.read + other.read,
            )
        case _:
            raise AssertionError("only distributions that are alike are added")


def _together(
    one: tuple[tuple[float, Exact], ...], other: tuple[tuple[float, Exact], ...]
) -> tuple[tuple[float, Exact], ...]:
    weights: dict[float, Exact] = dict(one)
    for value, weight in other:
        weights[value] = exact(weights.get(value, 0) + weight)
    return tuple(sorted(weights.items()))


def _texts_of(one: Words, other: Words, words: tuple[str, ...]) -> tuple[int, ...]:
    both = Counter(dict(zip(one.words, one.texts, strict=True)))
    both.update(dict(zip(other.words, other.texts, strict=True)))
    return tuple(both[word] for word in words)


def _word_sums(
    ours: tuple[str, ...], one: Sums, theirs: tuple[str, ...], other: Sums, words: tuple[str, ...]
) -> Sums:
    return tuple(
        _sum(_placed(a, ours, words), _placed(b, theirs, words)) for a, b in zip(one, other, strict=True)
    )


def _sums(one: Sums, other: Sums) -> Sums:
    return tuple(map(_sum, one, other))


def _sum(one: ExactRow, other: ExactRow) -> ExactRow:
    return tuple(exact(a + b) for a, b in zip(one, other, strict=True))


def _placed(row: ExactRow, own: tuple[str, ...], names: tuple[str, ...]) -> ExactRow:
    """The numbers of `own` names at the places of `names`; 0 for the others."""
    if own == names:
        return row
    by_name = dict(zip(own, row, strict=True))
    return tuple(by_name.get(name, 0) for name in names)


def _by_class(sums: Sums, own: tuple[str, ...], classes: tuple[str, ...]) -> Sums:
    if own == classes:
        return sums
    nothing: ExactRow = (0,) * len(sums[0])
    by_name = dict(zip(own, sums, strict=True))
    return tuple(by_name.get(name, nothing) for name in classes)


def _values(attribute: Attribute) -> tuple[str, ...]:
    assert isinstance(attribute, Nominal | Ordinal)
    return attribute.values


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
