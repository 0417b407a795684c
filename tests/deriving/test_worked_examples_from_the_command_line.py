"""Every worked example of the books, as `clearwood derive` tells it, equals what other code computed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clearwood import datasets
from clearwood.cli import run
from tests.deriving.test_as_json import number

EXPECTED = json.loads((Path(__file__).parents[1] / "worked_examples" / "expected.json").read_text("utf-8"))

Told = dict[str, Any]


@pytest.fixture
def derived(capsys: pytest.CaptureFixture[str]) -> Any:
    def derive(table: str | Path, target: str, *options: str) -> list[Told]:
        path = datasets.path(table) if isinstance(table, str) else table
        assert run(["derive", str(path), "--target", target, "--json", "--all-rows", *options]) == 0
        steps: list[Told] = json.loads(capsys.readouterr().out)["steps"]
        return steps

    return derive


def figures(step: Told) -> Iterator[Told]:
    """Every figure of a step that is told in full."""
    waiting = list(step.get("figures", []))
    while waiting:
        figure = waiting.pop()
        if "again" not in figure:
            yield figure
        waiting += figure.get("under", [])
        waiting += [work for grid in figure.get("grids", []) for work in grid.get("work", {}).values()]


def value(step: Told, name: str) -> float:
    return float(number(next(each["value"] for each in figures(step) if each["name"] == name)))


def column(step: Told, title: str, name: str) -> list[float]:
    """A column of the grid of this title."""
    for figure in figures(step):
        for grid in figure.get("grids", []):
            if grid["title"] == title:
                return [float(number(each)) for each in grid["cells"][grid["columns"].index(name)]]
    raise AssertionError(title)


def step_at(steps: list[Told], title: str) -> Told:
    return next(step for step in steps if step["title"] == title)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "target"), [("tennis", "PlayTennis"), ("hire", "Hire")])
def test_id3_measures_every_attribute_at_the_root(table: str, target: str, derived: Any) -> None:
    root = derived(table, target, "--learner", "id3")[0]
    expected = EXPECTED[table]
    assert value(root, "H(S)") == pytest.approx(expected["entropy"], abs=1e-12)
    for name, attribute in expected["attributes"].items():
        assert value(root, f"Gain({name})") == pytest.approx(attribute["gain"], abs=1e-12)
        for branch, entropy in attribute["entropy"].items():
            assert value(root, f"H({name} = {branch})") == pytest.approx(entropy, abs=1e-12)


@pytest.mark.parametrize(
    ("place", "gains"), [("Outlook = Sunny", "sunny_gains"), ("Outlook = Rainy", "rainy_gains")]
)
def test_id3_measures_them_again_below(place: str, gains: str, derived: Any) -> None:
    (step,) = derived("tennis", "PlayTennis", "--learner", "id3", "--at", place)
    for name, gain in EXPECTED["tennis"][gains].items():
        assert value(step, f"Gain({name})") == pytest.approx(gain, abs=1e-12)


def grown(steps: Iterator[Told], classes: dict[int, str]) -> Any:
    """The tree that the outcomes of steps in preorder tell, as nested dicts."""
    outcome = next(steps)["outcome"]
    if outcome["what"] == "stopped":
        counts = outcome["counts"]
        return classes[counts.index(max(counts))]
    parts = [condition.split(" = ") for condition in outcome["branches"]]
    return {parts[0][0]: {branch: grown(steps, classes) for _, branch in parts}}


@pytest.mark.parametrize(
    ("table", "target", "classes"),
    [("tennis", "PlayTennis", {0: "No", 1: "Yes"}), ("hire", "Hire", {0: "no", 1: "yes"})],
)
def test_id3_decides_as_the_book_does(table: str, target: str, classes: Any, derived: Any) -> None:
    steps = derived(table, target, "--learner", "id3")
    assert grown(iter(steps), classes) == EXPECTED[table]["id3_tree"]


def test_c45_weighs_every_cut_of_the_numeric_columns(derived: Any) -> None:
    steps = derived("tennis_numeric", "Play", "--learner", "c45")
    expected = EXPECTED["tennis_numeric"]
    root = step_at(steps, "All rows")
    assert value(root, "Gain(Outlook)") == pytest.approx(expected["gain_outlook"], abs=1e-12)
    assert value(root, "Gain(Wind)") == pytest.approx(expected["gain_wind"], abs=1e-12)
    for title, places in (("All rows", expected), ("Outlook = Sunny", expected["sunny"]),
                          ("Outlook = Rain", expected["rain"])):  # fmt: skip
        for name in ("Humidity", "Temperature"):
            cuts = places[name.lower()]
            for heading, key in (
                ("gain", "gain"),
                ("split information", "split_info"),
                ("gain ratio", "gain_ratio"),
            ):
                text = column(step_at(steps, title), f"Cuts of {name}", heading)
                assert text == pytest.approx([cut[key] for cut in cuts], abs=1e-12)
    assert step_at(steps, "Outlook = Sunny")["outcome"]["branches"] == ["Humidity ≤ 75", "Humidity > 75"]


def test_cart_weighs_the_cuts_of_the_animals(derived: Any) -> None:
    root = derived("animals", "Class", "--learner", "cart")[0]
    expected = EXPECTED["animals"]
    assert value(root, "Gini(S)") == expected["gini"]
    for name in ("Weight", "Height"):
        decreases = [expected["gini"] - cut["weighted_gini"] for cut in expected[name]]
        assert column(root, f"Cuts of {name}", "decrease") == pytest.approx(decreases, abs=1e-12)


def test_numeric_columns_with_ties(derived: Any) -> None:
    root = derived("hire_numeric", "Hire", "--learner", "c45", "--set", "prune=no")[0]
    for name, cut in EXPECTED["hire_numeric"].items():
        if isinstance(cut, dict):
            pairs = zip(
                column(root, f"Cuts of {name}", "gain"),
                column(root, f"Cuts of {name}", "split information"),
                strict=True,
            )
            assert any(each == pytest.approx((cut["gain"], cut["split_info"]), abs=1e-12) for each in pairs)


@pytest.mark.parametrize(
    ("table", "target", "example"),
    [
        ("buys_computer", "buys_computer", "naive_bayes_buys_computer"),
        ("hire", "Hire", "naive_bayes_hire"),
    ],
)
def test_bayes_multiplies_and_divides(table: str, target: str, example: str, derived: Any) -> None:
    expected = EXPECTED[example]
    row = ",".join(f"{name}={cell}" for name, cell in expected["instance"].items())
    smoothing = "smoothing=laplace" if expected["laplace"] else "smoothing=0"
    steps = derived(table, target, "--learner", "bayes", "--set", smoothing, "--row", row)
    by_name = {each["name"]: each["value"] for step in steps for each in figures(step)}
    for name, of_class in expected["classes"].items():
        assert by_name[f"P({name})"] == pytest.approx(of_class["prior"])
        assert by_name[f"P({name} and the row)"] == pytest.approx(of_class["joint"])
        assert by_name[f"P({name} | the row)"] == pytest.approx(of_class["posterior"])
        for column_name, likelihood in of_class["likelihood"].items():
            cell = expected["instance"][column_name]
            quoted = f'"{cell}"' if cell.startswith("<") else cell
            assert by_name[f"P({column_name} = {quoted} | {name})"] == pytest.approx(likelihood)
    assert steps[-1]["outcome"] == {"what": "answer", "said": expected["predicted"]}


def test_ila_takes_the_books_rules_in_order(derived: Any) -> None:
    steps = derived("objects", "Decision", "--learner", "ila", "--set", "class_order=Yes")
    taken = [step for step in steps if step.get("outcome", {}).get("what") == "taken"]
    expected = EXPECTED["ila_objects"]
    assert [step["outcome"]["rule"] for step in taken] == [
        f"IF {' AND '.join(f'{name} = {cell}' for name, cell in rule['conditions'].items())}"
        f" THEN {rule['then']}"
        for rule in expected
    ]
    assert [step["rows"]["weight"] for step in taken] == [rule["newly_covered"] for rule in expected]


def test_conditions_of_rules_are_tested_by_chi_square(derived: Any, tmp_path: Path) -> None:
    head, *rows = datasets.path("tennis_numeric").read_text(encoding="utf-8").splitlines()
    table = tmp_path / "four_times.csv"
    table.write_text("\n".join([head, *rows * 4]) + "\n", encoding="utf-8")
    steps = derived(table, "Play", "--learner", "tree-rules")
    tests = {
        "sunny": "Rule 4: does Outlook = Sunny matter for Play?",
        "normal_humidity": "Rule 4: does Humidity ≤ 75 matter for Play?",
        "rain": "Rule 3: does Outlook = Rain matter for Play?",
        "strong_wind": "Rule 2: does Wind = Strong matter for Don't Play?",
    }
    for example, title in tests.items():
        step, expected = step_at(steps, title), EXPECTED["contingency"][example]
        condition = title.split("does ")[1].split(" matter")[0]
        assert value(step, f"χ²({condition})") == pytest.approx(expected["chi_square"])
        assert value(step, f"p({condition})") == pytest.approx(expected["p"])
        assert value(step, f"largest expected count({condition})") == pytest.approx(expected["max_expected"])
        critical = value(step, "critical χ²")
        assert critical == pytest.approx(expected["critical_05"])
