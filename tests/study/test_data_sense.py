"""Data sense: what stands out in a table, in numbers and with a way out, and what does not."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood._native import row_hashes
from clearwood.errors import SchemaError, Sentence, SettingError
from clearwood.measures.stability_index import stability_index
from clearwood.mixing import GOLDEN, mixed_all
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.data_sense import Finding
from clearwood.study.data_sense.looking_over import severe_findings
from clearwood.table.attributes import Nominal
from tests.shared_data import NAMES, csv_path, describe, load_shared
from tests.typed import mistyped


def found(table: cw.Table, kind: str, **how: Any) -> list[Finding]:
    return [each for each in cw.look_over(table, **how).findings if each.kind == kind]


def table_of(target: str = "y", **columns: Any) -> cw.Table:
    kinds = columns.pop("kinds", {})
    return cw.read_table(columns, target=target, kinds=kinds)


@pytest.mark.parametrize("seed", range(5))
def test_copies_and_contradictions_are_those_of_a_naive_count(seed: int) -> None:
    dice = np.random.default_rng(seed)
    rows = 120
    x = dice.integers(0, 5, rows).astype(np.float64)
    x[dice.random(rows) < 0.1] = np.nan
    z = dice.choice(["a", "b", "c"], rows)
    y = dice.choice(["no", "yes"], rows)
    weights = dice.integers(1, 4, rows)
    table = cw.read_table({"x": x, "z": z, "n": weights, "y": y}, target="y", weight="n")
    keys = [(None if np.isnan(a) else a, b) for a, b in zip(x.tolist(), z.tolist(), strict=True)]
    copies = sum(count - 1 for count in Counter(zip(keys, y.tolist(), strict=True)).values())
    by_key: defaultdict[Any, Counter[str]] = defaultdict(Counter)
    for key, answer, weight in zip(keys, y.tolist(), weights.tolist(), strict=True):
        by_key[key][answer] += weight
    best = sum(max(each.values()) for each in by_key.values()) / weights.sum()
    concerned = sum(len(by_key[key]) > 1 for key in keys)
    (duplicates,) = found(table, "duplicates")
    (contradictions,) = found(table, "contradictions")
    assert duplicates.numbers["rows"] == copies
    assert contradictions.numbers["rows"] == concerned
    assert contradictions.numbers["best_accuracy"] == pytest.approx(best)


def test_no_learner_beats_the_best_accuracy_that_contradictions_allow() -> None:
    table = load_shared("titanic")
    (finding,) = found(table, "contradictions")
    grown = cw.evaluate(cw.CART(min_rows=2, min_leaf=1).learn(table), table)
    assert isinstance(grown, ClassEvaluation)
    assert grown.accuracy <= finding.numbers["best_accuracy"] + 1e-12


def test_equal_rows_with_other_numbers_bound_the_error() -> None:
    table = table_of(x=[1.5, 1.5, 2.5, 2.5, 3.5], y=[0.5, 1.5, 4.5, 4.5, 9.5])
    (finding,) = found(table, "contradictions")
    assert finding.numbers["rows"] == 2
    assert finding.numbers["best_rmse"] == pytest.approx(np.sqrt(0.5 / 5))
    model = cw.CART(min_rows=2).learn(table)
    assert np.sqrt(np.mean((cw.predict(model, table) - table.target) ** 2)) == pytest.approx(
        finding.numbers["best_rmse"]
    )


def test_copies_are_severe_only_where_rows_hardly_share_a_value() -> None:
    dice = np.random.default_rng(0)
    exact = dice.random(100)
    copied = np.r_[exact, exact[:20]]
    answer = np.where(np.r_[np.arange(100), np.arange(20)] % 2 == 0, "a", "b")
    (finding,) = found(table_of(x=copied, y=answer), "duplicates")
    assert finding.severe
    assert finding.numbers["rows"] == 20
    coarse = table_of(x=dice.integers(0, 3, 200).astype(str), y=dice.choice(["a", "b"], 200))
    (finding,) = found(coarse, "duplicates")
    assert not finding.severe
    assert "more than chance" in finding.sentence


def test_missing_cells_are_equal_and_so_are_both_zeros() -> None:
    table = table_of(x=[0.0, -0.0, np.nan, np.nan, 1.5], y=["a", "a", "b", "b", "a"])
    assert found(table, "duplicates")[0].numbers["rows"] == 2


def test_equal_texts_are_copies() -> None:
    words = [f"the number {i % 40} of all the texts that there are" for i in range(50)]
    table = table_of(text=words, y=["a", "b"] * 25)
    assert found(table, "duplicates")[0].numbers["rows"] == 10


def leaky(rows: int = 400) -> dict[str, Any]:
    dice = np.random.default_rng(0)
    y = dice.choice(["a", "b", "c"], rows, p=[0.5, 0.3, 0.2])
    number = np.select(
        [y == "a", y == "b"], [dice.random(rows), 2 + dice.random(rows)], 5 + dice.random(rows)
    )
    return {
        "noise": dice.random(rows),
        "wide": dice.integers(0, 300, rows).astype(str),
        "number": number,
        "y": y,
    }


def test_a_column_of_values_that_gives_the_class_away_is_a_leak() -> None:
    columns = leaky()
    columns["code"] = np.where(columns["y"] == "a", "1", np.where(columns["y"] == "b", "2", "3"))
    leaks = {each.columns[0]: each for each in found(table_of(**columns), "leak")}
    assert set(leaks) == {"code", "number"}
    assert leaks["code"].numbers["accuracy"] == 1.0
    assert leaks["number"].numbers["accuracy"] > 0.97
    assert leaks["code"].severe
    assert "ignore=['code']" in leaks["code"].sentence


def test_a_column_that_is_filled_in_for_one_class_alone_is_a_leak() -> None:
    titanic = cw.read_table(csv_path("titanic"), target="survived", kinds={"boat": "nominal"})
    assert [each.columns for each in found(titanic, "leak")] == [("boat",)]


def test_a_rare_class_is_given_away_too_and_one_that_is_not_is_not() -> None:
    dice = np.random.default_rng(0)
    fraud = dice.random(4000) < 0.01
    amount = np.where(fraud, 900 + dice.random(4000), 400 * dice.random(4000))
    table = table_of(amount=amount, other=dice.random(4000), y=np.where(fraud, "fraud", "fine"))
    assert [each.columns for each in found(table, "leak")] == [("amount",)]


def test_a_number_made_of_the_target_is_a_leak() -> None:
    dice = np.random.default_rng(0)
    price = dice.lognormal(3, 1, 300)
    table = table_of("price", gross=price * 1.2, rooms=dice.integers(1, 6, 300), price=price)
    (leak,) = found(table, "leak")
    assert leak.columns == ("gross",)
    assert leak.numbers["r2"] > 0.99


@pytest.mark.parametrize("name", ["iris", "penguins", "credit_g", "diabetes", "breast_w", "auto_mpg"])
def test_good_columns_are_no_leaks_and_no_identifiers(name: str) -> None:
    table = load_shared(name)
    assert found(table, "leak") == []
    assert found(table, "identifier") == []


def test_numbers_of_rows_are_identifiers_and_measurements_are_not() -> None:
    dice = np.random.default_rng(0)
    rows = 300
    columns: dict[str, Any] = {
        "case": dice.permutation(rows) + 1000,
        "account": dice.choice(np.arange(10**9, 2 * 10**9, 977), rows, replace=False),
        "stamp": np.cumsum(dice.integers(1, 10**6, rows)),
        "salary": dice.integers(20_000, 10**8, rows),
        "age": dice.integers(18, 90, rows),
        "exact": dice.random(rows),
        "y": dice.choice(["a", "b"], rows),
    }
    identifiers = {each.columns[0] for each in found(table_of(**columns), "identifier")}
    assert identifiers == {"case", "account", "stamp"}


def test_names_that_were_kept_on_demand_are_identifiers() -> None:
    table = table_of(who=[f"p{i}" for i in range(40)], y=["a", "b"] * 20, kinds={"who": "nominal"})
    (finding,) = found(table, "identifier")
    assert finding.numbers["different"] == 1.0
    few = table_of(who=[f"p{i}" for i in range(10)], y=["a", "b"] * 5, kinds={"who": "nominal"})
    assert found(few, "identifier") == []


def test_constants_are_named_with_what_they_say() -> None:
    columns = {"a": ["x"] * 6, "b": [2.0] * 6, "c": [1.0, np.nan] * 3, "d": [1.5, 2.5] * 3}
    kinds = {"a": "nominal", "b": "numeric", "c": "numeric"}
    table = cw.read_table({**columns, "y": ["a", "b"] * 3}, target="y", kinds=kinds)
    sentences = {each.columns[0]: each.sentence for each in found(table, "constant")}
    assert set(sentences) == {"a", "b", "c"}
    assert "Every row has x in 'a'" in sentences["a"]
    assert "Every row has 2 in 'b'" in sentences["b"]
    assert "only its empty cells distinguish rows" in sentences["c"]


def drifting(rows: int = 600) -> dict[str, Any]:
    dice = np.random.default_rng(0)
    late = np.arange(rows) >= rows // 2
    return {
        "day": np.arange(rows) / 7,
        "kind": np.where(late & (dice.random(rows) < 0.5), "new", "old"),
        "size": dice.normal(size=rows) + 1.5 * late,
        "same": dice.normal(size=rows),
        "y": dice.choice(["a", "b"], rows),
    }


def test_columns_that_change_with_time_have_their_stability_index() -> None:
    columns = drifting()
    table = table_of(**columns)
    drift = {each.columns[0]: each for each in found(table, "drift", time="day")}
    assert set(drift) == {"kind", "size"}
    early, late = columns["kind"][:300], columns["kind"][300:]
    counts = [[int((half == value).sum()) for value in ("old", "new")] for half in (early, late)]
    assert drift["kind"].numbers["psi"] == pytest.approx(stability_index(*counts))
    cuts = np.quantile(columns["size"][:300], np.arange(1, 10) / 10)
    parts = [np.bincount(np.searchsorted(cuts, half), minlength=10) for half in np.split(columns["size"], 2)]
    assert drift["size"].numbers["psi"] == pytest.approx(stability_index(*parts))
    assert drift["size"].severe
    assert found(table, "drift") == []  # without a time there is no before and after


def test_a_target_that_changes_with_time_is_said_to() -> None:
    columns = drifting()
    columns["y"] = np.where(np.arange(600) < 300, "a", columns["y"])
    assert any("The target 'y'" in each.sentence for each in found(table_of(**columns), "drift", time="day"))


def test_few_rows_do_not_drift_by_chance() -> None:
    dice = np.random.default_rng(1)
    table = table_of(t=np.arange(30) / 7, x=dice.normal(size=30), y=dice.choice(["a", "b"], 30))
    assert found(table, "drift", time="t") == []
    same = table_of(t=[1.5] * 9 + [1.5], x=np.arange(10) / 7, y=["a", "b"] * 5, kinds={"t": "numeric"})
    with pytest.raises(SettingError, match="same time"):
        cw.look_over(same, time="t")


def test_without_a_target_the_rows_are_still_looked_over() -> None:
    exact = np.random.default_rng(0).random(50)
    table = cw.read_table({"x": np.r_[exact, exact[:5]]})
    (finding,) = cw.look_over(table).findings
    assert (finding.kind, finding.numbers["rows"]) == ("duplicates", 5)


def test_nothing_stands_out_where_nothing_does() -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    over = cw.look_over(days)
    assert len(over) == 0
    assert str(over).startswith("Nothing stands out in 14 rows")
    for few in (days.take(np.arange(1)), days.take(np.arange(0))):
        assert cw.look_over(few).findings == ()
    with pytest.raises(SchemaError, match="look_over takes a Table"):
        cw.look_over(mistyped("tennis.csv"))


def test_rows_without_an_answer_contradict_nobody() -> None:
    table = table_of(x=[1.5, 1.5, 2.5, 2.5], y=["a", "b", "a", "b"])
    codes = np.array([0, -1, 0, -1], dtype=np.int32)
    assert found(replace(table, columns={**table.columns, "y": codes}), "contradictions") == []


def test_the_severe_come_first_and_json_has_the_numbers() -> None:
    columns = leaky()
    over = cw.look_over(table_of(**{**columns, "same": ["x"] * 400}, kinds={"same": "nominal"}))
    assert [each.severe for each in over.findings] == sorted(
        (each.severe for each in over.findings), reverse=True
    )
    assert over.severe[0].kind == "leak"
    told = over.to_json()["findings"][0]
    assert told["kind"] == "leak"
    assert told["numbers"]["accuracy"] > 0.97
    assert severe_findings(table_of(**columns))[0].columns == ("number",)


def test_the_bits_of_a_row_are_those_of_their_definition() -> None:
    dice = np.random.default_rng(0)
    numbers = dice.normal(size=50).round(1)
    numbers[::7], numbers[3] = np.nan, -0.0
    codes = dice.integers(-2, 4, 50).astype(np.int32)
    singles = dice.normal(size=50).astype(np.float32)
    bits = np.zeros(50, dtype=np.uint64)
    for words in (
        np.where(np.isnan(numbers), np.nan, numbers + 0.0).view(np.uint64),
        codes.astype(np.int64).view(np.uint64),
        singles.astype(np.float64).view(np.uint64),
    ):
        with np.errstate(over="ignore"):
            bits = mixed_all((bits ^ words) + np.uint64(GOLDEN))
    assert np.array_equal(row_hashes([numbers, codes, singles], 50), bits)
    strided = np.repeat(numbers, 2)[::2]
    assert np.array_equal(row_hashes([strided, codes, singles], 50), bits)


def test_what_contradictions_bound_is_said_of_these_rows_alone() -> None:
    dice = np.random.default_rng(0)
    classes = table_of(x=dice.integers(0, 9, 200), y=dice.choice(["a", "b"], 200))
    numbers = table_of(x=dice.integers(0, 9, 200), y=dice.normal(size=200))
    for table in (classes, numbers):
        (finding,) = found(table, "contradictions")
        assert "on these rows no model of these columns can" in finding.sentence


def after_the_fact(bad: float, rows: int = 1000) -> dict[str, Any]:
    """Columns that are written only once the class is known, beside honest ones."""
    dice = np.random.default_rng(1)
    y = dice.random(rows) < bad
    return {
        "amount": np.where(y, dice.lognormal(6, 1, rows).round(2), 0.0),
        "closed": np.where(y, dice.normal(size=rows), np.nan),
        "status": np.where(dice.random(rows) < 0.01, y, ~y).astype(int).astype(str),
        "letter": [f"we write to you about the debt number {i}" if y[i] else None for i in range(rows)],
        "age": dice.normal(40, 9, rows) + 4 * y,
        "y": np.where(y, "bad", "good"),
    }


@pytest.mark.parametrize("bad", [0.05, 0.2, 0.5])
def test_amounts_that_are_zero_cells_that_are_empty_and_codes_of_the_class_are_leaks(bad: float) -> None:
    table = table_of(**after_the_fact(bad), kinds={"status": "nominal", "letter": "text"})
    leaks = {each.columns[0]: each for each in found(table, "leak")}
    assert set(leaks) == {"amount", "closed", "status", "letter"}
    assert leaks["amount"].numbers["auc"] > 0.99
    assert "by whether it is 0," in leaks["amount"].sentence
    assert "by whether it is empty," in leaks["closed"].sentence
    assert "the best other column, 'age', has 0." in leaks["status"].sentence
    assert {each.columns[0] for each in severe_findings(table) if each.kind == "leak"} == set(leaks)


def test_what_is_said_does_not_depend_on_the_order_of_rows() -> None:
    columns = after_the_fact(0.2)
    order = np.random.default_rng(2).permutation(1000)
    turned = {name: np.asarray(column, dtype=object)[order].tolist() for name, column in columns.items()}
    kinds = {"status": "nominal", "letter": "text", "y": "nominal", "amount": "numeric"}
    first, second = (
        cw.look_over(cw.read_table(each, target="y", kinds=kinds))
        for each in ({name: list(cells) for name, cells in columns.items()}, turned)
    )
    assert str(first) == str(second)


def test_a_column_that_is_as_good_as_the_model_is_said_to_be() -> None:
    dice = np.random.default_rng(0)
    y = dice.random(600) < 0.4
    columns: dict[str, Any] = {f"noise{i}": dice.random(600) for i in range(5)}
    columns |= {"x": np.where(dice.random(600) < 0.1, ~y, y).astype(int).astype(str)}
    table = table_of(**columns, y=np.where(y, "a", "b"), kinds={"x": "nominal"})
    assert found(table, "leak") == []
    judged = cw.cross_validate(cw.CART(max_depth=1), table).predictions
    (finding,) = severe_findings(table, judged)
    assert finding.columns == ("x",)
    assert finding.numbers["auc"] >= finding.numbers["model"]
    honest = table_of(
        a=(x := dice.normal(size=600)), b=(z := dice.normal(size=600)), y=np.where(x + z > 0, "a", "b")
    )
    assert severe_findings(honest, cw.cross_validate(cw.CART(), honest).predictions) == []
    # A model that has learned nothing, or too few rows to see what others add, say nothing of the column.
    assert severe_findings(table, cw.cross_validate(cw.CART(max_depth=0), table).predictions) == []
    few = table.take(np.arange(120))
    assert severe_findings(few, cw.cross_validate(cw.CART(max_depth=1), few).predictions) == []


def test_numbers_that_stand_for_missing_cells_are_found_with_the_option_that_mends_them() -> None:
    over = {each.columns[0]: each for each in found(load_shared("diabetes"), "sentinel")}
    rows = {name: each.numbers["rows"] for name, each in over.items()}
    assert rows == {"insu": 374, "skin": 227, "pres": 35, "mass": 11, "plas": 5}
    assert over["insu"].severe
    assert not over["plas"].severe
    assert "missing={'insu': '0'}" in over["insu"].sentence
    dice = np.random.default_rng(0)
    rows_of: dict[str, Any] = {
        "low": np.where(dice.random(500) < 0.1, -999, dice.normal(size=500)),
        "high": np.where(dice.random(500) < 0.1, 9999, dice.integers(0, 90, 500)),
        "below": np.where(dice.random(500) < 0.1, -1, dice.integers(0, 90, 500)),
        "children": dice.integers(0, 12, 500),
        "gain": np.where(dice.random(500) < 0.9, 0.0, dice.lognormal(8, 1, 500)),
        "year": dice.integers(1990, 2000, 500),
        "hours": np.minimum(dice.integers(20, 130, 500), 99),
        "y": dice.choice(["a", "b"], 500),
    }
    sentinels = {each.columns[0]: each.numbers["value"] for each in found(table_of(**rows_of), "sentinel")}
    assert sentinels == {"low": -999, "high": 9999, "below": -1}


def test_marks_of_one_column_are_missing_there_alone() -> None:
    path = csv_path("diabetes")
    table = cw.read_table(path, target="class", missing={"insu": "0", "skin": ["0"]})
    assert np.isnan(table.columns["insu"]).sum() == 374
    assert np.isnan(table.columns["skin"]).sum() == 227
    assert (table.columns["preg"] == 0).sum() == 111


def test_columns_that_say_the_same_are_found() -> None:
    dice = np.random.default_rng(0)
    size = dice.normal(size=300).round(3)
    near = size.copy()
    near[:2] += 1
    kind = dice.choice(["x", "y", "z"], 300)
    copied: dict[str, Any] = {"size": size, "Size ": size, "inches": size / 2.54, "nearly": near}
    table = table_of(
        **copied,
        kind=kind,
        code=np.where(kind == "x", 7, np.where(kind == "y", 3, 5)),
        other=dice.normal(size=300),
        y=dice.choice(["a", "b"], 300),
    )
    copies = {each.columns for each in found(table, "copy")}
    assert copies == {("Size ", "size"), ("inches", "size"), ("nearly", "size"), ("code", "kind")}
    assert any("differs only in case or blanks" in each.sentence for each in found(table, "copy"))


def test_values_that_look_like_one_are_found_and_merged_on_demand() -> None:
    dice = np.random.default_rng(0)
    columns: dict[str, Any] = {
        "sex": dice.choice(["M", "male", "Female", "female"], 200),
        "flag": dice.choice(["Y", "y", "N"], 200),
        "grade": dice.choice(["A", "A-", "B", "AB"], 200),
        "side": dice.choice(["N", "NE", "NW"], 200),
        "y": dice.choice(["a", "b"], 200),
    }
    merged: dict[str, Any] = {}
    for each in found(table_of(**columns), "spelling"):
        assert isinstance(each.sentence, Sentence)
        merged |= each.sentence.advice[0].value
    assert set(merged) == {"sex", "flag"}
    table = cw.read_table(columns, target="y", recode=merged)
    assert found(table, "spelling") == []
    assert isinstance(table.schema["sex"], Nominal)
    assert {each.casefold() for each in table.schema["sex"].values} == {"male", "female"}


def test_identifiers_that_repeat_with_their_rows_or_by_name_are_found() -> None:
    dice = np.random.default_rng(0)
    again = np.r_[np.arange(1000), dice.choice(1000, 60)]
    columns: dict[str, Any] = {
        "number_of_customer": (100_000 + dice.permutation(1000))[again],
        "account_no": (1 + dice.integers(0, 500, 1000))[again],
        "age": dice.integers(18, 90, 1000)[again],
        "x": dice.normal(size=1000)[again],
        "y": dice.choice(["a", "b"], 1000)[again],
    }
    assert {each.columns[0] for each in found(table_of(**columns), "identifier")} == {
        "number_of_customer",
        "account_no",
    }


def test_a_table_that_was_copied_whole_is_severe_though_its_values_are_few() -> None:
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    (finding,) = severe_findings(days.take(np.tile(np.arange(14), 4)))
    assert finding.kind == "duplicates"
    assert "14 different ones, each 4 times" in finding.sentence


def test_findings_are_ranked_by_what_they_may_do_and_silence_says_what_was_looked_for() -> None:
    columns = after_the_fact(0.2)
    columns |= {"same": columns["age"], "low": np.where(np.arange(1000) % 9 == 0, -999, columns["age"])}
    over = cw.look_over(table_of(**columns, kinds={"status": "nominal", "letter": "text"}))
    kinds = [each.kind for each in over.findings]
    assert kinds.index("leak") < kinds.index("sentinel") < kinds.index("copy")
    nothing = str(cw.look_over(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")))
    for word in ("copied columns", "identifiers", "−999", "Not looked for"):
        assert word in nothing


_REALLY_THERE = {
    "adult": {"copy", "sentinel", "duplicates", "contradictions"},  # education; 99999 of capital-gain
    "diabetes": {"sentinel"},
    "mushroom": {"leak"},  # odor alone is right in 98.5 %
    "sms_spam": {"duplicates"},
    "titanic": {"leak", "identifier", "duplicates", "contradictions", "spelling"},  # boat, body, home.dest
}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_found_in_the_reference_tables_that_is_not_there(name: str) -> None:
    table = cw.read_table(csv_path(name), target=describe(name)["target"])
    kinds = {each.kind for each in cw.look_over(table).findings}
    assert kinds - {"duplicates", "contradictions"} <= _REALLY_THERE.get(name, set())
    assert _REALLY_THERE.get(name, set()) <= kinds
