"""PMML that others write of forests, boosted trees, regression and Naive Bayes answers as in JPMML-Evaluator.

The documents in `stored/pmml` were written by SkLearn2PMML 0.133.1 (see `make_pmml.py`), of models of
scikit-learn, LightGBM and XGBoost, but those `by_hand_…`, which have in a few lines what other programs
write of prepared cells; beside each are JPMML-Evaluator's answers to rows that hurt.
"""

from __future__ import annotations

import csv
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ClearwoodWarning, ModelFileError
from clearwood.exporting.running.java import jpmml_missing
from clearwood.models.model import Model

STORED = Path(__file__).parent / "stored" / "pmml"
DOCUMENTS = [each for each in sorted(STORED.glob("*.pmml")) if not each.stem.startswith("refused")]


def imported(place: Path) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClearwoodWarning)  # of empty cells, which has a test of its own
        return cw.import_model(place)


def written(text: str, folder: Path) -> Model:
    (folder / "model.pmml").write_text(text, encoding="utf-8")
    return imported(folder / "model.pmml")


@pytest.mark.parametrize("place", DOCUMENTS, ids=lambda each: each.stem)
def test_a_stored_document_answers_as_jpmml_did(place: Path) -> None:
    model = imported(place)
    with place.with_suffix(".csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) >= 20
    rows = [
        {
            each.name: None
            if not (cell := line[each.name])
            else float(cell)
            if isinstance(each, cw.Numeric)
            else cell
            for each in model.schema.inputs
        }
        for line in lines
    ]
    single = 'x-mathContext="float"' in place.read_text("utf-8")
    bound = 1e-6 if single else 1e-12
    if model.is_numeric:
        theirs = np.array([float(line["answer"]) for line in lines])
        ours = np.asarray(cw.predict(model, rows), dtype=np.float64)
        assert (np.abs(ours - theirs) <= bound * (1 + np.abs(theirs))).all()
    else:
        shares = [[float(line[f"share of {each}"]) for each in model.schema.classes] for line in lines]
        assert np.abs(cw.shares(model, rows) - np.array(shares)).max() <= bound
        assert cw.predict(model, rows).tolist() == [line["answer"] for line in lines]


@pytest.mark.prove
@pytest.mark.parametrize("place", DOCUMENTS, ids=lambda each: each.stem)
def test_jpmml_itself_answers_every_row_alike(place: Path) -> None:
    proof = cw.prove_import(imported(place), place)
    if proof.not_run:
        pytest.skip(proof.not_run)
    assert proof.holds, str(proof)
    assert proof.made > 50


@pytest.mark.prove
@pytest.mark.skipif(bool(jpmml_missing()), reason=jpmml_missing())
def test_a_document_that_was_changed_is_found_out_by_jpmml(tmp_path: Path) -> None:
    text = (STORED / "histograms.pmml").read_text("utf-8")
    model = written(text, tmp_path)
    (tmp_path / "other.pmml").write_text(text.replace('rescaleConstant="-0.', 'rescaleConstant="-1.'))
    assert not cw.prove_import(model, tmp_path / "other.pmml").holds


@pytest.mark.parametrize(
    ("name", "kind", "combined"),
    [
        ("forest", cw.Ensemble, "mean"),
        ("boosting", cw.Ensemble, "sum"),
        ("xgboost_dart", cw.Ensemble, "sum"),
        ("logistic", cw.LinearModel, None),
        ("bells", cw.BayesTables, None),
        ("tree", cw.RuleList, None),  # which has no answer where a cell is empty
    ],
)
def test_a_document_becomes_the_model_that_it_is(name: str, kind: type, combined: str | None) -> None:
    model = imported(STORED / f"{name}.pmml")
    assert isinstance(model, kind)
    assert getattr(model, "combined_by", None) == combined
    assert model.origin.title.startswith("PMML ")


def test_a_number_that_counts_as_an_empty_cell_goes_its_way() -> None:
    model = imported(STORED / "by_hand_prepared.pmml")
    row = {"age": 25, "income": None, "debt": 0, "score": 1, "job": "clerk", "town": "Rome"}
    as_empty = cw.shares(model, [row, row | {"income": -1}, row | {"income": -2}])
    assert as_empty[0].tolist() == as_empty[1].tolist() != as_empty[2].tolist()


def test_where_a_number_that_counts_as_empty_cannot_be_said_it_is_refused(tmp_path: Path) -> None:
    text = (STORED / "by_hand_filled.pmml").read_text("utf-8")
    plain = '<DataField name="fever" optype="continuous" dataType="double"/>'
    marked = plain.replace("/>", '><Value value="-9" property="missing"/></DataField>')
    assert plain in text
    with pytest.raises(ModelFileError, match="numbers that count as an empty cell or as others"):
        written(text.replace(plain, marked), tmp_path)


def test_an_ensemble_that_answers_empty_cells_where_the_document_does_not_says_so() -> None:
    with pytest.warns(ClearwoodWarning, match="3 of 3 trees give no prediction where a cell"):
        cw.import_model(STORED / "forest.pmml")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("refused_medians", "the multipleModelMethod 'weightedMedian' of a regression cannot be said here"),
        ("refused_line", "RegressionModel: a line of numbers is not read"),
    ],
)
def test_what_does_not_map_is_refused_by_its_name(name: str, sentence: str) -> None:
    with pytest.raises(ModelFileError, match=sentence):
        cw.import_model(STORED / f"{name}.pmml")


@pytest.mark.parametrize(
    ("name", "old", "new", "sentence"),
    [
        ("forest", "<TreeModel", "<NeuralNetwork", "no XML"),
        ("forest", 'multipleModelMethod="average"', 'multipleModelMethod="median"', "'median' of a class"),
        ("forest", "returnMissing", "skipSegment", "are left out"),
        (
            "boosting",
            'normalizationMethod="logit"',
            'normalizationMethod="probit"',
            "'probit' cannot be said",
        ),
        ("boosting", "<NumericPredictor name=", '<NumericPredictor exponent="2" name=', "only a score of"),
        ("boosting", 'rescaleFactor="0.1"', 'castInteger="round"', "a target that is rescaled"),
        ("boosting", 'isFinalResult="false"', 'feature="entityId"', "hands on its number as it is"),
        ("logistic", 'function="/"', 'function="pow"', r"the field 'standardScaler\(age\)' is no column"),
        ("logistic", 'normalizationMethod="logit"', 'normalizationMethod="cloglog"', "'cloglog' is not read"),
        (
            "logistic",
            'value="Bern" coef',
            'value="Nowhere" coef',
            "'Nowhere' is no value of the column 'town'",
        ),
        ("bells", 'threshold="0.0"', 'threshold="0.1"', "with threshold 0"),
        ("bells", "GaussianDistribution", "PoissonDistribution", "only a GaussianDistribution"),
        ("lightgbm", "MapValues", "Discretize", "a formula of columns cannot be asked"),
    ],
)
def test_a_document_that_says_more_is_refused_in_a_sentence(
    name: str, old: str, new: str, sentence: str, tmp_path: Path
) -> None:
    text = (STORED / f"{name}.pmml").read_text("utf-8")
    assert old in text
    with pytest.raises(ModelFileError, match=sentence):
        written(text.replace(old, new), tmp_path)


def test_a_majority_votes_by_the_classes_of_its_trees(tmp_path: Path) -> None:
    text = (STORED / "bagging.pmml").read_text("utf-8").replace('Method="average"', 'Method="majorityVote"')
    model = written(text, tmp_path)
    assert isinstance(model, cw.Ensemble)
    assert model.combined_by == "votes"
    row = {"age": 30.0, "pay": 0.1, "kind": 1.0}
    votes = [str(cw.predict(each, [row])[0]) for each in model.members]
    shares = cw.shares(model, [row])[0].tolist()
    assert shares == [votes.count(each) / 3 for each in model.schema.classes]


@pytest.mark.prove
@pytest.mark.skipif(bool(jpmml_missing()), reason=jpmml_missing())
@pytest.mark.parametrize("method", ["majorityVote", "weightedMajorityVote", "weightedAverage"])
def test_other_ways_to_combine_are_those_of_jpmml(method: str, tmp_path: Path) -> None:
    text = (STORED / "bagging.pmml").read_text("utf-8").replace('Method="average"', f'Method="{method}"')
    for place in (1, 2, 3):
        text = text.replace(f'<Segment id="{place}">', f'<Segment id="{place}" weight="{place}.5">')
    model = written(text, tmp_path)
    proof = cw.prove_import(model, tmp_path / "model.pmml")
    assert proof.holds, str(proof)


CHOSEN = """<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/>
<DataDictionary><DataField name="x" optype="continuous" dataType="double"/>
<DataField name="c" optype="categorical" dataType="string"><Value value="a"/><Value value="b"/></DataField>
<DataField name="y" optype="continuous" dataType="double"/></DataDictionary>
<MiningModel functionName="regression"><MiningSchema><MiningField name="x"/><MiningField name="c"/>
<MiningField name="y" usageType="target"/></MiningSchema><Segmentation multipleModelMethod="selectFirst">
<Segment><SimplePredicate field="c" operator="equal" value="b"/>{tree}</Segment>
<Segment><CompoundPredicate booleanOperator="and">
<SimplePredicate field="x" operator="greaterThan" value="3"/>
<SimplePredicate field="c" operator="notEqual" value="b"/></CompoundPredicate>{other}</Segment>
<Segment><True/>{last}</Segment></Segmentation></MiningModel></PMML>"""
TREE = """<TreeModel functionName="regression" noTrueChildStrategy="returnLastPrediction"><MiningSchema>
<MiningField name="x"/><MiningField name="y" usageType="target"/></MiningSchema>
<Node score="{}"><True/><Node score="{}">
<SimplePredicate field="x" operator="lessOrEqual" value="{}"/></Node></Node></TreeModel>"""


def chosen() -> str:
    return CHOSEN.format(tree=TREE.format(1, 2, 5), other=TREE.format(3, 4, 7), last=TREE.format(5, 6, 0))


def test_the_first_segment_whose_predicate_holds_is_one_tree(tmp_path: Path) -> None:
    model = written(chosen(), tmp_path)
    assert isinstance(model, cw.Tree)
    rows: list[dict[str, Any]] = [
        {"c": "b", "x": 6.0}, {"c": "b", "x": 4.0}, {"c": "a", "x": 8.0}, {"c": "a", "x": 4.0},
        {"c": "a", "x": 1.0}, {"c": None, "x": 4.0}, {"c": None, "x": -1.0}, {"c": "b", "x": None},
        {"c": "a", "x": None},
    ]  # fmt: skip
    assert cw.predict(model, rows).tolist() == [1, 2, 3, 4, 5, 5, 6, 1, 5]


@pytest.mark.prove
@pytest.mark.skipif(bool(jpmml_missing()), reason=jpmml_missing())
def test_jpmml_chooses_the_same_segment(tmp_path: Path) -> None:
    model = written(chosen(), tmp_path)
    proof = cw.prove_import(model, tmp_path / "model.pmml")
    assert proof.holds, str(proof)


COUNTED = """<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/>
<DataDictionary><DataField name="c" optype="categorical" dataType="string">
<Value value="a"/><Value value="b"/></DataField>
<DataField name="y" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/>
</DataField></DataDictionary><NaiveBayesModel functionName="classification" threshold="0.01">
<MiningSchema><MiningField name="c"/><MiningField name="y" usageType="target"/></MiningSchema>
<BayesInputs><BayesInput fieldName="c">
<PairCounts value="a"><TargetValueCounts><TargetValueCount value="no" count="3"/>
<TargetValueCount value="yes" count="{}"/></TargetValueCounts></PairCounts>
<PairCounts value="b"><TargetValueCounts><TargetValueCount value="no" count="1"/>
<TargetValueCount value="yes" count="5"/></TargetValueCounts></PairCounts></BayesInput></BayesInputs>
<BayesOutput fieldName="y"><TargetValueCounts><TargetValueCount value="no" count="4"/>
<TargetValueCount value="yes" count="6"/></TargetValueCounts></BayesOutput></NaiveBayesModel></PMML>"""


def test_counts_of_values_are_read_unless_one_is_0(tmp_path: Path) -> None:
    model = written(COUNTED.format(1), tmp_path)
    no, yes = 0.4 * 3 / 4, 0.6 * 1 / 6
    expected = [[no / (no + yes), yes / (no + yes)], [0.4, 0.6]]
    assert np.abs(cw.shares(model, [{"c": "a"}, {"c": None}]) - np.array(expected)).max() <= 1e-12
    with pytest.raises(
        ModelFileError, match=r"never occurs with a class; PMML then takes the threshold \(0.01"
    ):
        written(COUNTED.format(0), tmp_path)


@pytest.mark.prove
@pytest.mark.skipif(bool(jpmml_missing()), reason=jpmml_missing())
def test_jpmml_counts_alike(tmp_path: Path) -> None:
    model = written(COUNTED.format(1), tmp_path)
    proof = cw.prove_import(model, tmp_path / "model.pmml")
    assert proof.holds, str(proof)


def test_a_document_without_an_engine_is_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    because = "Java's compiler (javac) is not installed"
    monkeypatch.setattr("clearwood.importing.pmml.importer.jpmml_missing", lambda: because)
    place = STORED / "bells.pmml"
    proof = cw.prove_import(imported(place), place)
    assert not proof.holds
    assert str(proof).startswith("Not run: Java's compiler (javac) is not installed")


SCORES_ALONE = """<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/>
<DataDictionary><DataField name="x" optype="continuous" dataType="double"/>
<DataField name="t" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/></DataField>
</DataDictionary>
<TreeModel functionName="classification" missingValueStrategy="lastPrediction"
noTrueChildStrategy="returnLastPrediction">
<MiningSchema><MiningField name="x"/><MiningField name="t" usageType="target"/></MiningSchema>
<Node score="no"><True/><Node score="no"><SimplePredicate field="x" operator="lessOrEqual" value="1"/></Node>
<Node score="yes"><SimplePredicate field="x" operator="greaterThan" value="1"/></Node></Node></TreeModel>
</PMML>"""


@pytest.mark.prove
@pytest.mark.skipif(bool(jpmml_missing()), reason=jpmml_missing())
def test_of_a_tree_without_distributions_jpmml_gives_classes_alone(tmp_path: Path) -> None:
    model = written(SCORES_ALONE, tmp_path)
    proof = cw.prove_import(model, tmp_path / "model.pmml")
    assert proof.holds, str(proof)
    assert proof.compared == "classes"
