"""Distilling: an imitation learns from a model's answers, and says where it differs."""

from __future__ import annotations

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import LearningError, SettingError
from clearwood.models.files import from_json, to_json
from clearwood.models.lineage import Distilled
from clearwood.study.profiling import with_profile


def table(rows: int = 600, *, numeric: bool = False) -> cw.Table:
    """Two numbers and a value that decide, and a column that does not."""
    random = np.random.default_rng(5)
    x, z = random.uniform(size=rows).round(3), random.uniform(size=rows).round(3)
    colour = random.integers(0, 3, rows)
    score = 2 * x + (colour == 1) + 0.2 * random.normal(size=rows)
    target = score if numeric else np.where(score > 1.3, "yes", "no")
    return cw.read_table(
        {"x": x, "z": z, "colour": np.array(["r", "g", "b"])[colour].tolist(), "y": target.tolist()},
        target="y",
    )


def test_the_imitation_of_a_tree_by_the_same_learner_answers_alike() -> None:
    rows = table()
    tree = cw.CART(max_depth=3).learn(rows)
    done = cw.distil(tree, rows, cw.CART(max_depth=3), made=2)
    assert done.fidelity > 0.97
    assert (done.rows, done.learned_from, done.made) == (180, 420, 840)
    assert done.accuracy is not None
    assert done.accuracy_of_model is not None
    assert abs(done.accuracy - done.accuracy_of_model) < 0.05


def test_fidelity_is_counted_on_rows_that_were_not_learned_from() -> None:
    rows = table()
    seen: list[cw.Table] = []

    class Watching:
        def learn(self, given: cw.Table) -> cw.Tree:
            seen.append(given)
            return cw.CART(max_depth=2).learn(given)

    done = cw.distil(cw.NaiveBayes().learn(rows), rows, Watching(), made=0, test_part=0.5)
    used = {
        tuple(each) for each in zip(seen[0].columns["x"].tolist(), seen[0].columns["z"].tolist(), strict=True)
    }
    everything = set(zip(rows.columns["x"].tolist(), rows.columns["z"].tolist(), strict=True))
    assert len(seen[0]) == done.learned_from == 300
    assert len(everything - used) == 300


def test_made_rows_have_the_cells_of_each_column_and_are_new() -> None:
    rows = table()
    seen: list[cw.Table] = []

    class Watching:
        def learn(self, given: cw.Table) -> cw.Tree:
            seen.append(given)
            return cw.CART(max_depth=2).learn(given)

    cw.distil(cw.NaiveBayes().learn(rows), rows, Watching(), made=3)
    own, made = (seen[0].take(np.arange(a, b)) for a, b in ((0, 420), (420, 1680)))
    for name in ("x", "z", "colour"):
        assert np.array_equal(np.repeat(np.sort(own.columns[name]), 3), np.sort(made.columns[name]))
    pairs = set(zip(own.columns["x"].tolist(), own.columns["z"].tolist(), strict=True))
    new = [
        pair
        for pair in zip(made.columns["x"].tolist(), made.columns["z"].tolist(), strict=True)
        if pair not in pairs
    ]
    assert len(new) > 300


def test_regions_are_the_leaves_with_what_differs_there() -> None:
    rows = table()
    done = cw.distil(cw.NaiveBayes().learn(rows), rows, cw.C45(), made=0)
    assert isinstance(done.model, cw.Tree)
    weights = [each.weight for each in done.regions]
    assert sum(weights) == done.rows
    differing = sum(each.weight * each.disagreement for each in done.regions)
    assert 1 - differing / done.rows == pytest.approx(done.fidelity)
    costs = [each.weight * each.disagreement for each in done.regions]
    assert costs == sorted(costs, reverse=True)
    assert "Where they differ" in str(done)


def test_rules_and_numbers_are_imitated_too() -> None:
    rows = table()
    rules = cw.distil(cw.NaiveBayes().learn(rows), rows, cw.RIPPER())
    assert isinstance(rules.model, cw.RuleList)
    assert sum(each.weight for each in rules.regions) == rules.rows
    assert any(not each.when for each in rules.regions)
    numbers = table(numeric=True)
    done = cw.distil(cw.CART(min_leaf=5).learn(numbers), numbers, cw.CART(max_depth=3))
    assert 0.8 < done.fidelity < 1
    assert "off by" in str(done)


def test_shares_teach_as_weights() -> None:
    rows = table()
    model = cw.NaiveBayes().learn(rows)
    done = cw.distil(model, rows, cw.CART(max_depth=3), by="shares", made=0)
    assert isinstance(done.model, cw.Tree)
    assert done.model.weight(0) == pytest.approx(420, rel=1e-3)
    assert done.fidelity > 0.85
    numbers = table(numeric=True)
    with pytest.raises(SettingError, match="no shares"):
        cw.distil(cw.CART().learn(numbers), numbers, cw.CART(), by="shares")


def test_the_imitation_remembers_whom_it_imitates_in_its_file_as_well() -> None:
    rows = table()
    model = cw.NaiveBayes().learn(rows)
    done = cw.distil(model, rows, cw.C45())
    (entry,) = done.model.origin.after
    assert isinstance(entry, Distilled)
    assert (entry.of, entry.fidelity, entry.rows, entry.made) == (model.origin, done.fidelity, 420, 420)
    assert done.model.origin.title == "C45, distilled from NaiveBayes"
    assert from_json(to_json(done.model)).origin == done.model.origin
    assert "distilled from NaiveBayes, with a fidelity of" in str(done.model)


def test_the_same_seed_gives_the_same_imitation() -> None:
    rows = table()
    model = cw.NaiveBayes().learn(rows)
    one, two, other = (cw.distil(model, rows, cw.C45(), seed=seed) for seed in (3, 3, 4))
    assert one.model == two.model
    assert one.fidelity == two.fidelity
    assert one.model != other.model


def test_what_cannot_be_imitated_is_refused() -> None:
    rows = table()
    model = cw.NaiveBayes().learn(rows)
    with pytest.raises(SettingError, match="takes a learner, such as C45"):
        cw.distil(model, rows, model)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="at least two rows"):
        cw.distil(model, rows.take(np.arange(1)), cw.C45())
    silent = cw.RuleList(rows.schema, ())
    with pytest.raises(LearningError, match="nothing to imitate"):
        cw.distil(silent, rows, cw.C45())


def test_rows_without_the_truth_are_enough() -> None:
    rows = table()
    model = cw.NaiveBayes().learn(rows)
    bare = [{"x": 0.1 * k % 1, "z": 0.5, "colour": "rgb"[k % 3]} for k in range(60)]
    done = cw.distil(model, bare, cw.C45())
    assert (done.accuracy, done.rows) == (None, 18)


def test_a_model_that_learned_from_the_rows_is_said_to_have_done_so() -> None:
    days = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    model = with_profile(cw.Forest(trees=20).learn(days), days)
    seen = cw.distil(model, days, cw.C45())
    assert seen.model_learned_from
    assert "The model was learned from these rows" in str(seen)
    others = cw.distil(model, days.take(np.arange(1, 14)), cw.C45())
    assert not others.to_json()["model_learned_from"]
    assert "was learned from these rows" not in str(others)
