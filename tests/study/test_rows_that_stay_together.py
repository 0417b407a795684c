"""What a design keeps together, and copies of one row, are never parted within the training rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.study.dividing import parts_by_design, rows_to_learn
from clearwood.study.study import study_of
from clearwood.table import folding
from clearwood.table.folding import folds, folds_forward, hold_out


def of_groups(groups: int = 40, rows: int = 6) -> cw.Table:
    """Labels that are chance by group, and a column that tells the group."""
    chance = np.random.default_rng(4)
    which = np.repeat(np.arange(groups), rows)
    labels = chance.choice(["a", "b"], size=groups)[which]
    told = which + chance.normal(0, 0.01, len(which))
    return cw.read_table(
        {"who": [f"g{k}" for k in which], "told": told, "y": labels}, target="y", kinds={"who": "nominal"}
    )


def test_folds_within_the_training_rows_keep_groups_together() -> None:
    table = of_groups()
    rows = rows_to_learn(cw.Folds(5, group="who"), table)
    assert isinstance(rows.schema["who"], cw.Ignored)
    some = np.arange(0, 240, 2)
    for train, test in [*folds(rows.take(some), 4), hold_out(rows.take(some), 0.3)]:
        who = table.columns["who"][some]
        assert not set(who[train]) & set(who[test])
        assert len(train) + len(test) == len(some)


@pytest.mark.parametrize("count", [50, 9_000])
def test_copies_of_a_row_stay_in_one_fold(count: int) -> None:
    chance = np.random.default_rng(1)
    table = cw.read_table({"x": chance.normal(size=count), "y": chance.choice(["a", "b"], count)}, target="y")
    drawn = table.take(chance.integers(0, count, count))
    assert drawn.places is not None
    parts = folds(drawn, 5)
    for train, test in parts:
        assert not set(drawn.places[train]) & set(drawn.places[test])
    sizes = [len(test) for _, test in parts]
    assert sum(sizes) == count
    assert max(sizes) < 1.4 * min(sizes)


def test_what_is_tuned_within_bootstrap_samples_does_not_see_copies_of_its_judges() -> None:
    chance = np.random.default_rng(2)
    x = chance.normal(size=(150, 4))
    noisy = np.where(x[:, 0] + chance.normal(0, 2.0, 150) > 0, "a", "b")
    table = cw.read_table({**{f"x{k}": x[:, k] for k in range(4)}, "y": noisy}, target="y")
    tuner = cw.Tuner(cw.CART(min_rows=2), cw.SettingGrid({"max_depth": (1, 20)}), design=cw.Folds(5))
    chosen = [
        tuner.learn(table.take(part.learn)).origin.settings["max_depth"]
        for part in parts_by_design(cw.Bootstrap(6), table)
    ]
    assert chosen.count(1) >= 4


def test_a_cutoff_chosen_within_groups_keeps_what_it_promises() -> None:
    table = of_groups(60)
    aim: Any = cw.Recipe(cw.CART(min_rows=2), after=(cw.Deciding(calibrate="platt"),))
    judged = cw.cross_validate(aim, table, design=cw.Folds(5, group="who"))
    shares = judged.held_out.shares  # type: ignore[union-attr]
    truth = judged.held_out.truth  # type: ignore[union-attr]
    loss = float(-np.log(np.clip(shares[np.arange(len(truth)), truth], 1e-9, 1)).mean())
    assert loss < 1.0  # by rows dealt at random it would be sure of what is chance


def test_rows_made_by_balancing_belong_to_no_group() -> None:
    table = of_groups(30)
    numbers = cw.read_table(
        {
            "who": table.columns["who"].astype(str),
            "told": table.columns["told"],
            "y": ["a"] * 150 + ["b"] * 30,
        },
        target="y",
        kinds={"who": "nominal"},
    )
    rows = rows_to_learn(cw.Folds(5, group="who"), numbers)
    made = cw.balanced(rows, "smote")
    assert made.together is not None
    assert len(made.together) == len(made) > 180
    assert len(folds(made, 3)) == 3


def test_a_tuner_of_groups_works_within_a_design_of_the_same_groups() -> None:
    tuner: Any = cw.Tuner(cw.CART(), cw.SettingGrid({"max_depth": (1, 3)}), design=cw.Folds(3, group="who"))
    study = study_of(tuner, of_groups(), cw.Folds(4, group="who"))
    assert study.folds is not None
    assert len(study.folds.folds) == 4


def test_no_model_of_a_nested_estimate_sees_the_column_of_the_outer_design() -> None:
    table = of_groups()
    tuned = cw.tune(
        cw.CART(), table, {"max_depth": (1, 3)}, design=cw.Folds(3), nested=cw.Folds(3, group="who")
    )
    assert isinstance(tuned.model.schema["who"], cw.Ignored)
    assert tuned.nested is not None
    assert tuned.nested.mean < 0.75  # labels are chance by group


def of_days(rows: int = 240) -> cw.Table:
    """Rows of forty days, in any order; what x says turns round on the way."""
    chance = np.random.default_rng(6)
    day = chance.permutation(np.repeat(np.arange(40), rows // 40))
    x = chance.normal(size=rows)
    y = np.where((x > 0) == (day < 20), "a", "b")
    return cw.read_table({"day": day, "x": x, "y": y}, target="y", kinds={"day": "numeric"})


def test_folds_within_a_design_by_time_go_forward() -> None:
    table = of_days()
    rows = rows_to_learn(cw.ByTime("day"), table)
    assert isinstance(rows.schema["day"], cw.Ignored)
    some = np.random.default_rng(0).permutation(240)[:150]
    day = table.columns["day"][some]
    parts = [*folds(rows.take(some), 4), hold_out(rows.take(some), 0.3)]
    assert len(parts) == 5
    for train, test in parts:
        assert len(train)
        assert day[train].max() < day[test].min()
    assert len(parts[-1][1]) == pytest.approx(45, abs=6)
    assert len(folds(rows.take(np.flatnonzero(table.columns["day"] < 2)), 4)) == 1
    alike = rows.take(np.flatnonzero(table.columns["day"] == 3))
    assert len(folds(alike, 3)) == 3, "rows of one time have no before and after"


@pytest.mark.parametrize(
    "learner",
    [
        cw.Tuner(cw.CART(), cw.SettingGrid({"max_depth": (0, 2)}), cw.Folds(3)),
        cw.CART(alpha="cv"),
        cw.Recipe(cw.NaiveBayes(), after=(cw.Deciding(calibrate="platt", folds=3),)),
    ],
    ids=["tuned", "pruned by folds", "calibrated"],
)
def test_what_is_chosen_within_steps_in_time_learns_from_no_later_row(
    learner: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = of_days()
    seen: list[tuple[float, float]] = []
    plain = folds_forward

    def watched(times: Any, count: int) -> Any:
        made = plain(times, count)
        seen.extend((times[learn].max(), times[judge].min()) for learn, judge in made)
        return made

    monkeypatch.setattr(folding, "folds_forward", watched)
    judged = cw.cross_validate(learner, table, design=cw.ByTime("day", 3))
    assert len(judged.folds) == 3
    assert seen
    assert all(last < first for last, first in seen)


def test_fewer_groups_than_inner_folds_are_as_many_folds() -> None:
    random = np.random.default_rng(1)
    rows = 90
    columns = {"g": [f"g{row % 7}" for row in range(rows)], "a": random.random(rows).tolist()}
    classes = ["p" if a + random.normal(0, 0.3) > 0.5 else "q" for a in columns["a"]]
    table = cw.read_table({**columns, "y": classes}, target="y")
    judged = cw.cross_validate(cw.CART(alpha="cv"), table, design=cw.Folds(4, group="g"))
    assert len(judged.sizes) == 4
