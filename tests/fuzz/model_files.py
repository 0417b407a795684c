"""Model files of every kind, damaged as bytes or as JSON; what loads predicts and is saved."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import clearwood as cw
from clearwood.models.files import from_json, load, to_json
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.schema import Schema
from tests.fuzz.cases import Case
from tests.fuzz.json_mutation import mutated_json, written_json
from tests.fuzz.mutation import mutated
from tests.fuzz.watching import nothing_is_run


def case(random: Random, folder: Path) -> Case:
    """A file of a model that the dice choose, damaged."""
    name = random.choice(list(_seeds()))
    content = _seeds()[name]
    if random.random() < 0.75:
        content = written_json(mutated_json(json.loads(content), random), random)
    if random.random() < 0.25:
        content = mutated(content, random)
    title = f"load({name}: {content[:3000]!r})"
    path = folder / "m.json"
    if random.random() < 0.05:
        path, content = folder / "m.json.gz", gzip.compress(content, mtime=0)
        content = mutated(content, random) if random.random() < 0.5 else content
    path.write_bytes(content)
    number = random.randrange(1 << 30)
    return Case(title, lambda: _load(path, Random(number)))


def _load(path: Path, random: Random) -> None:
    with nothing_is_run():
        model = load(path)
        check_model(model, random)


def check_model(model: Model, random: Random) -> None:
    """What holds of every model: it answers any row, alone or in a batch, prints, and is saved as it was."""
    rows = [row_of(model.schema, random) for _ in range(4)]
    table = cw.encode(rows, model.schema)
    answers = cw.predict(model, table)
    if isinstance(model.schema.target, Nominal | Ordinal):
        shares = cw.shares(model, table)
        assert np.isfinite(shares).all(), "a share is no number"
        assert set(answers.tolist()) <= {*model.schema.classes, None}, answers
    predictor = cw.row_predictor(model)
    for row in rows:
        predictor(row)
    str(model), repr(model)
    if random.random() < 0.3:
        str(cw.explain(model, rows[0])), cw.picture(model).svg
    text = to_json(model)
    assert to_json(from_json(text)) == text


def row_of(schema: Schema, random: Random) -> Mapping[str, Any]:
    """A row by chance, with values that the model knows, others, and none."""
    row: dict[str, Any] = {}
    for attribute in schema.attributes:
        match attribute:
            case Nominal() | Ordinal():
                row[attribute.name] = random.choice((*attribute.values, "never seen", None))
            case Numeric():
                row[attribute.name] = random.choice((0.0, -1.5, 70.0, 1e300, 5e-324, None))
            case _:
                row[attribute.name] = random.choice(("free money now", "", None))
    return row


@cache
def _seeds() -> dict[str, bytes]:
    """A small file of every kind of model."""
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tree = cw.C45().learn(table)
    texts = cw.read_table(
        [{"text": "free money", "spam": "yes"}, {"text": "see you now", "spam": "no"}] * 3,
        target="spam",
        kinds={"text": "text"},
    )
    models: dict[str, Model] = {
        "tree": tree,
        "tree with surrogates": cw.CART().learn(table),
        "tree of numbers": cw.CART().learn(
            cw.read_table(cw.datasets.path("tennis_numeric"), target="Humidity")
        ),
        "chaid": cw.CHAID().learn(table),
        "rules of a tree": cw.rules_of(tree),
        "ripper": cw.RIPPER().learn(table),
        "rules that vote": cw.CN2(rules="unordered").learn(table),
        "bayes": cw.NaiveBayes().learn(table),
        "bayes of words": cw.NaiveBayes().learn(texts),
        "logistic": cw.Logistic(penalty="l2").learn(table),
        "curves and a pair": cw.GAM(bags=2, pairs=1, seed=1, min_leaf=1).learn(table),
        "boosting": cw.Boosting(trees=3, min_child=0).learn(table),
        "ensemble of trees": cw.Bagging(of=cw.CART(), trees=4).learn(table),
        "ensemble of trees in base64": cw.Bagging(trees=30).learn(table),
        "ensemble of numbers": cw.Bagging(of=cw.CART(), trees=3).learn(
            cw.read_table(cw.datasets.path("tennis_numeric"), target="Humidity")
        ),
        "ensemble of rules": cw.Bagging(of=cw.PRISM(cuts="width"), trees=2).learn(table),
        "boosted trees": cw.AdaBoost(trees=4).learn(table),
    }
    return {name: to_json(model).encode() for name, model in models.items()}
