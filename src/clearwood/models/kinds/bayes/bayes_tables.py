"""BayesTables: how often each class occurs, and with each class each value of each column."""

from __future__ import annotations

import math
from dataclasses import field
from fractions import Fraction
from itertools import pairwise
from operator import gt
from typing import Any, ClassVar, Final, Literal, TypeAlias, assert_never

from clearwood.errors import ColumnError, SchemaError, no_such
from clearwood.models.decision import Decision
from clearwood.models.kinds.bayes.distributions import (
    BANDWIDTHS,
    EVENTS,
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Exact,
    Gaussian,
    Kernel,
    Smoothing,
    Words,
    columns_of,
)
from clearwood.models.kinds.kind import BaseModel, Profile
from clearwood.models.lineage import BY_HAND, Origin
from clearwood.records import dataclass
from clearwood.table.attributes import Attribute, Nominal, Numeric, Ordinal, Text
from clearwood.table.schema import Schema
from clearwood.words.numbers import many

ClassPriors: TypeAlias = Literal["estimated", "equal"] | tuple[float, ...]  # given: shares that sum to 1

_NEARLY: Final = 1e-9


@dataclass(frozen=True)
class BayesTables(BaseModel):
    """A Naive Bayes model: class weights, priors, and one distribution per column (or group of columns).

    It holds exact sums, not probabilities, so that models of disjoint rows add up to the model of all rows.
    """

    kind: ClassVar = "bayes"
    schema: Schema
    classes: tuple[Exact, ...]  # [class] the weight of its training rows
    distributions: tuple[Distribution, ...]  # in the order of the schema
    priors: ClassPriors = "estimated"
    decision: Decision = field(default_factory=Decision)
    origin: Origin = field(default_factory=lambda: Origin(BY_HAND))
    profile: Profile | None = None

    def __post_init__(self) -> None:
        if not self.schema.classes:
            raise SchemaError(
                "The target of a Bayes model must be nominal or ordinal, with at least one class."
            )
        width = len(self.schema.classes)
        if len(self.classes) != width or not all(_is_count(each) for each in self.classes):
            raise SchemaError(f"Class weights must be {width} numbers from 0 up.")
        if not sum(self.classes) > 0:
            raise SchemaError("A Bayes model needs rows of at least one class.")
        _check_priors(self.priors, width)
        read: set[str] = set()
        for distribution in self.distributions:
            for name in columns_of(distribution):
                if name in read:
                    raise SchemaError(f"The column '{name}' has two distributions.")
                read.add(name)
            check_distribution(self.schema, distribution)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it reads."""
        return tuple(name for each in self.distributions for name in columns_of(each))

    def __getitem__(self, name: str) -> Distribution:
        for distribution in self.distributions:
            if name in columns_of(distribution):
                return distribution
        raise ColumnError(no_such("column", name, self.columns))

    def __repr__(self) -> str:
        columns = len(self.columns)
        return (
            f"<BayesTables {self.origin.title}: {many(len(self.classes), 'class', 'classes')},"
            f" {columns:,} {'column' if columns == 1 else 'columns'}>"
        )


def check_distribution(schema: Schema, distribution: Distribution) -> None:
    """Refuse sums that are not of the schema's classes and values."""
    match distribution:
        case Categorical():
            _check_categorical(schema, distribution)
        case Cuts():
            _check_cuts(schema, distribution)
        case Gaussian():
            _check_gaussian(schema, distribution)
        case Kernel():
            _check_kernel(schema, distribution)
        case Bag():
            _check_bag(schema, distribution)
        case Words():
            _check_words(schema, distribution)
        case _:
            assert_never(distribution)


def _check_categorical(schema: Schema, categorical: Categorical) -> None:
    name, classes = categorical.name, len(schema.classes)
    attribute = _attribute(schema, name)
    if not isinstance(attribute, Nominal | Ordinal):
        raise SchemaError(f"Column '{name}' is {attribute.kind}; it has no counts of values.")
    values = len(attribute.values)
    _check_sums(name, categorical.counts, classes, values)
    _check_smoothing(name, categorical.smoothing)
    if not isinstance(categorical.prior, str):
        if len(categorical.prior) != values or not all(_is_number(p) and p >= 0 for p in categorical.prior):
            raise SchemaError(f"Column '{name}': its value prior must be {values} numbers from 0 up.")
        if not math.isclose(sum(categorical.prior), 1, rel_tol=_NEARLY):
            raise SchemaError(f"Column '{name}': its value prior must sum to 1.")
    elif categorical.prior not in ("equal", "overall"):
        raise SchemaError(
            f"Column '{name}': {no_such('prior called', categorical.prior, ('equal', 'overall'))}"
        )


def _check_cuts(schema: Schema, cuts: Cuts) -> None:
    name, classes = cuts.name, len(schema.classes)
    _check_numeric(schema, name)
    if not all(_is_number(cut) for cut in cuts.cuts) or not all(a < b for a, b in pairwise(cuts.cuts)):
        raise SchemaError(f"Column '{name}': cuts must be finite and ascending.")
    _check_sums(name, cuts.counts, classes, len(cuts.cuts) + 1)
    _check_smoothing(name, cuts.smoothing)


def _check_gaussian(schema: Schema, gaussian: Gaussian) -> None:
    name, classes = gaussian.name, len(schema.classes)
    _check_numeric(schema, name)
    if not len(gaussian.weights) == len(gaussian.sums) == len(gaussian.squares) == classes:
        raise SchemaError(f"Column '{name}': there must be {classes} weights, sums and squares.")
    _check_from_zero(name, gaussian.floor, "floor")
    for weight, once, twice in zip(gaussian.weights, gaussian.sums, gaussian.squares, strict=True):
        if not _is_count(weight) or not _is_exact(once) or not _is_count(twice):
            raise SchemaError(f"Column '{name}': weights and squares must be numbers from 0 up.")
        if once * once > weight * twice or (weight == 0 and twice > 0):
            raise SchemaError(f"Column '{name}': no numbers have this weight, sum and sum of squares.")


def _check_kernel(schema: Schema, kernel: Kernel) -> None:
    name, classes = kernel.name, len(schema.classes)
    _check_numeric(schema, name)
    if len(kernel.points) != classes:
        raise SchemaError(f"Column '{name}': there must be points of {classes} classes.")
    if kernel.bandwidth not in BANDWIDTHS:
        raise SchemaError(
            f"Column '{name}': {no_such('bandwidth called', str(kernel.bandwidth), BANDWIDTHS)}"
        )
    _check_from_zero(name, kernel.floor, "floor")
    for each in kernel.points:
        if not all(_is_number(value) and _is_count(weight) and weight > 0 for value, weight in each):
            raise SchemaError(f"Column '{name}': a point is a finite number and a weight above 0.")
        if not all(a < b for (a, _), (b, _) in pairwise(each)):
            raise SchemaError(f"Column '{name}': the values of its points must increase.")


def _check_bag(schema: Schema, bag: Bag) -> None:
    names, classes = bag.names, len(schema.classes)
    if not names:
        raise SchemaError("A group of columns needs at least one column.")
    for name in names:
        _check_numeric(schema, name)
    if bag.event not in EVENTS:
        raise SchemaError(f"Column '{names[0]}': {no_such('event called', str(bag.event), EVENTS)}")
    _check_sums(names[0], bag.counts, classes, len(names))
    _check_from_zero(names[0], bag.alpha, "alpha")
    if bag.event == "complement" and not bag.alpha > 0:
        raise SchemaError(f"Column '{names[0]}': complement needs an alpha above 0.")
    if bag.event == "bernoulli":
        _check_sums(names[0], bag.known, classes, len(names))
        pairs = zip(sum(bag.counts, ()), sum(bag.known, ()), strict=True)
        if any(met > seen for met, seen in pairs):
            raise SchemaError(f"Column '{names[0]}': more rows hold it than are known.")
    elif bag.known:
        raise SchemaError(f"Column '{names[0]}': only bernoulli keeps the weight of known rows.")


def _check_words(schema: Schema, words: Words) -> None:
    name, classes = words.name, len(schema.classes)
    attribute = _attribute(schema, name)
    if not isinstance(attribute, Text):
        raise SchemaError(f"Column '{name}' is {attribute.kind}; only text has words.")
    if words.event not in EVENTS:
        raise SchemaError(f"Column '{name}': {no_such('event called', str(words.event), EVENTS)}")
    _check_from_zero(name, words.alpha, "alpha")
    if not words.alpha > 0:
        raise SchemaError(f"Column '{name}': words need an alpha above 0.")
    if not all(isinstance(word, str) for word in words.words) or not all(
        a < b for a, b in pairwise(words.words)
    ):
        raise SchemaError(f"Column '{name}': its words must be in ascending order, each once.")
    _check_sums(name, (words.known,), 1, classes)
    _check_sums(name, words.counts, classes, len(words.words))
    _check_sums(name, words.documents, classes, len(words.words))
    if len(words.texts) != len(words.words) or {*map(type, words.texts), type(words.read)} - {int}:
        raise SchemaError(
            f"Column '{name}': its texts must be {len(words.words)} whole numbers, and one read."
        )
    if min(words.texts, default=0) < 0 or max(words.texts, default=0) > words.read:
        raise SchemaError(f"Column '{name}': its texts must be from 0 to the {words.read} read.")
    for counts, documents, known in zip(words.counts, words.documents, words.known, strict=True):
        if max(documents, default=0) > known:
            raise SchemaError(f"Column '{name}': a word is in more texts than there are.")
        if any(map(gt, documents, counts)):
            raise SchemaError(f"Column '{name}': a word is in more texts than it occurs times.")


def _attribute(schema: Schema, name: str) -> Attribute:
    if name not in schema.positions:
        raise ColumnError(no_such("column", name, schema.positions))
    return schema[name]


def _check_numeric(schema: Schema, name: str) -> None:
    attribute = _attribute(schema, name)
    if not isinstance(attribute, Numeric):
        raise SchemaError(f"Column '{name}' is {attribute.kind}; this distribution is of numbers.")


def _check_sums(name: str, sums: tuple[tuple[Exact, ...], ...], classes: int, width: int) -> None:
    if len(sums) != classes or any(len(row) != width for row in sums):
        raise SchemaError(
            f"Column '{name}': its counts must be {width} numbers for each of {classes} classes."
        )
    # By types at once: a vocabulary has a million of them.
    if any({*map(type, row)} - {int, Fraction} or min(row, default=0) < 0 for row in sums):
        raise SchemaError(f"Column '{name}': its counts must be numbers from 0 up.")


def _check_smoothing(name: str, smoothing: Smoothing) -> None:
    if smoothing != "laplace" and not (_is_number(smoothing) and smoothing >= 0):
        raise SchemaError(
            f"Column '{name}': smoothing must be 'laplace' or a number m ≥ 0, not {smoothing!r}."
        )


def _check_from_zero(name: str, value: float, what: str) -> None:
    if not _is_number(value) or value < 0:
        raise SchemaError(f"Column '{name}': {what} must be a number from 0 up, not {value!r}.")


def _check_priors(priors: ClassPriors, width: int) -> None:
    if isinstance(priors, str):
        if priors not in ("estimated", "equal"):
            raise SchemaError(no_such("priors called", priors, ("estimated", "equal"), plural="choices"))
    elif len(priors) != width or not all(_is_number(p) and p >= 0 for p in priors):
        raise SchemaError(f"Priors must be {width} numbers from 0 up.")
    elif not math.isclose(sum(priors), 1, rel_tol=_NEARLY):
        raise SchemaError(f"Priors must sum to 1, not {sum(priors):g}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_exact(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_exact(value) and value >= 0
