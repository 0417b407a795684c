"""Distilling: an imitation learns from a model's answers, and says where it differs."""

from __future__ import annotations

import re

import numpy as np
import pytest

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.errors import ClearwoodError, LearningError, SettingError
from clearwood.learners.learner import Learner
from clearwood.measures.inference import wilson
from clearwood.models.files import from_json, to_json
from clearwood.models.in_words import in_words
from clearwood.models.lineage import Distilled
from clearwood.models.model import Model
from clearwood.models.predicted import predicted
from clearwood.scoring.evaluation import NumberEvaluation
from clearwood.study.distilling.distilling import DistilledRegion
from clearwood.study.distilling.rows import (
    Teaching,
    fidelity_of,
    price_of_a_leaf,
    with_answers,
    with_made_rows,
    with_shares,
)
from clearwood.study.profiling import with_profile
from tests.typed import mistyped


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
    rows = table(900)
    done = cw.distil(cw.NaiveBayes().learn(rows), rows, cw.C45(), made=0)
    assert isinstance(done.model, cw.Tree)
    weights = [each.weight for each in done.regions]
    assert sum(weights) == done.rows
    differing = sum(each.weight * each.disagreement for each in done.regions)
    assert 1 - differing / done.rows == pytest.approx(done.fidelity)
    costs = [each.weight * each.disagreement for each in done.regions]
    assert costs == sorted(costs, reverse=True)
    assert len(done.regions) > 2
    assert differing > 0
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
    with pytest.raises(SettingError, match="no probabilities"):
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
        cw.distil(model, rows, mistyped(model))
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


def test_a_model_without_a_profile_is_known_by_the_fingerprint_of_its_rows() -> None:
    days = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    model = cw.Forest(trees=20).learn(days)
    assert model.profile is None
    assert cw.distil(model, days, cw.C45()).model_learned_from
    assert not cw.distil(model, days.take(np.arange(1, 14)), cw.C45()).model_learned_from


def test_shares_grow_a_tree_where_pruning_by_errors_would_leave_one_leaf() -> None:
    rows = noisy()
    model = cw.Boosting(trees=20).learn(rows)
    assert cw.C45().learn(with_shares(model, rows)).leaves == 1
    done = cw.distil(model, rows, cw.C45(), by="shares")
    assert isinstance(done.model, cw.Tree)
    assert done.model.leaves > 2
    assert done.model.origin.settings["prune"] is False
    assert done.shares_off is not None
    assert done.shares_off < 0.1
    text = str(done)
    assert "learned from the probabilities for" in text
    assert "on average lies at another class" in text
    assert done.model.origin.rows == done.learned_from + done.made
    assert done.model.origin.weights_are is None


def noisy() -> cw.Table:
    """No class is ever likely, but its share depends on two columns."""
    random = np.random.default_rng(8)
    x, z = random.uniform(size=1500).round(2), random.uniform(size=1500).round(2)
    yes = random.uniform(size=1500) < 0.1 + 0.15 * (x > 0.5) + 0.15 * (z > 0.5)
    return cw.read_table({"x": x, "z": z, "y": np.where(yes, "yes", "no").tolist()}, target="y")


def test_a_tree_is_pruned_to_the_smallest_that_imitates_as_well() -> None:
    rows = table(numeric=True)
    model = cw.Forest(trees=20).learn(rows)
    whole = cw.distil(model, rows, cw.CART(), prune=False)
    pruned = cw.distil(model, rows, cw.CART())
    assert isinstance(whole.model, cw.Tree)
    assert isinstance(pruned.model, cw.Tree)
    assert pruned.model.leaves < whole.model.leaves / 4
    assert pruned.fidelity > whole.fidelity - 0.03
    (entry,) = pruned.model.origin.after
    assert isinstance(entry, Distilled)
    assert entry.alpha is not None
    path = cw.cost_complexity_path(whole.model)
    assert pruned.model.leaves == path.leaves[np.searchsorted(path.alphas, entry.alpha, side="right") - 1]
    assert "pruned at" in str(pruned.model)


def test_rows_made_of_a_row_are_held_out_with_it() -> None:
    rows = table(200)
    model = cw.NaiveBayes().learn(rows)
    asked, places = with_answers(model, with_made_rows(rows, 400, 3))
    made_of = places % 200
    seen: list[set[int]] = []
    mark = {id(asked): made_of}

    def learn(given: cw.Table) -> cw.Tree:
        assert given.places is not None
        seen.append(set(mark[id(asked)][given.places].tolist()))
        return cw.CART().learn(given)

    learned = cw.CART().learn(asked)
    price_of_a_leaf(learned, Teaching(learn), asked, made_of, 0)
    assert [len(each) for each in seen] == [160] * 5
    assert set.intersection(*seen) == set()


def test_fidelity_has_the_interval_of_the_rows_compared() -> None:
    rows = table()
    done = cw.distil(cw.NaiveBayes().learn(rows), rows, cw.C45())
    low, high = wilson(done.fidelity * done.rows, done.rows)
    assert done.interval == pytest.approx((float(low), float(high)))
    assert f"(95 % interval {100 * low:.1f} to {100 * high:.1f} %)" in str(done)
    assert done.to_json()["interval"] == list(done.interval)


def test_the_interval_of_numbers_covers_as_often_as_it_says() -> None:
    random = np.random.default_rng(4)
    covered = 0
    for _ in range(300):
        one = random.normal(size=150)
        value, (low, high) = fidelity_of(one, one + 0.5 * random.normal(size=150), np.ones(150), numeric=True)
        assert low <= value <= high
        covered += low <= 0.75 <= high
    assert 270 <= covered <= 297


MODELS: dict[str, Learner[Model]] = {
    "forest": cw.Forest(trees=10),
    "boosting": cw.Boosting(trees=10),
    "gam": cw.GAM(bags=2, pairs=0, rounds=20),
    "bagging": cw.Bagging(of=cw.CART(min_leaf=5), trees=5),
}


@pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("classes", [0, 2, 3])
def test_every_ensemble_is_imitated_by_trees_and_rules(name: str, classes: int) -> None:
    rows = table(300, numeric=classes == 0)
    if classes == 3:
        values = np.where(rows.columns["x"] > 0.7, "much", np.where(rows.columns["x"] > 0.3, "some", "none"))
        columns = {"x": rows.columns["x"], "z": rows.columns["z"], "y": values.tolist()}
        rows = cw.read_table(columns, target="y")
    model = MODELS[name].learn(rows)
    for learner in LEARNERS.values():
        if learner.makes not in ("tree", "rules"):
            continue
        made = learner.make()
        if classes == 0 and not isinstance(made, cw.CART | cw.CHAID):
            with pytest.raises(ClearwoodError) as refusal:
                cw.distil(model, rows, made)
            assert "kinds" not in str(refusal.value)
            continue
        done = cw.distil(model, rows, made)
        assert done.fidelity > (0.7 if isinstance(made, cw.C45 | cw.CART | cw.RIPPER) else 0)
        assert sum(each.weight for each in done.regions) == pytest.approx(done.rows)
        if classes and getattr(made, "learns_shares", True):
            assert cw.distil(model, rows, made, by="shares").fidelity > 0.2
        elif classes:
            with pytest.raises(SettingError, match="takes every probability of another class for an error"):
                cw.distil(model, rows, made, by="shares")


def test_a_single_leaf_and_numbers_are_worded_as_people_do() -> None:
    rows = table(numeric=True)
    done = cw.distil(cw.CART(min_leaf=5).learn(rows), rows, cw.CART(max_depth=0))
    text = str(done)
    assert text.startswith("Size: 1 leaf.")
    assert "\n  all rows: " in text
    assert not re.search(r"\d\.\d{5}", text)
    port = DistilledRegion(3, (cw.OneOf("port", tuple("abcdefgh")),), 2.0, "yes", {"no": 2.0}, 1.0)
    assert str(port).startswith("port in {a, b, c, d, … 4 more}: yes, the model no 2; 100 % of 2 rows")


def test_the_derivation_of_a_pruned_imitation_has_its_pruning() -> None:
    rows = table(numeric=True)
    model = cw.Forest(trees=5).learn(rows)
    seen: list[cw.Table] = []

    class Watching:
        def learn(self, given: cw.Table) -> cw.Tree:
            seen.append(given)
            return cw.CART().learn(given)

    done = cw.distil(model, rows, Watching(), made=0)
    steps = cw.derive(done.model, seen[0])
    assert any("cost-complexity" in step.chapter for step in steps.steps)


@pytest.mark.parametrize(("quantile", "name"), [(0.9, "0.9 quantile"), (0.5, "median")])
@pytest.mark.parametrize("measure", ["squared", "absolute"])
def test_the_imitation_of_quantiles_predicts_and_is_judged_as_quantiles(
    quantile: float, name: str, measure: str
) -> None:
    rows = table(numeric=True)
    model = cw.Boosting(loss="quantile", quantile=quantile, trees=30).learn(rows)
    done = cw.distil(model, rows, cw.CART(max_depth=4, measure=measure))
    text = str(done)
    assert f"What it imitates is the {name} of y." in text
    assert "ariance" not in text
    assert ("Mean absolute error there" if quantile == 0.5 else "Quantile loss there") in text
    assert done.accuracy is None
    assert done.difference is not None
    assert done.loss is not None
    assert done.loss_of_model is not None
    assert 0 < done.loss_of_model < done.loss * 1.2
    assert done.fidelity > 0.7
    assert done.interval[0] < done.fidelity < done.interval[1]
    assert predicted(done.model) == f"the {name} of y"
    assert name in str(done.model)
    assert f"whose {name}s it imitates" in in_words(done.model.origin.after[-1])
    assert from_json(to_json(done.model)) == done.model
    judged = cw.evaluate(done.model, rows)
    assert isinstance(judged, NumberEvaluation)
    assert judged.quantile == quantile
    assert predicted(cw.rules_of(done.model)) == f"the {name} of y"  # type: ignore[arg-type]
