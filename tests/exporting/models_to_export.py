"""Models of every kind on one table with every kind of column, and adversarial rows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

import clearwood as cw
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import MISSING, UNSEEN, Table

Row = dict[str, str | float | None]

COLOURS = ("red", "dark blue", "O'Brien", 'say "hi"', "größe", "%d\\n", "")
SCHEMA = Schema(
    (
        Numeric("age"),
        Nominal("colour of eyes", COLOURS[:6]),
        Numeric('in "come"'),
        Ordinal("size", ("S", "M", "L")),
        Numeric("n"),
    ),
    Nominal("class", ("yes", "no", "may be")),
)


def made_rows(count: int, seed: int, *, missing: float = 0.15, unseen: float = 0.0) -> list[Row]:
    """Rows by chance."""
    random = Random(seed)

    def gone() -> bool:
        return random.random() < missing

    def value(values: Sequence[str]) -> str:
        return "never met" if random.random() < unseen else random.choice(values)

    return [
        {
            "age": None if gone() else round(random.gauss(40, 15), 1),
            "colour of eyes": None if gone() else value(COLOURS[:6]),
            'in "come"': None if gone() else random.lognormvariate(3, 1),
            "size": None if gone() else value(("S", "M", "L")),
            "n": None if gone() else float(random.choice([0, 0, 1, 2, 3])),
        }
        for _ in range(count)
    ]


def made_table(count: int = 240, seed: int = 1, *, missing: float = 0.15, numeric: bool = False) -> Table:
    """A table whose target depends on its columns."""
    random = Random(seed + 1000)
    rows: list[dict[str, Any]] = []
    for row in made_rows(count, seed, missing=missing):
        score = (row["age"] or 40) / 15 + (row["colour of eyes"] in COLOURS[:2]) * 1.5  # type: ignore[operator]
        score += {"S": 0, "M": 0.5, "L": 1.5, None: 0.3}[row["size"]] + random.gauss(0, 0.7)  # type: ignore[index]
        target: Any = score if numeric else "yes" if score > 4.2 else "no" if score > 2.9 else "may be"
        rows.append({**row, "class": target})
    schema = SCHEMA if not numeric else Schema(SCHEMA.attributes, Numeric("class"))
    return cw.encode(rows, schema)


def learners() -> dict[str, Any]:
    """Those whose models can be exported, by name."""
    return {
        "id3": cw.ID3(max_depth=3),
        "c45": cw.C45(),
        "c45 in full": cw.C45(prune=False),
        "cart": cw.CART(),
        "cart in full": cw.CART(alpha=0.0, surrogates=3),
        "chaid": cw.CHAID(),
        "ila": cw.ILA(cuts="frequency"),
        "cn2": cw.CN2(),
        "cn2 votes": cw.CN2(rules="unordered"),
        "ripper": cw.RIPPER(),
        "bayes": cw.NaiveBayes(),
        "kernel bayes": cw.NaiveBayes(numeric="kernel"),
        "logistic": cw.Logistic(penalty="l2"),
        "bayes of cuts": cw.NaiveBayes(numeric="cuts"),
        "bayes of counts": cw.NaiveBayes(numeric="multinomial"),
        "bernoulli bayes": cw.NaiveBayes(numeric="bernoulli"),
        "forest by votes": cw.Forest(trees=4, seed=1, max_depth=4, combine="votes"),
        "bagging by votes": cw.Bagging(trees=3, seed=1, of=cw.C45(), combine="votes"),
        "c45 with costs": cw.C45(priors="equal", costs={("yes", "no"): 3, ("no", "yes"): 1.5}),
        "forest": cw.Forest(trees=6, seed=1, max_depth=5),
        "boosting": cw.Boosting(trees=5),
        "adaboost": cw.AdaBoost(trees=4, of=cw.CART(max_depth=2)),
        "bagging": cw.Bagging(trees=3, seed=1, of=cw.C45()),
        "gam": cw.GAM(bags=4, pairs=2, seed=1),
    }


def ensembles_of_others() -> dict[str, Any]:
    """Learners of ensembles whose members are no trees, by name."""
    return {
        "bagging of rules": cw.Bagging(trees=2, seed=1, of=cw.ILA(cuts="frequency")),
        "bagging of rules by votes": cw.Bagging(trees=2, seed=1, of=cw.RIPPER(), combine="votes"),
        "bagging of bayes": cw.Bagging(trees=2, seed=1, of=cw.NaiveBayes()),
        "bagging of weights": cw.Bagging(trees=2, seed=1, of=cw.Logistic(penalty="l2"), combine="votes"),
        "adaboost of rules": cw.AdaBoost(trees=2, of=cw.CN2(rules="unordered")),
    }


def models(table: Table) -> dict[str, Model]:
    """A model by each of them."""
    made: dict[str, Model] = {}
    for name, learner in learners().items():
        made[name] = learner.learn(table)
    return made


def rows_of(table: Table, *, most: int | None = None) -> list[Row]:
    """The first rows of a table, as a person would give them; a value never met is a word of its own."""
    rows: list[Row] = []
    for place in range(len(table) if most is None else min(most, len(table))):
        row: Row = {}
        for attribute in table.schema.inputs:
            cell = table.columns[attribute.name][place]
            if isinstance(attribute, Nominal | Ordinal):
                named = {MISSING: None, UNSEEN: "never met", **dict(enumerate(attribute.values))}
                row[attribute.name] = named[int(cell)]
            else:
                row[attribute.name] = None if np.isnan(cell) else float(cell)
        rows.append(row)
    return rows


def texts_in_columns(
    names: Sequence[str], values: Sequence[str], classes: tuple[str, str], count: int
) -> tuple[Table, list[Row]]:
    """Columns and values by any name: the rows have each value in each column, and the classes in turn."""
    rows: list[Row] = [
        {name: values[(at * (place + 1)) % len(values)] for place, name in enumerate(names)}
        for at in range(count)
    ]
    schema = Schema(tuple(Nominal(name, tuple(values)) for name in names), Nominal("class\n", classes))
    return cw.encode([{**row, "class\n": classes[at % 2]} for at, row in enumerate(rows)], schema), rows


def near(one: float, other: float) -> bool:
    """Equal to the twelfth digit."""
    return bool(np.isclose(one, other, rtol=1e-11, atol=1e-12))
