"""A setting that would do nothing beside the others is refused or remarked on, never ignored in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood.catalogue import LEARNERS
from clearwood.errors import ClearwoodWarning, SettingError
from clearwood.registry import has_effect, settings_of
from tests.cli.conftest import Command, clearwood, tennis

__all__ = ["clearwood", "tennis"]


@pytest.mark.parametrize(
    ("learner", "settings", "advised"),
    [
        (cw.Boosting, {"quantile": 0.9}, "loss"),
        (cw.Boosting, {"loss": "absolute", "quantile": 0.9}, "loss"),
        (cw.Boosting, {"patience": 3}, "early_stopping"),
    ],
)
def test_python_refuses_it_and_names_the_setting_that_is_missing(
    learner: Any, settings: dict[str, Any], advised: str
) -> None:
    with pytest.raises(SettingError, match="has no effect") as refused:
        learner(**settings)
    assert [each.option for each in refused.value.advice] == [advised]


@pytest.mark.parametrize(
    ("learner", "given", "advised"),
    [
        ("cart", "folds=5", "alpha=cv"),
        ("logistic", "strength=2", "penalty=l2"),
        ("ila", "alpha=0.01", "drop_irrelevant=true"),
        ("ila", "bins=5", "cuts=width"),
        ("prism", "bins=5", "cuts=width"),
        ("c45", "prune=no,confidence=0.1", "prune=true"),
        ("ripper", "prune=no,folds=4", "prune=true"),
        ("tree-rules", "simplify=no,alpha=0.1", "simplify=true"),
    ],
)
def test_the_command_line_refuses_what_programs_may_combine(
    clearwood: Command, tennis: Path, learner: str, given: str, advised: str
) -> None:
    settings = [part for each in given.split(",") for part in ("--set", each)]
    done = clearwood("fit", tennis, "-t", "PlayTennis", "-l", learner, *settings)
    assert done.code == 2
    assert f"give also --set {advised}." in done.err


@pytest.mark.parametrize(
    ("learner", "settings"),
    [
        (cw.CART, {"alpha": 0.01, "folds": 5}),
        (cw.Logistic, {"strength": 2.0}),
        (cw.ILA, {"alpha": 0.01, "bins": 5}),
        (cw.PRISM, {"bins": 5}),
    ],
)
def test_python_takes_settings_in_all_their_combinations(learner: Any, settings: dict[str, Any]) -> None:
    made = learner(**settings)
    assert not any(has_effect(made, name) for name in settings if name != "alpha" or learner is cw.ILA)


@pytest.mark.parametrize(
    ("learner", "settings"),
    [
        (cw.Boosting, {"loss": "quantile", "quantile": 0.9}),
        (cw.Boosting, {"early_stopping": 0.2, "patience": 3, "seed": 1}),
        (cw.Boosting, {"rows": 0.5, "seed": 1}),
        (cw.CART, {"alpha": "1se", "folds": 5, "seed": 1}),
        (cw.Logistic, {"penalty": "l1", "strength": 2.0}),
        (cw.ILA, {"cuts": "width", "bins": 5, "drop_irrelevant": True, "alpha": 0.01}),
    ],
)
def test_with_the_other_setting_it_is_taken(learner: Any, settings: dict[str, Any]) -> None:
    made = learner(**settings)
    assert all(has_effect(made, name) for name in settings)


@pytest.mark.parametrize("learner", [cw.Boosting, cw.CART])
def test_a_seed_where_nothing_is_drawn_is_remarked_on(learner: Any) -> None:
    with pytest.warns(ClearwoodWarning, match="seed = 3 has no effect"):
        learner(seed=3)


def test_the_command_line_refuses_even_the_default_if_it_was_given(clearwood: Command, tennis: Path) -> None:
    fit = ("fit", tennis, "-t", "PlayTennis", "-l", "boosting")
    done = clearwood(*fit, "--set", "quantile=0.5")
    assert done.code == 2
    assert "quantile = 0.5 has no effect. Leave it out, or give also --set loss=quantile." in done.err
    assert clearwood(*fit, "--set", "patience=4").code == 2
    assert "note: seed = 3 has no effect" in clearwood(*fit, "--set", "seed=3").err


def test_the_seed_of_the_command_is_the_learners_where_that_draws(clearwood: Command, tennis: Path) -> None:
    fit = ("fit", tennis, "-t", "PlayTennis", "-l", "boosting", "--seed", 7)
    in_vain = clearwood(*fit)
    assert "Nothing here is random: --seed changes nothing." in in_vain.err
    drawn = clearwood(*fit, "--set", "rows=0.5", "--json").json
    assert drawn["model"]["origin"]["settings"]["seed"] == 7


def test_what_a_setting_needs_is_a_setting_too() -> None:
    for entry in LEARNERS.values():
        known = settings_of(entry.load())
        for setting in known.values():
            assert {way.name for way in setting.only_with} <= set(known)
