"""Assertions on models: each kind holds, fails, or is refused with the way out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.checking.assertions import ASSERTIONS
from clearwood.checking.assertions.reading import parse_assertions
from clearwood.errors import ClearwoodError, ColumnError, SettingError
from clearwood.formulas.conditions import Above, AtMost, Equals
from clearwood.models.kinds.rules.rule_reading import parse_rules
from clearwood.models.kinds.tree.build import tree_of
from clearwood.models.kinds.tree.tree import Branch, Leaf, Split, Surrogate
from clearwood.predicting.row import row_predictor
from clearwood.scoring.predictions import predictions_of
from clearwood.scoring.scores import score_by_name
from tests.typed import values_of

HALVES = ((Above("duration", 30.0), (1.0, 4.0)), (AtMost("duration", 30.0), (4.0, 1.0)))


@pytest.fixture(scope="module")
def loans() -> cw.Table:
    """200 rows in which the bad ones are those of a long duration, more often among the young."""
    die = np.random.default_rng(3)
    duration, age = die.integers(4, 60, 200), die.integers(18, 70, 200)
    sex = np.where(die.random(200) < 0.5, "f", "m")
    bad = duration / 60 + (age < 30) * 0.2 + die.random(200) * 0.4 > 0.8
    rows = {"duration": duration, "age": age, "sex": sex, "grade": np.where(duration > 30, "B", "A")}
    return cw.read_table({**rows, "class": np.where(bad, "bad", "good")}, target="class")


@pytest.fixture(scope="module")
def tree(loans: cw.Table) -> cw.Tree:
    return cw.C45().learn(loans)


def only(model: Any, asserted: Any, table: Any = None) -> cw.AssertionVerdict:
    (verdict,) = cw.check(model, asserted, table).verdicts
    return verdict


def test_never_asks_finds_splits_surrogates_rules_and_terms(loans: cw.Table, tree: cw.Tree) -> None:
    assert only(tree, cw.NeverAsks(column="sex")).holds == ("sex" not in str(tree))
    asked = only(tree, cw.NeverAsks(columns=("duration", "sex")))
    assert not asked.holds
    assert "it uses duration in " in asked.because
    long, short = (Branch(when, 0.5, Leaf(counts)) for when, counts in HALVES)
    other = Surrogate(Equals("grade", "B"), 0, Equals("grade", "A"), 0.9)
    cart = tree_of(loans.schema, Split((5.0, 5.0), {}, (long, short), (other,)))
    assert only(cart, cw.NeverAsks(column="grade")).because == "it uses grade in 1 surrogate"
    rules = parse_rules("IF age > 3 THEN good\nIF sex = f THEN bad", loans.schema)
    assert only(rules, cw.NeverAsks(column="sex")).because == "it uses sex in rule 2"
    weights = cw.Logistic().learn(loans)
    assert only(weights, cw.NeverAsks(column="sex")).because == "it uses sex in 1 term"


def test_a_column_that_nobody_knows_is_not_passed_as_never_asked(loans: cw.Table, tree: cw.Tree) -> None:
    for name in ("sexx", "religion"):  # with rows, every name can be looked up
        with pytest.raises(ColumnError, match=f"No column '{name}'"):
            only(tree, cw.NeverAsks(column=name), loans)
    with pytest.raises(ColumnError, match="does not know the column 'sexx'"):
        only(tree, cw.NeverAsks(column="sexx"))
    with pytest.raises(ColumnError, match="Did you mean 'duration'"):
        only(tree, cw.NeverAsks(columns=("sex", "Duration")))


def test_a_column_that_the_model_does_not_know_is_never_asked_and_a_note_says_so(tree: cw.Tree) -> None:
    assert only(tree, cw.NeverAsks(column="religion")).because == "the model does not know religion"
    assert only(tree, cw.NeverAsks(column="religion")).holds
    other = only(tree, cw.NeverAsks(columns=("religion", "duration")))
    assert not other.holds
    assert other.because.startswith("it uses duration in ")
    assert other.because.endswith("; the model does not know religion")


def test_conditions_that_no_row_can_satisfy_are_refused(loans: cw.Table, tree: cw.Tree) -> None:
    for asserted in (
        cw.RegionGets(when="age > 30 AND age < 20", answer="bad"),
        cw.MonotoneIn(column="duration", share="bad", when="age > 30 AND age < 20"),
    ):
        with pytest.raises(SettingError, match="No row can satisfy 'age > 30 AND age < 20'"):
            cw.check(tree, asserted)
        assert only(cw.Forest(trees=2).learn(loans), asserted, loans).holds is None
    with pytest.raises(SettingError, match="No row of known cells can satisfy"):
        cw.check(tree, cw.RegionGets(when="age is missing", answer="bad", rows="known"))


def test_a_score_by_group_says_how_many_groups_it_judged(loans: cw.Table, tree: cw.Tree) -> None:
    customers = ["a"] * 100 + ["b"] * 60 + [f"c{row}" for row in range(40)]
    rows = {name: loans.columns[name] for name in ("duration", "age")}
    sex, grade, answer = (
        np.array(values_of(loans.schema[name]))[loans.columns[name]] for name in ("sex", "grade", "class")
    )
    table = {**rows, "sex": sex, "grade": grade, "class": answer, "customer": customers}
    verdict = only(tree, cw.ScoreWithin(score="accuracy", at_least=0.1, by="customer"), table)
    assert verdict.holds
    assert verdict.title == (
        "accuracy is at least 0.1 in the 2 groups of customer with 10 rows or more; 40 not evaluated"
    )
    assert verdict.because.endswith("; 40 not evaluated, for want of rows: c0, c1, c2, c3 and 36 more")


def test_a_bound_that_a_score_cannot_reach_is_refused(loans: cw.Table, tree: cw.Tree) -> None:
    with pytest.raises(
        SettingError, match=r"at_least is 70, and accuracy is from 0 to 1. For 70 % write 0.7."
    ):
        cw.check(tree, cw.ScoreWithin(score="accuracy", at_least=70), loans)
    with pytest.raises(SettingError, match=r"at_most is -1, and log loss is 0 or more\."):
        cw.check(tree, cw.ScoreWithin(score="log_loss", at_most=-1), loans)


def test_what_does_not_fit_is_open_where_the_check_is_not_strict(loans: cw.Table) -> None:
    bayes = cw.NaiveBayes().learn(loans)
    leaves, columns = cw.SizeWithin(of="leaves", at_most=3), cw.SizeWithin(of="columns", at_most=9)
    left_open, held = cw.check(bayes, [leaves, columns], strict=False).verdicts
    assert (left_open.holds, held.holds) == (None, True)
    assert left_open.because.startswith("[[size]] 1: Bayes tables of 4 columns have no leaves. They have: ")


def test_a_column_that_only_the_table_has_is_never_asked() -> None:
    fewer = cw.read_table({"x": [1, 2, 3, 4] * 5, "y": list("aabb") * 5}, target="y")
    more = {"x": [1, 2], "sex": ["f", "m"]}
    assert only(cw.ID3().learn(fewer), cw.NeverAsks(column="sex"), more).holds


def test_a_row_gets_its_answer_or_share(tree: cw.Tree) -> None:
    row: dict[str, str | float | None] = {"duration": 6, "age": 50, "sex": "f", "grade": "A"}
    assert only(tree, cw.RowGets(row=row, answer="good")).holds
    wrong = only(tree, cw.RowGets(row=row, answer="bad"))
    assert not wrong.holds
    assert wrong.because == "it gets good"
    share = row_predictor(tree).shares(row)["bad"]
    assert only(tree, cw.RowGets(row=row, share="bad", at_most=share)).holds
    assert not only(tree, cw.RowGets(row=row, share="bad", at_least=share + 0.01)).holds
    with pytest.raises(ColumnError, match="No column 'durations'"):
        cw.check(tree, cw.RowGets(row={"durations": 3}, answer="good"))


def test_no_answer_is_an_answer_too(loans: cw.Table) -> None:
    silent = parse_rules("IF duration > 100 THEN bad", loans.schema)
    assert only(silent, cw.RowGets(row={"duration": 6}, answer="")).holds
    assert not only(silent, cw.RowGets(row={"duration": 101}, answer="")).holds
    assert only(silent, cw.RegionGets(never="good")).holds


def test_sizes_are_counted_and_a_size_of_another_kind_is_refused(tree: cw.Tree) -> None:
    assert only(tree, cw.SizeWithin(of="leaves", at_most=tree.leaves)).holds
    assert not only(tree, cw.SizeWithin(of="depth", at_most=tree.depth - 1)).holds
    with pytest.raises(SettingError, match="has no rules"):
        cw.check(tree, cw.SizeWithin(of="rules", at_most=3))


def test_scores_are_compared_by_themselves_or_by_the_end_of_their_interval(
    loans: cw.Table, tree: cw.Tree
) -> None:
    accuracy = next(each for each in cw.scores(tree, loans).scored if each.name == "accuracy")
    assert accuracy.interval is not None
    between = (accuracy.interval[0] + accuracy.value) / 2
    assert only(tree, cw.ScoreWithin(score="accuracy", at_least=between), loans).holds
    strict = only(tree, cw.ScoreWithin(score="accuracy", at_least=between, compare="interval"), loans)
    assert not strict.holds
    assert only(tree, cw.ScoreWithin(score="log_loss", at_most=5), loans).holds
    with pytest.raises(SettingError, match="'rmse' is a score of numbers"):
        cw.check(tree, cw.ScoreWithin(score="rmse", at_most=5), loans)
    with pytest.raises(SettingError, match="Give a table"):
        cw.check(tree, cw.ScoreWithin(score="accuracy", at_least=0.5))


def test_scores_by_group_judge_every_group_of_ten_rows(loans: cw.Table, tree: cw.Tree) -> None:
    own = {
        name: score_by_name(
            "accuracy",
            predictions_of(tree, loans.take(np.flatnonzero(loans.columns["sex"] == code))),
        )
        for code, name in enumerate(values_of(loans.schema["sex"]))
    }
    worst = min(own, key=own.__getitem__)
    holds = only(tree, cw.ScoreWithin(score="accuracy", at_least=own[worst], by="sex"), loans)
    assert holds.holds
    fails = only(tree, cw.ScoreWithin(score="accuracy", at_least=own[worst] + 1e-6, by="sex"), loans)
    assert not fails.holds
    assert f"{worst}: accuracy" in fails.because
    few = only(tree, cw.ScoreWithin(score="accuracy", at_least=0.1, by="sex"), loans.take(np.arange(4)))
    assert few.holds is None


def test_drift_is_none_on_the_training_rows_and_seen_on_shifted_ones(loans: cw.Table) -> None:
    model = cw.with_profile(cw.C45().learn(loans), loans)
    assert only(model, cw.DriftWithin(at_most=0.02), loans).holds
    later = loans.take(np.flatnonzero(loans.columns["duration"] > 30))
    fails = only(model, cw.DriftWithin(at_most=0.25), later)
    assert not fails.holds
    assert fails.because.startswith("duration ")
    with pytest.raises(SettingError, match="no profile"):
        cw.check(replace(model, profile=None), cw.DriftWithin(at_most=1), loans)


def test_a_fingerprint_is_that_of_the_model_and_of_its_rows(loans: cw.Table, tree: cw.Tree) -> None:
    digits = cw.model_fingerprint(tree)
    assert only(tree, cw.FingerprintIs(model=digits.upper(), training=tree.origin.fingerprint)).holds
    other = only(cw.C45(min_rows=9).learn(loans), cw.FingerprintIs(model=digits))
    assert not other.holds
    assert "that of the model is " in other.because


@pytest.mark.parametrize("learner", [cw.Logistic(), cw.GAM(bags=2, pairs=0)], ids=["logistic", "gam"])
def test_weights_and_curves_prove_a_direction_and_rows_refute_it(loans: cw.Table, learner: Any) -> None:
    model = learner.learn(loans)
    if isinstance(model, cw.AdditiveModel):
        model = cw.make_monotone(model, "duration", "up", called="bad")
    verdicts = [
        only(model, cw.MonotoneIn(column="duration", share=share, direction="rises"))
        for share in ("bad", "good")
    ]
    assert all(each.exact for each in verdicts)
    for verdict, share in zip(verdicts, ("bad", "good"), strict=True):
        if verdict.holds:
            for age in (20, 60):
                figures = [
                    row_predictor(model).shares({"duration": d, "age": age, "sex": "f", "grade": "A"})[share]
                    for d in (5, 20, 40, 59)
                ]
                assert figures == sorted(figures)
        else:
            low, high = (row_predictor(model).shares(each.row)[share] for each in verdict.rows)
            assert high < low
    assert not all(each.holds for each in verdicts)


def test_other_models_are_checked_on_rows_and_say_so(loans: cw.Table) -> None:
    forest = cw.Forest(trees=10).learn(loans)
    by_rows = only(forest, cw.MonotoneIn(column="duration", share="bad"), loans)
    assert not by_rows.exact
    assert by_rows.how.startswith("on 200 rows of the table, each with ")
    if not by_rows.holds:
        low, high = (row_predictor(forest).shares(each.row)["bad"] for each in by_rows.rows)
        assert high < low
    nobody = only(forest, cw.RegionGets(when="age > 900", never="good"), loans)
    assert nobody.holds is None
    with pytest.raises(SettingError, match="none are given"):
        cw.check(forest, cw.MonotoneIn(column="duration", share="bad"))


def test_known_rows_are_those_without_missing_cells_on_a_table_too(loans: cw.Table) -> None:
    forest = cw.Forest(trees=5).learn(loans)
    rows = {"duration": [6, None], "age": [50, 50], "sex": ["f", "m"], "grade": ["A", "A"]}
    asserted = cw.RegionGets(share="bad", at_most=1.0, rows="known")
    assert only(forest, asserted, rows).how == "on 1 row of the table"
    assert only(forest, cw.RegionGets(share="bad", at_most=1.0), rows).how == "on 2 rows of the table"


def test_what_the_budget_leaves_open_is_said(tree: cw.Tree) -> None:
    asserted = cw.MonotoneIn(column="duration", share="good")
    (verdict,) = cw.check(tree, asserted, budget=1).verdicts
    assert verdict.holds is None
    assert "not settled within the budget" in verdict.how


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[monoton]]", "No kind of assertion 'monoton'. Did you mean 'monotone'?"),
        ("[size]\nof = 'leaves'", "must be written as [[size]]"),
        ("[[size]]\nof = 'leaves'\nat_mos = 3", "[[size]] 1: No key 'at_mos'. Did you mean 'at_most'?"),
        ("[[size]]\nat_most = 3", "[[size]] 1: the key 'of' is missing"),
        ("[[size]]\nof = 'leaves'\nat_most = true", "[[size]] 1: at_most must be a number, not true"),
        ("[[row]]\nrow = 3\nanswer = 'a'", "[[row]] 1: row must be cells by column"),
        ("[[row]]\nrow = {a = [1]}\nanswer = 'a'", "[[row]] 1: row.a must be a number or a text"),
        ("[[monotone]]\ncolumn = 'a'\ndirection = 'up'", "must be one of rises, falls"),
        ("[[never_asks]]\ncolumns = 'a'", "columns must be a list of texts"),
        ("[[size]\n", "this is not TOML"),
        ("[[never_asks]]", "[[never_asks]] 1: Name the column"),
        ("[[never_asks]]\ncolumn = ''", "[[never_asks]] 1: Name the column"),
        ("[[never_asks]]\ncolumns = ['a', '']", "[[never_asks]] 1: Name the column"),
        ("[[region]]", "[[region]] 1: Give one of answer, never, or share"),
        ("[[size]]\nof = 'leaves'", "[[size]] 1: at_least or at_most is needed"),
        ("[[score]]\nscore = 'accuracy'", "[[score]] 1: at_least or at_most is needed"),
        ("[[fingerprint]]", "[[fingerprint]] 1: Give model, training, or both"),
        ("[[row]]\nanswer = 'a'", "[[row]] 1: the key 'row' is missing"),
        ("[[row]]\nrow = {}", "[[row]] 1: Give either answer, or at_least"),
        ("[[row]]\nrow = {a = nan}\nanswer = 'a'", "row.a must be a number or a text in quotes, not nan"),
        ("[[row]]\nrow = {a = 1979-05-27}\nanswer = 'a'", "in quotes, not 1979-05-27."),
        ("", "there is no assertion here. Kinds: [[monotone]]"),
    ],
)
def test_a_file_is_read_strictly_and_refused_by_place(text: str, sentence: str) -> None:
    with pytest.raises(SettingError) as refused:
        parse_assertions(text)
    assert sentence in str(refused.value)


def test_every_kind_has_an_example_that_can_be_read() -> None:
    for name, kind in ASSERTIONS.items():
        (made,) = parse_assertions(f"[[{name}]]\n{kind.example}")
        assert type(made) is kind.made_of
        assert made.title


@pytest.mark.parametrize(
    ("asserted", "sentence"),
    [
        (cw.MonotoneIn(column="sex", share="bad"), "nominal: its values have no order"),
        (cw.MonotoneIn(column="age"), "Which class is it about?"),
        (cw.MonotoneIn(column="age", share="worse"), "No class 'worse'"),
        (cw.MonotoneIn(column="age", share="bad", when="age > 3"), "the column that rises"),
        (cw.RegionGets(when="age > 3"), "Give one of answer, never, or share"),
        (cw.RegionGets(at_most=0.3), "Which class are the bounds about?"),
        (cw.RegionGets(when="agee > 3", never="bad"), "No column 'agee'"),
        (cw.RowGets(row={}), "Give either answer, or at_least or at_most"),
        (cw.SizeWithin(of="leafs", at_most=3), "No size 'leafs'. Did you mean 'leaves'?"),
        (cw.SizeWithin(of="leaves"), "at_least or at_most is needed"),
        (cw.SizeWithin(of="leaves", at_least=4, at_most=3), "no number can be both"),
        (cw.NeverAsks(), "Name the column"),
        (cw.RowGets(row={"age": float("nan")}, answer="bad"), "row.age must be a number, not nan"),
        (cw.RowGets(row={"age": "old"}, answer="bad"), "row.age must be a number"),
        (cw.RowGets(row={"sex": "n"}, answer="bad"), "row.sex: No value 'n'. Values: f, m."),
        (cw.RowGets(row={"grade": "AA"}, answer="bad"), "Did you mean 'A'?"),
        (cw.FingerprintIs(), "Give model, training, or both"),
    ],
)
def test_what_cannot_be_checked_is_refused_with_the_way_out(
    tree: cw.Tree, asserted: Any, sentence: str
) -> None:
    with pytest.raises(ClearwoodError) as refused:
        cw.check(tree, asserted)
    assert sentence in str(refused.value)


def test_numbers_are_bounded_and_monotone_too() -> None:
    table = cw.read_table(
        {"x": [i * 0.3 for i in range(40)], "y": [i // 10 + 0.5 for i in range(40)]}, target="y"
    )
    tree = cw.CART(min_rows=5).learn(table)
    assert only(tree, cw.MonotoneIn(column="x")).holds
    assert not only(tree, cw.MonotoneIn(column="x", direction="falls")).holds
    assert only(tree, cw.RegionGets(when="x > 10", at_least=3.5)).holds
    assert not only(tree, cw.RegionGets(at_most=2)).holds
    assert only(tree, cw.RowGets(row={"x": 1}, at_most=0.5)).holds
    with pytest.raises(SettingError, match="predicts numbers"):
        cw.check(tree, cw.MonotoneIn(column="x", share="a"))


def test_a_row_of_empty_cells_may_be_asked_about(tree: cw.Tree) -> None:
    (asserted,) = parse_assertions("[[row]]\nrow = {}\nshare = 'bad'\nat_most = 1")
    assert only(tree, asserted).holds


@pytest.mark.parametrize(
    ("when", "place"),
    [
        (
            "age<",
            "when, line 1, column 5: Expected a value here, not the end of the text.\n    age<\n        ^",
        ),
        ("age < 3\n  AND sex ~ f", "when, line 2, column 14: "),
        ("age < 3 THEN bad", "when, line 1, column 9: Expected AND or the end here, not 'THEN'."),
        ("(age < 3 or missing", "when, line 1, column 1: Brackets hold one condition"),
    ],
)
def test_an_error_in_conditions_shows_what_was_written_and_where(
    tree: cw.Tree, when: str, place: str
) -> None:
    asserted = cw.RegionGets(when=when, never="bad")
    with pytest.raises(ClearwoodError) as refused:
        cw.check(tree, asserted)
    assert place in str(refused.value)
    text = str(cw.check(tree, asserted, strict=False))
    assert "\\n" not in text
    assert " IF " not in text
    caret = next(line for line in text.splitlines() if line.strip() == "^")
    assert len(caret) == 7 + 4 + int(place.split("column ")[1].split(":")[0])


def test_the_title_of_a_score_names_the_class_that_it_is_about(loans: cw.Table, tree: cw.Tree) -> None:
    assert (
        only(tree, cw.ScoreWithin(score="recall", at_least=0), loans).title == "recall of bad is at least 0"
    )
    by = cw.ScoreWithin(score="recall", at_least=0, positive="good", by="sex")
    assert only(tree, by, loans).title == "recall of good is at least 0 in every group of sex"
    accuracy = cw.ScoreWithin(score="accuracy", at_least=0, positive="good")
    assert only(tree, accuracy, loans).title == "accuracy is at least 0"
