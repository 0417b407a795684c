"""Files of version 1, as Clearwood 0.1 wrote them, load as they were meant, with their history as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood.catalogue import learner_of
from clearwood.errors import ModelFileError, SettingError
from clearwood.models.files import from_json, load, to_json
from clearwood.models.lineage import AsWeights, Done, Edited, Joined, ReadAsRules, Simplified

FOLDER = Path(__file__).parent / "version_1"
FILES = sorted(FOLDER.glob("*.json"))
LINEAGES: dict[str, tuple[str, tuple[type[Done], ...]]] = {
    "id3": ("ID3", ()),
    "rules_of_id3": ("ID3", (ReadAsRules,)),
    "rules_edited": ("ID3", (ReadAsRules, Edited)),
    "rules_joined": ("ILA", (Joined,)),
    "rules_simplified": ("ID3", (ReadAsRules, Simplified)),
    "weights_of_bayes": ("NaiveBayes", (AsWeights,)),
}


def test_there_are_files_of_every_kind() -> None:
    kinds = {json.loads(file.read_text(encoding="utf-8"))["model"] for file in FILES}
    assert kinds == {"tree", "rules", "bayes", "linear"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_old_file_loads_and_is_saved_anew_as_the_same_model(file: Path) -> None:
    model = load(file)
    assert from_json(to_json(model)) == model
    assert model.profile is None


@pytest.mark.parametrize("name", LINEAGES)
def test_the_name_of_the_learner_becomes_its_history(name: str) -> None:
    learner, after = LINEAGES[name]
    origin = load(FOLDER / f"{name}.json").origin
    assert (origin.learner, tuple(map(type, origin.after))) == (learner, after)
    assert "simplified" not in origin.settings


def test_a_joined_list_names_where_the_other_rules_came_from() -> None:
    (joined,) = load(FOLDER / "rules_joined.json").origin.after
    assert isinstance(joined, Joined)
    assert (joined.other.learner, joined.other.after) == ("ID3", (ReadAsRules(),))


def test_what_the_numbers_mean_is_in_the_model() -> None:
    def meaning(name: str) -> Any:
        return getattr(load(FOLDER / f"{name}.json"), "answers")  # noqa: B009

    assert [meaning(name) for name in ("cart_of_medians", "cart_of_means", "rules_of_medians", "id3")] == [
        "median", "mean", "median", "shares",
    ]  # fmt: skip
    assert load(FOLDER / "logistic_penalised.json").penalised  # type: ignore[union-attr]
    assert not load(FOLDER / "logistic.json").penalised  # type: ignore[union-attr]
    assert load(FOLDER / "c45_with_costs.json").measure == "entropy"  # type: ignore[union-attr]


def test_an_old_tree_answers_as_a_new_one() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    old, new = load(FOLDER / "id3.json"), cw.ID3().learn(table)
    assert cw.shares(old, table).tolist() == cw.shares(new, table).tolist()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_old_file_is_read_as_strictly_as_a_new_one(file: Path) -> None:
    data = json.loads(file.read_text(encoding="utf-8"))
    for name in [each for each in data if each != "format"]:
        with pytest.raises(ModelFileError):
            from_json(json.dumps({key: value for key, value in data.items() if key != name}))
    with pytest.raises(ModelFileError, match="body: No field 'more'"):
        from_json(json.dumps({**data, "more": 1}))


def _cn2_as(learner: str, settings: dict[str, Any]) -> Any:
    data = json.loads((FOLDER / "cn2.json").read_text(encoding="utf-8"))
    data["origin"] |= {"learner": learner, "settings": settings}
    return from_json(json.dumps(data))


def test_a_learner_within_a_learner_is_read_as_it_was_printed() -> None:
    printed = "CART(max_depth=3, costs={('No', 'Yes'): 5})"
    model = _cn2_as("TreeRules", {"tree": printed, "alpha": 0.1})
    tree = cw.CART(max_depth=3, costs={("No", "Yes"): 5})
    assert learner_of(model.origin) == cw.TreeRules(tree=tree, alpha=0.1)
    assert from_json(to_json(model)) == model


def test_a_setting_is_known_by_its_name_of_today() -> None:
    assert learner_of(load(FOLDER / "cn2.json").origin) == cw.CN2(rules="ordered")
    assert learner_of(_cn2_as("CN2", {"order": "unordered"}).origin) == cw.CN2(rules="unordered")


@pytest.mark.parametrize("printed", ["C45(", "C45(min_rows=open('x'))", "[" * 5000, 7])
def test_what_is_no_printed_learner_is_never_run(printed: Any) -> None:
    model = _cn2_as("TreeRules", {"tree": printed})
    with pytest.raises(SettingError, match="Learn it again"):
        learner_of(model.origin)
