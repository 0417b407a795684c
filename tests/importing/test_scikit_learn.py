"""Models of scikit-learn answer alike once imported: on thresholds, beside them, with gaps and new values."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning, ModelFileError, SettingError
from clearwood.importing.scikit_learn.front import SELECTORS, STEPS
from clearwood.importing.scikit_learn.importer import READ
from clearwood.models.files import from_json, to_json
from clearwood.models.model import LinearModel, Model
from tests import shared_data
from tests.typed import sure

pytest.importorskip("sklearn")
pytest.importorskip("pandas")

import pandas as pd
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor, BaggingClassifier, RandomForestClassifier
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB, MultinomialNB
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import check_array
from threadpoolctl import threadpool_limits

from tests.importing.fitted import AMOUNTS, GAPS, MIXED, NAMES, NUMBERS, THREE, TWO, fitted


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Many small questions are answered sooner without threads that wait for a busy machine."""
    with threadpool_limits(1):
        yield


@pytest.mark.parametrize("name", NAMES)
def test_an_imported_model_answers_every_row_as_its_origin(name: str) -> None:
    source, rows = fitted(name)
    proof = cw.prove_import(cw.import_model(source), source, rows, most=800)
    assert not proof.different, str(proof)
    assert proof.given == len(rows)
    assert proof.made >= (3 if name.startswith("categories") else 80)  # of three values, all
    assert proof.largest <= 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_the_shares_are_those_of_the_origin_itself(name: str) -> None:
    source, rows = fitted(name)
    model = cw.import_model(source)
    if model.is_numeric:
        theirs = source.predict(rows)
        assert np.abs(cw.predict(model, rows) - theirs).max() <= 1e-12 * (1 + np.abs(theirs).max())
    else:
        assert np.abs(cw.shares(model, rows) - source.predict_proba(rows)).max() <= 1e-12
        assert cw.predict(model, rows).tolist() == source.predict(rows).tolist()


def test_cells_beside_a_threshold_decide_as_in_single_precision() -> None:
    source = DecisionTreeClassifier(random_state=0).fit(NUMBERS[["pay"]], TWO)
    model = cw.import_model(source)
    assert isinstance(model, cw.Tree)
    splits = source.tree_.threshold[source.tree_.children_left >= 0]
    single = splits.astype(np.float32)
    beside = [np.nextafter(splits, to) for to in (-9.0, 9.0)]
    beside += [np.nextafter(single, np.float32(to)).astype(np.float64) for to in (-9, 9)]
    cells = np.concatenate([splits, single.astype(np.float64), *beside])
    between = cells[:, None] + np.linspace(-3e-8, 3e-8, 61)
    frame = pd.DataFrame({"pay": between.ravel()})
    assert len(frame) > 3_000
    assert cw.predict(model, frame).tolist() == source.predict(frame).tolist()


def test_empty_cells_go_where_scikit_learn_sends_them() -> None:
    holes = NUMBERS.assign(age=np.where(np.arange(len(NUMBERS)) % 7 == 0, np.nan, NUMBERS["age"]))
    source = DecisionTreeClassifier(max_depth=1).fit(holes, np.isnan(holes["age"]) | (holes["age"] > 75))
    model = cw.import_model(source)
    assert "or missing" in " ".join(map(str, [model.condition(1), model.condition(2)]))  # type: ignore[union-attr]
    assert cw.predict(model, [{"age": None}]).tolist() == [str(source.predict(holes.iloc[:1])[0])]


def test_counts_are_the_rows_of_each_leaf() -> None:
    model = cw.import_model(DecisionTreeClassifier(max_depth=2, random_state=0).fit(NUMBERS, TWO))
    assert isinstance(model, cw.Tree)
    assert model.nodes.counts[0].tolist() == [np.sum(TWO == "no"), np.sum(TWO == "yes")]
    assert model.measure == "gini"
    assert model.score_names == ("decrease",)


def test_an_encoder_in_front_is_undone_into_the_users_own_columns() -> None:
    source, _ = fitted("tree behind")
    model = cw.import_model(source, target="answer")
    assert {each.name: type(each).__name__ for each in model.schema} == {
        "town": "Nominal", "age": "Numeric", "pay": "Numeric", "kind": "Numeric",
    }  # fmt: skip
    assert model.schema["town"] == cw.Nominal("town", ("Bern", "Oslo", "Rome"))
    assert model.schema.target == cw.Nominal("answer", ("maybe", "no", "yes"))


def test_an_array_gets_the_names_that_are_given() -> None:
    source = DecisionTreeClassifier().fit(NUMBERS.to_numpy(), np.arange(len(NUMBERS)) % 2)
    model = cw.import_model(source, columns=["a", "b", "c"], classes=["even", "odd"], target="place")
    assert list(model.schema.positions) == ["a", "b", "c"]
    assert model.schema.classes == ("even", "odd")
    assert [each.name for each in cw.import_model(source).schema] == ["x0", "x1", "x2"]
    assert cw.prove_import(model, source, columns=["a", "b", "c"]).holds


def test_codes_get_the_values_that_are_given() -> None:
    codes = NUMBERS[["kind", "age"]]
    source = RandomForestClassifier(5, random_state=0).fit(codes, THREE)
    values = {"kind": ["red", "green", "blue", "grey"]}
    model = cw.import_model(source, values=values)
    named = codes.assign(kind=[values["kind"][int(each)] for each in codes["kind"]])
    assert np.abs(cw.shares(model, named) - source.predict_proba(codes)).max() == 0
    assert cw.prove_import(model, source, named, values=values).holds


def test_a_transformer_without_columns_makes_none() -> None:
    front = make_column_transformer((OneHotEncoder(), []), remainder="passthrough")
    source = make_pipeline(front, DecisionTreeClassifier()).fit(NUMBERS, TWO)
    assert cw.prove_import(cw.import_model(source), source, NUMBERS).holds


def test_a_tree_that_asks_nothing_is_proven_too() -> None:
    source = DecisionTreeClassifier(max_depth=1, min_samples_leaf=150).fit(NUMBERS, TWO)
    model = cw.import_model(source)
    assert isinstance(model, cw.Tree)
    assert model.leaves == 1
    assert cw.prove_import(model, source, NUMBERS).given == len(NUMBERS)


def test_weights_against_no_value_answer_one_that_was_never_met() -> None:
    source, _ = fitted("weights behind")
    model = cw.import_model(source)
    row = {"town": "Lima", "age": 40.0, "pay": 0.1, "kind": 1.0}
    assert np.abs(cw.shares(model, [row]) - source.predict_proba(pd.DataFrame([row]))).max() <= 1e-12


def test_an_infrequent_category_is_one_of_a_set() -> None:
    towns = MIXED["town"].where(np.arange(len(MIXED)) > 5, "Lima").where(np.arange(len(MIXED)) > 2, "Kyiv")
    rows = pd.DataFrame({"town": towns})
    encoder = OneHotEncoder(min_frequency=10, handle_unknown="infrequent_if_exist")
    for last in (LogisticRegression(), DecisionTreeClassifier()):
        source = make_pipeline(encoder, last).fit(rows, THREE)
        assert cw.prove_import(cw.import_model(source), source, rows).holds


def with_attribute(estimator: Any, **attributes: Any) -> Any:
    """The estimator as another version of scikit-learn would have left it."""
    vars(estimator).update(attributes)
    return estimator


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (lambda: make_pipeline(PCA(2), DecisionTreeClassifier()).fit(NUMBERS, TWO), "The step PCA in front"),
        (
            lambda: AdaBoostRegressor().fit(NUMBERS, AMOUNTS),
            "AdaBoostRegressor is no model .* weighted median",
        ),
        (
            lambda: LinearRegression().fit(NUMBERS, AMOUNTS),
            "LinearRegression is no model .* DecisionTreeClass",
        ),
        (
            lambda: AdaBoostClassifier(GaussianNB()).fit(NUMBERS, TWO),
            "combines models of the class GaussianNB",
        ),
        (lambda: BaggingClassifier(GaussianNB()).fit(NUMBERS, TWO), "BaggingClassifier combines models of"),
        (
            lambda: make_pipeline(SimpleImputer(), GaussianNB()).fit(GAPS, TWO),
            "'age' is filled before GaussianNB",
        ),
        (
            lambda: make_pipeline(SimpleImputer(), MultinomialNB()).fit(GAPS.abs(), TWO),
            "before MultinomialNB",
        ),
        (lambda: SVC().fit(NUMBERS, TWO), "SVC is no model"),
        (lambda: DecisionTreeClassifier(), "DecisionTreeClassifier is not fitted"),
        (
            lambda: RidgeClassifier().fit(NUMBERS, TWO),
            "RidgeClassifier is no model .* no probabilities of its own: .* Fit LogisticRegression instead",
        ),
        (lambda: LinearSVC().fit(NUMBERS, TWO), "LinearSVC is no model .* Fit LogisticRegression instead"),
        (lambda: SGDClassifier().fit(NUMBERS, TWO), "loss='hinge'. has no probabilities .* loss='log_loss'"),
        (
            lambda: SGDClassifier(loss="log_loss").fit(NUMBERS, THREE),
            "tells each class from the rest by itself; .* Fit LogisticRegression instead",
        ),
        (
            lambda: make_pipeline(MinMaxScaler(clip=True), LogisticRegression()).fit(NUMBERS, TWO),
            "of the number 'age' what is no line of it, but a linear model",
        ),
        (
            lambda: make_pipeline(
                make_column_transformer((Binarizer(), ["age"]), remainder="passthrough"), LogisticRegression()
            ).fit(NUMBERS, TWO),
            "of the number 'pay' itself beside others of intervals; .* Fit it to intervals of all",
        ),
        (
            lambda: make_pipeline(MinMaxScaler(clip=True), GaussianNB()).fit(NUMBERS, TWO),
            "of the number 'age' what is no line of it, but a normal distribution",
        ),
        (
            lambda: make_pipeline(
                KBinsDiscretizer(3, strategy="uniform"), Binarizer(), DecisionTreeClassifier()
            ).fit(NUMBERS, TWO),
            "columns are made of the number '.*', each 1 within an interval; .* encode='ordinal'",
        ),
        (
            lambda: make_pipeline(
                KBinsDiscretizer(3, encode="ordinal", dtype=np.float32), DecisionTreeClassifier()
            ).fit(NUMBERS, TWO),
            r"KBinsDiscretizer\(dtype=float32\) rounds numbers .* Fit it without dtype",
        ),
        (
            lambda: with_attribute(LogisticRegression().fit(NUMBERS, TWO), multi_class="multinomial"),
            "of two classes has probabilities that depend on the version .* Fit it without multi_class",
        ),
        (
            lambda: make_pipeline(
                ColumnTransformer([("a", MinMaxScaler(), ["age"])], transformer_weights={"a": 2}),
                LogisticRegression(),
            ).fit(NUMBERS, TWO),
            "ColumnTransformer with transformer_weights is not read. Fit it without",
        ),
        (
            lambda: make_pipeline(
                FunctionTransformer(partial(check_array, dtype=np.int64)), LogisticRegression()
            ).fit(NUMBERS, TWO),
            "a function of your own",
        ),
        (
            lambda: FeatureUnion([("a", MinMaxScaler())], transformer_weights={"a": 2}).fit(NUMBERS),
            "FeatureUnion is no model",
        ),
        (
            lambda: make_pipeline(
                FeatureUnion([("a", MinMaxScaler())], transformer_weights={"a": 2}), DecisionTreeClassifier()
            ).fit(NUMBERS, TWO),
            "FeatureUnion with transformer_weights is not read. Fit it without",
        ),
        (
            lambda: BernoulliNB(binarize=None).fit(NUMBERS > 1, TWO),
            "multiplies by numbers that are neither 0 nor 1; .* Set binarize=0.0",
        ),
        (lambda: BernoulliNB(binarize=3.0).fit(NUMBERS, TWO), "Subtract it from the columns"),
        (lambda: GaussianNB(var_smoothing=0).fit(NUMBERS * 0, TWO), "A variance of this GaussianNB is 0"),
        (
            lambda: make_pipeline(FunctionTransformer(np.abs), DecisionTreeClassifier()).fit(NUMBERS, TWO),
            "a function of your own",
        ),
        (
            lambda: DecisionTreeClassifier().fit(NUMBERS, np.stack([TWO, THREE], axis=1)),
            "predicts 2 targets at once",
        ),
    ],
)
def test_what_cannot_be_said_is_refused_in_a_sentence(source: Any, sentence: str) -> None:
    with pytest.raises(ModelFileError, match=sentence):
        cw.import_model(source())


def test_empty_cells_that_two_imputers_fill_otherwise_add_what_both_do() -> None:
    fills = [("zero", SimpleImputer(strategy="constant", fill_value=0.0)), ("mean", SimpleImputer())]
    source = make_pipeline(FeatureUnion(fills), LogisticRegression(max_iter=5000)).fit(GAPS, TWO)
    model = cw.import_model(source)
    assert np.abs(cw.shares(model, GAPS) - source.predict_proba(GAPS)).max() < 1e-12
    assert cw.prove_import(model, source, GAPS).holds


WORDS = pd.DataFrame({"word": [*"abbbbccccdd", None] * 40}, dtype=object).head(len(TWO))
NANS = WORDS.fillna(np.nan)
TAKES_ALL = {"handle_unknown": "use_encoded_value", "unknown_value": -1}


@pytest.mark.parametrize(
    ("encoder", "rows"),
    [
        (lambda: OrdinalEncoder(**TAKES_ALL), WORDS),  # None is a category like others
        (lambda: OrdinalEncoder(**TAKES_ALL, encoded_missing_value=-7), NANS),
        (lambda: OrdinalEncoder(**TAKES_ALL, min_frequency=30), WORDS),
        (lambda: OrdinalEncoder(**TAKES_ALL, min_frequency=30, encoded_missing_value=-7), NANS),
        (lambda: OneHotEncoder(handle_unknown="warn", min_frequency=30), NANS),
        (
            lambda: make_pipeline(
                OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan),
                SimpleImputer(strategy="constant", fill_value=9.0),
            ),
            NANS,
        ),
    ],
)
def test_empty_rare_and_new_values_have_the_codes_that_the_encoder_gives(
    encoder: Callable[[], Any], rows: pd.DataFrame
) -> None:
    for end in (LogisticRegression(), DecisionTreeClassifier(random_state=0)):
        source = make_pipeline(encoder(), end).fit(rows, TWO)
        model = cw.import_model(source)
        asked = pd.DataFrame({"word": [*rows["word"], "new"]}, dtype=object)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert np.abs(cw.shares(model, asked) - source.predict_proba(asked)).max() < 1e-12
            proof = cw.prove_import(model, source, asked)
        assert proof.holds, str(proof)
        assert not proof.refused


def test_an_imputer_fitted_to_single_precision_fills_so() -> None:
    source = make_pipeline(SimpleImputer(), LogisticRegression()).fit(GAPS.astype("float32"), TWO)
    assert cw.prove_import(cw.import_model(source), source, GAPS).holds


def test_a_class_of_others_by_the_same_name_is_refused() -> None:
    other = type("DecisionTreeClassifier", (DecisionTreeClassifier,), {"__module__": __name__})
    with pytest.raises(ModelFileError, match=r"test_scikit_learn\.DecisionTreeClassifier is no model"):
        cw.import_model(other().fit(NUMBERS, TWO))
    scaler = type("StandardScaler", (StandardScaler,), {"__module__": __name__})
    with pytest.raises(ModelFileError, match=r"The step .*test_scikit_learn\.StandardScaler in front"):
        cw.import_model(make_pipeline(scaler(), LogisticRegression()).fit(NUMBERS, TWO))


def test_a_column_that_never_varied_is_warned_of() -> None:
    source = GaussianNB().fit(NUMBERS.assign(same=3.0), TWO)
    with pytest.warns(ClearwoodWarning, match="The column 'same' hardly varied"):
        model = cw.import_model(source)
    rows = NUMBERS.assign(same=3.0)
    assert np.abs(cw.shares(model, rows) - source.predict_proba(rows)).max() < 1e-12
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cw.import_model(GaussianNB().fit(NUMBERS, TWO))


def same_in_both_classes() -> tuple[Any, Any]:
    """A column with the same mean and variance in both classes, so that only the other one tells."""
    rows = NUMBERS.assign(age=np.arange(len(NUMBERS)) // 2 % 2.0)[["age", "pay"]]
    return GaussianNB().fit(rows, np.where(np.arange(len(rows)) % 2, "yes", "no")), rows


def test_rows_whose_logs_are_too_large_to_tell_classes_apart_are_counted_and_not_compared() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        never = NUMBERS.assign(same=3.0)
        constant = GaussianNB().fit(never, TWO)
        for source, rows in ((constant, never), same_in_both_classes()):
            model = cw.import_model(source)
            far = rows.assign(**{rows.columns[-1 if source is constant else 0]: 1e12})
            proof = cw.prove_import(model, source, pd.concat([rows, far.head(3)]))
            assert proof.holds, str(proof)
            assert (proof.given, proof.offered) == (len(rows), len(rows) + 3)
            assert proof.made > 50
    assert "so that its probabilities have lost their digits" in str(proof)


def test_what_is_compared_still_finds_a_bell_that_is_off() -> None:
    source, rows = same_in_both_classes()
    model = cw.import_model(source)
    source.theta_ += [[0.0, 1e-6], [0.0, 0.0]]
    assert not cw.prove_import(model, source, rows).holds


def test_weights_without_a_penalty_are_known_as_such() -> None:
    free, held = (LogisticRegression(C=each, max_iter=300).fit(NUMBERS, TWO) for each in (np.inf, 1.0))
    assert not sure(LinearModel, cw.import_model(free)).penalised
    assert sure(LinearModel, cw.import_model(held)).penalised


def test_every_estimator_and_step_that_is_read_is_tried() -> None:
    tried = set()
    for name in NAMES:
        waiting = [fitted(name)[0]]
        while waiting:
            each = waiting.pop()
            tried.add(type(each).__name__)
            waiting += [
                step for _, step in getattr(each, "steps", ()) or getattr(each, "transformer_list", ())
            ]
            waiting += [step for _, step, _ in getattr(each, "transformers_", ())]
    read = {each for group in READ for each in group.names}
    assert not read - tried - {"ExtraTreeRegressor"}
    assert not set(STEPS) - set(SELECTORS) - tried - {"FunctionTransformer"}


def test_a_column_whose_values_no_selector_keeps_is_still_asked_by_one_of_them() -> None:
    front = make_column_transformer((OneHotEncoder(), ["town"]), remainder="passthrough")
    source = make_pipeline(front, SelectKBest(k=1), LogisticRegression()).fit(MIXED, TWO)
    model = cw.import_model(source)
    assert list(model.schema.positions) == ["pay"]
    assert cw.prove_import(model, source, MIXED).given == len(MIXED)


def test_intervals_that_are_weighed_are_curves_whose_steps_are_where_the_origin_has_them() -> None:
    bins = KBinsDiscretizer(3, strategy="uniform")
    source = make_pipeline(bins, LogisticRegression()).fit(NUMBERS, TWO)
    model = cw.import_model(source)
    assert isinstance(model, cw.AdditiveModel)
    edges = bins.bin_edges_[0][1:-1]
    assert model["age"].cuts == tuple(np.nextafter(edges, -np.inf).tolist())
    weights = source[-1].coef_[0, :3].tolist()
    assert model["age"].points == ((*weights, 0.0, 0.0),)
    for edge in edges:
        rows = NUMBERS.head(2).assign(age=[edge, np.nextafter(edge, -np.inf)])
        assert np.abs(cw.shares(model, rows) - source.predict_proba(rows)).max() <= 1e-15


def test_a_bag_knows_the_rows_that_it_was_fitted_to() -> None:
    source, rows = fitted("bag")
    model = cw.import_model(source)
    assert model.origin.rows == len(rows)
    table = cw.read_table(rows.assign(target=THREE), target="target")
    assert cw.with_profile(model, table).profile is not None


def test_wrong_names_are_refused_in_a_sentence() -> None:
    source = DecisionTreeClassifier().fit(NUMBERS, TWO)
    with pytest.raises(SettingError, match="reads 3 columns, but 1 is named"):
        cw.import_model(source, columns=["a"])
    with pytest.raises(SettingError, match="tells 2 classes apart, but 1 is named"):
        cw.import_model(source, classes=["a"])
    with pytest.raises(SettingError, match="No column 'peyy'"):
        cw.import_model(source, values={"peyy": ["a"]})
    with pytest.raises(SettingError, match="An object of the class list cannot be imported"):
        cw.import_model([1, 2])


@pytest.mark.parametrize("table", ["iris", "glass", "diabetes", "breast_w", "credit_g"])
def test_trees_of_the_shared_tables_answer_alike(table: str) -> None:
    if table not in shared_data.NAMES:
        pytest.skip("no shared tables here")
    frame = pd.read_csv(shared_data.csv_path(table))
    target = shared_data.describe(table)["target"]
    inputs = frame.drop(columns=[target]).select_dtypes("number")
    for source in (DecisionTreeClassifier(random_state=0), RandomForestClassifier(5, random_state=0)):
        source.fit(inputs, frame[target].astype(str))
        proof = cw.prove_import(cw.import_model(source), source, inputs)
        assert proof.holds, str(proof)
        assert proof.largest == 0


def _models() -> dict[str, Model]:
    return {name: cw.import_model(fitted(name)[0]) for name in NAMES}


def test_every_imported_model_says_where_it_came_from_and_comes_back_from_its_file() -> None:
    for name, model in _models().items():
        text = to_json(model)
        again = from_json(text)
        assert to_json(again) == text, name
        assert model.origin.title.startswith("scikit-learn ")
        assert model.origin.after[0].program == "scikit-learn"  # type: ignore[union-attr]


def test_a_model_of_gaps_keeps_them(tmp_path: Any) -> None:
    source, _ = fitted("tree of gaps")
    cw.save(cw.import_model(source), tmp_path / "tree.json")
    loaded = cw.load(tmp_path / "tree.json")
    assert np.abs(cw.shares(loaded, GAPS) - source.predict_proba(GAPS)).max() == 0
