"""Naive Bayes beside scikit-learn's five, where the definitions are one.

They are not where: GaussianNB adds 10⁻⁹ × the largest variance of all columns to every variance (ours is a
floor, and per column); CategoricalNB counts values up to the largest code met (ours those of the schema);
ComplementNB leaves the prior out when there are two classes or more (ours has it, as Rennie et al. write it:
with equal priors it is theirs).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from clearwood.learners.bayes.naive_bayes import NaiveBayes
from clearwood.models.kinds.bayes.distributions import BANDWIDTHS, Event
from clearwood.predicting import predict_codes
from clearwood.predicting import shares as bayes_shares
from clearwood.registry import Priors
from clearwood.table.attributes import Attribute, Nominal, Numeric
from clearwood.table.schema import Schema
from clearwood.table.table import Table

naive_bayes = pytest.importorskip("sklearn.naive_bayes")


def table_of(
    cells: npt.NDArray[Any], target: npt.NDArray[Any], weights: npt.NDArray[Any] | None = None
) -> Table:
    numeric = cells.dtype == np.float64
    names = [f"x{i}" for i in range(cells.shape[1])]
    values = tuple(map(str, range(int(cells.max()) + 1))) if not numeric else ()
    attributes: list[Attribute] = [Numeric(name) if numeric else Nominal(name, values) for name in names]
    classes = tuple(f"c{i}" for i in range(int(target.max()) + 1))
    columns = {name: cells[:, i].copy() for i, name in enumerate(names)} | {"y": target.astype(np.int32)}
    return Table(Schema(tuple(attributes), Nominal("y", classes)), columns, weights)


def drawn(seed: int, *, numeric: bool) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    random = np.random.default_rng(seed)
    target = random.integers(0, 3, 400)
    target[:3] = [0, 1, 2]
    cells: npt.NDArray[Any] = random.integers(0, 6, (400, 5)).astype(np.int32)
    cells[:6] = np.arange(6)[:, None]
    cells = np.where(random.random((400, 5)) < 0.4, target[:, None].astype(np.int32), cells)
    return cells.astype(np.float64) if numeric else cells, target, random.uniform(0.1, 3, 400)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("equal", [False, True])
def test_categorical(seed: int, weighted: bool, equal: bool) -> None:
    cells, target, weights = drawn(seed, numeric=False)
    table = table_of(cells, target, weights if weighted else None)
    model = NaiveBayes(priors="equal" if equal else None).learn(table)
    theirs = naive_bayes.CategoricalNB(min_categories=6, fit_prior=not equal)
    theirs.fit(cells, target, sample_weight=weights if weighted else None)
    np.testing.assert_allclose(bayes_shares(model, table), theirs.predict_proba(cells), rtol=1e-10)
    np.testing.assert_array_equal(predict_codes(model, table), theirs.predict(cells))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("far", [0.0, 1e6])
def test_gaussian(seed: int, weighted: bool, far: float) -> None:
    cells, target, weights = drawn(seed, numeric=True)
    cells = cells + np.random.default_rng(seed).normal(size=cells.shape) + far
    table = table_of(cells, target, weights if weighted else None)
    model = NaiveBayes().learn(table)
    theirs = naive_bayes.GaussianNB(var_smoothing=0)
    theirs.fit(cells, target, sample_weight=weights if weighted else None)
    close = 1e-10 if not far else 1e-7  # their variances lose digits far from 0
    np.testing.assert_allclose(bayes_shares(model, table), theirs.predict_proba(cells), rtol=close)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("event", "theirs"),
    [("multinomial", "MultinomialNB"), ("bernoulli", "BernoulliNB"), ("complement", "ComplementNB")],
)
def test_bags(seed: int, weighted: bool, event: Event, theirs: str) -> None:
    cells, target, weights = drawn(seed, numeric=True)
    table = table_of(cells, target, weights if weighted else None)
    priors: Priors = "equal" if event == "complement" else None
    model = NaiveBayes(numeric=event, alpha=0.7, priors=priors).learn(table)
    other = getattr(naive_bayes, theirs)(alpha=0.7)
    other.fit(cells, target, sample_weight=weights if weighted else None)
    np.testing.assert_allclose(bayes_shares(model, table), other.predict_proba(cells), rtol=1e-10)


def test_a_kernel_is_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(2)
    cells, target = random.normal(size=(60, 1)), np.arange(60) % 2
    for rule in BANDWIDTHS[:2]:
        model = NaiveBayes(numeric="kernel", bandwidth=rule).learn(table_of(cells, target))
        points = np.linspace(-3, 3, 11)[:, None]
        heights = np.array([stats.gaussian_kde(cells[target == c, 0], rule)(points[:, 0]) for c in (0, 1)]).T
        expected = heights / heights.sum(axis=1, keepdims=True)
        table = table_of(points, np.arange(11) % 2)
        np.testing.assert_allclose(bayes_shares(model, table), expected, rtol=1e-10)
