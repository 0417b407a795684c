"""PMML's trees and rule sets answer as the specification says, with every way of missing values."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.errors import ModelFileError
from clearwood.models.model import Model
from clearwood.predicting.batch import predict_codes
from tests.importing.naive_pmml import (
    CLASSES,
    Document,
    document_of,
    random_document,
    random_rows,
    scored,
)

SINGLE = frozenset("x")


def imported(document: Document | str, folder: Path, **given: Any) -> Model:
    place = folder / "model.pmml"
    place.write_text(document if isinstance(document, str) else document.text, encoding="utf-8")
    return cw.import_model(place, **given)


def rows_of(document: Document, seed: int, count: int) -> list[dict[str, float | str | None]]:
    """Random rows, and some with numbers on the document's thresholds or beside them."""
    draw = random.Random(seed)
    rows = random_rows(seed, count)
    cuts = [float(each) for each in re.findall(r'value="(-?\d[\d.e-]*)"', document.text)]
    for row in rows[: count // 2]:
        for name in "xy":
            if row[name] is not None and cuts:
                cut = draw.choice(cuts)
                single = np.float32(cut)
                near = (
                    cut,
                    np.nextafter(cut, 9),
                    np.nextafter(cut, -9),
                    single,
                    np.nextafter(single, single + 1),
                )
                row[name] = float(draw.choice(near))
    return rows


def assert_alike(document: Document, model: Model, rows: list[dict[str, float | str | None]]) -> None:
    codes, shares = predict_codes(model, rows), cw.shares(model, rows)
    for place, row in enumerate(rows):
        expected = scored(document, row, SINGLE)
        if expected is None:
            assert codes[place] == -1, row
            continue
        ours = dict(zip(model.schema.classes, shares[place].tolist(), strict=True))
        assert max(abs(ours[name] - share) for name, share in expected[1].items()) <= 1e-12, row
        first, second = sorted(expected[1].values())[-2:][::-1]
        if first - second > 1e-12 or expected[1][expected[0]] < first:  # rounding may decide a tie of sums
            assert model.schema.classes[codes[place]] == expected[0], row


def test_random_trees_answer_as_the_specification_says(tmp_path: Path) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(80):
        document = random_document(seed)
        try:
            model = imported(document, tmp_path)
        except ModelFileError:
            kinds["refused"] += 1
            continue
        kinds[type(model).__name__] += 1
        assert_alike(document, model, rows_of(document, seed, 40))
    assert kinds["Tree"] > 25
    assert kinds["RuleList"] > 20
    assert kinds["refused"] < 16


@pytest.mark.long
def test_many_random_trees_answer_as_the_specification_says(tmp_path: Path) -> None:
    for seed in range(1000, 4000):
        document = random_document(seed)
        try:
            model = imported(document, tmp_path)
        except ModelFileError:
            continue
        assert_alike(document, model, rows_of(document, seed, 60))


# As R's pmml writes an rpart tree: surrogates, a default child, the last prediction where none holds.
RPART = """<Node id="1" score="no" recordCount="10" defaultChild="3"><True/>
<ScoreDistribution value="no" recordCount="6"/><ScoreDistribution value="yes" recordCount="4"/>
<Node id="2" score="no" recordCount="6"><CompoundPredicate booleanOperator="surrogate">
<SimplePredicate field="x" operator="lessThan" value="2.5"/>
<SimplePredicate field="y" operator="lessThan" value="0.5"/>
<SimpleSetPredicate field="c" booleanOperator="isIn"><Array n="2" type="string">"a" "b"</Array>
</SimpleSetPredicate>
</CompoundPredicate>
<ScoreDistribution value="no" recordCount="5"/><ScoreDistribution value="yes" recordCount="1"/></Node>
<Node id="3" score="yes" recordCount="4"><CompoundPredicate booleanOperator="surrogate">
<SimplePredicate field="x" operator="greaterOrEqual" value="2.5"/>
<SimplePredicate field="y" operator="greaterOrEqual" value="0.5"/>
<SimpleSetPredicate field="c" booleanOperator="isIn"><Array n="2" type="string">"c" "d"</Array>
</SimpleSetPredicate>
</CompoundPredicate>
<ScoreDistribution value="no" recordCount="1"/>
<ScoreDistribution value="yes" recordCount="3"/></Node></Node>"""


def test_surrogates_stand_in_as_in_rpart(tmp_path: Path) -> None:
    how = 'missingValueStrategy="defaultChild" noTrueChildStrategy="returnLastPrediction"'
    document = document_of(RPART, how)
    model = imported(document, tmp_path)
    assert isinstance(model, cw.Tree)
    assert len(model.surrogates(0)) == 2
    assert_alike(document, model, rows_of(document, 3, 400))


# As sklearn2pmml writes a tree: single precision by a derived field, siblings by True, scores at splits.
JPMML = """<LocalTransformations><DerivedField name="float(y)" optype="continuous" dataType="float">
<FieldRef field="y"/></DerivedField></LocalTransformations>
<Node score="no"><True/><ScoreDistribution value="no" recordCount="6"/>
<ScoreDistribution value="yes" recordCount="4"/>
<Node score="yes"><SimplePredicate field="float(y)" operator="lessOrEqual" value="0.1"/>
<ScoreDistribution value="no" recordCount="1"/><ScoreDistribution value="yes" recordCount="4"/></Node>
<Node score="no"><True/><ScoreDistribution value="no" recordCount="5"/>
<ScoreDistribution value="yes" recordCount="0"/>
</Node></Node>"""


def test_a_derived_field_of_single_precision_moves_the_threshold(tmp_path: Path) -> None:
    model = imported(document_of(JPMML, 'noTrueChildStrategy="returnLastPrediction"'), tmp_path)
    cells = [0.1, float(np.float32(0.1)), float(np.nextafter(np.float32(0.1), np.float32(1)))]
    middle = (cells[1] + cells[2]) / 2
    rows = [{"y": each} for each in (*cells, np.nextafter(middle, 0), np.nextafter(middle, 1), None)]
    expected = ["yes", "yes", "no", "yes", "no", "no"]
    assert cw.predict(model, rows).tolist() == expected


def test_a_formula_of_columns_is_refused_by_its_name(tmp_path: Path) -> None:
    formula = JPMML.replace('<FieldRef field="y"/>', '<NormContinuous field="y"/>')
    with pytest.raises(ModelFileError, match=r"SimplePredicate: the field 'float\(y\)' is no column"):
        imported(document_of(formula, ""), tmp_path)


REGRESSION = """<Node score="2.5"><True/>
<Node score="1.5" recordCount="4"><SimplePredicate field="x" operator="lessOrEqual" value="0.5"/></Node>
<Node score="4" recordCount="2">
<SimplePredicate field="x" operator="greaterThan" value="0.5"/></Node></Node>"""


def test_numbers_are_predicted_and_where_there_is_no_prediction_there_is_none(tmp_path: Path) -> None:
    rows = [{"x": 0.25}, {"x": 0.75}, {"x": None}]
    last = document_of(REGRESSION, 'noTrueChildStrategy="returnLastPrediction"', "regression")
    assert cw.predict(imported(last, tmp_path), rows).tolist() == [1.5, 4.0, 2.5]
    silent = imported(document_of(REGRESSION, "", "regression"), tmp_path)
    assert isinstance(silent, cw.RuleList)
    assert np.isnan(np.asarray(cw.predict(silent, rows), dtype=float)).tolist() == [False, False, True]


def test_a_replaced_empty_cell_follows_the_branch_of_what_replaces_it(tmp_path: Path) -> None:
    for value, expected in (("0.25", 1.5), ("7", 4.0)):
        document = document_of(REGRESSION, "", "regression", extra=f'missingValueReplacement="{value}"')
        assert cw.predict(imported(document, tmp_path), [{"x": None}]).tolist() == [expected]


AGGREGATED = """<Node score="no"><True/>
<Node score="no"><SimplePredicate field="x" operator="lessOrEqual" value="0.5"/>
<Node score="no"><SimplePredicate field="y" operator="lessOrEqual" value="0"/>
<ScoreDistribution value="no" recordCount="7"/><ScoreDistribution value="yes" recordCount="1"/></Node>
<Node score="yes"><SimplePredicate field="y" operator="greaterThan" value="0"/>
<ScoreDistribution value="no" recordCount="2"/><ScoreDistribution value="yes" recordCount="6"/></Node></Node>
<Node score="yes"><SimplePredicate field="x" operator="greaterThan" value="0.5"/>
<ScoreDistribution value="no" recordCount="1"/>
<ScoreDistribution value="yes" recordCount="9"/></Node></Node>"""


def test_rows_of_all_leaves_that_may_be_reached_are_added_up(tmp_path: Path) -> None:
    model = imported(document_of(AGGREGATED, 'missingValueStrategy="aggregateNodes"'), tmp_path)
    assert isinstance(model, cw.RuleList)
    assert model.matching == "vote"
    rows = [{"x": 0.1, "y": -1.0}, {"x": 0.1, "y": None}, {"x": None, "y": 1.0}, {"x": None, "y": None}]
    shares = cw.shares(model, rows)
    expected = [(7, 1), (9, 7), (3, 15), (10, 16)]
    assert shares[:, 0].tolist() == pytest.approx([a / (a + b) for a, b in expected], abs=1e-15)


RULES = """<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/><DataDictionary>
<DataField name="x" optype="continuous" dataType="double"/>
<DataField name="c" optype="categorical" dataType="string"><Value value="a"/><Value value="b"/></DataField>
<DataField name="play" optype="categorical" dataType="string"><Value value="no"/><Value value="yes"/>
</DataField>
</DataDictionary><RuleSetModel functionName="classification"><MiningSchema>
<MiningField name="x"/><MiningField name="c"/><MiningField name="play" usageType="target"/></MiningSchema>
<RuleSet defaultScore="no"><RuleSelectionMethod criterion="{criterion}"/>
<SimpleRule id="1" score="no" weight="0.4" recordCount="9">
<SimplePredicate field="x" operator="lessThan" value="5"/>
</SimpleRule>
<CompoundRule><SimplePredicate field="c" operator="equal" value="a"/>
<SimpleRule id="2" score="yes" weight="0.3">
<SimplePredicate field="x" operator="greaterThan" value="1"/></SimpleRule>
<SimpleRule id="3" score="yes" weight="0.9">
<SimplePredicate field="x" operator="lessThan" value="3"/></SimpleRule>
</CompoundRule></RuleSet></RuleSetModel></PMML>"""


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("firstHit", ["no", "no", "no", "yes", "no", "no"]),
        ("weightedSum", ["yes", "yes", "no", "yes", "no", "no"]),
        ("weightedMax", ["yes", "yes", "no", "yes", "no", "no"]),
    ],
)
def test_rule_sets_answer_by_the_first_hit_or_by_weights(
    criterion: str, expected: list[str], tmp_path: Path
) -> None:
    model = imported(RULES.format(criterion=criterion), tmp_path)
    assert isinstance(model, cw.RuleList)
    cells = [(0.5, "a"), (2.0, "a"), (4.0, "a"), (6.0, "a"), (2.0, "b"), (None, "a")]
    assert cw.predict(model, [{"x": x, "c": c} for x, c in cells]).tolist() == expected


def test_a_tie_of_scores_keeps_the_score_of_the_document(tmp_path: Path) -> None:
    document = document_of(
        '<Node score="yes"><True/><ScoreDistribution value="no" recordCount="3"/>'
        '<ScoreDistribution value="yes" recordCount="3"/></Node>',
        "",
    )
    model = imported(document, tmp_path)
    assert cw.predict(model, [{"x": 1.0, "y": 1.0, "c": "a"}]).tolist() == ["yes"]
    assert cw.shares(model, [{"x": 1.0, "y": 1.0, "c": "a"}])[0].tolist() == [0.5, 0.5, 0.0]


def test_names_may_be_given(tmp_path: Path) -> None:
    model = imported(
        document_of(RPART, 'missingValueStrategy="defaultChild"'),
        tmp_path, columns=["age", "pay", "town"], classes=["N", "Y", "M"], target="answer",
    )  # fmt: skip
    assert list(model.schema.positions) == ["age", "pay", "town"]
    assert model.schema.target == cw.Nominal("answer", ("N", "Y", "M"))


BOMB = """<!DOCTYPE PMML [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>"""
FILE = """<!DOCTYPE PMML [<!ENTITY a SYSTEM "file:///etc/hostname">]>"""


@pytest.mark.parametrize("doctype", [BOMB, FILE])
def test_a_document_type_is_refused_whatever_it_defines(doctype: str, tmp_path: Path) -> None:
    text = document_of(RPART, "").text.replace("<PMML", f"{doctype}<PMML", 1).replace("by hand", "&b;")
    with pytest.raises(ModelFileError, match="has a document type"):
        imported(text, tmp_path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('value="2.5"', 'value="many"'), "SimplePredicate: value must be a number, not 'many'"),
        (('value="2.5"', 'value="NaN"'), "must be a finite number"),
        (('value="2.5"', 'value="1_000"'), "SimplePredicate: value must be a number, not '1_000'"),
        (('value="2.5"', 'value="٣"'), "SimplePredicate: value must be a number, not '٣'"),
        (
            ("missingValueStrategy", 'missingValuePenalty="abc" missingValueStrategy'),
            "missingValuePenalty must be a number, not 'abc'",
        ),
        (('operator="lessThan"', 'operator="near"'), "the operator 'near' is not known"),
        (('field="x"', 'field="z"'), "the field 'z' is no column"),
        (('defaultChild="3"', 'defaultChild="9"'), "defaultChild '9' is no child"),
        (('score="yes"', 'score="perhaps"'), None),
        (
            ('booleanOperator="surrogate"', 'booleanOperator="xor"'),
            "CompoundPredicate: booleanOperator 'xor'",
        ),
        (("TreeModel", "NeuralNetwork"), "a NeuralNetwork is not read. Those that are: TreeModel,"),
        (('version="4.4"', 'version="3.2"'), "PMML 4 is read here, not PMML 3.2"),
        (('missingValueStrategy="defaultChild"', 'missingValueStrategy="guess"'), "'guess' is not known"),
        (("</Node>", ""), "no XML"),
        (('encoding="UTF-8"', 'encoding="UaF-8"'), "its encoding is not known. Save it as UTF-8."),
        (('encoding="UTF-8"', 'encoding="UTF-7"'), "its encoding is not known. Save it as UTF-8."),
        (('functionName="classification"', 'functionName="clustering"'), "the function 'clustering'"),
        (("<True/>", ""), "there must be one predicate, not 0"),
    ],
)
def test_what_is_wrong_with_a_document_is_said_with_its_place(
    change: tuple[str, str], sentence: str | None, tmp_path: Path
) -> None:
    text = document_of(RPART, 'missingValueStrategy="defaultChild"').text
    assert change[0] in text
    if sentence is None:
        assert CLASSES[0] in imported(text.replace(*change), tmp_path).schema.classes
        return
    with pytest.raises(ModelFileError, match=re.escape(sentence)):
        imported(text.replace(*change), tmp_path)


def test_a_document_in_utf_16_is_read(tmp_path: Path) -> None:
    document = document_of(RPART, 'missingValueStrategy="defaultChild"')
    place = tmp_path / "wide.pmml"
    place.write_bytes(document.text.replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16"))
    assert isinstance(cw.import_model(place), cw.Tree)


UNSEEN = """<Node score="no"><True/>
<Node score="yes"><CompoundPredicate booleanOperator="or"><SimplePredicate field="c" operator="isMissing"/>
<SimplePredicate field="c" operator="notEqual" value="a"/></CompoundPredicate></Node>
<Node score="maybe"><SimplePredicate field="x" operator="greaterThan" value="1"/></Node></Node>"""


def test_rules_are_not_made_of_what_holds_for_values_in_no_list(tmp_path: Path) -> None:
    # No condition of a rule holds for a value never met, not even "or missing", as the document's does.
    text = document_of(UNSEEN, 'missingValueStrategy="none"').text
    assert imported(text, tmp_path)
    as_is = text.replace('<MiningField name="c"/>', '<MiningField name="c" invalidValueTreatment="asIs"/>')
    with pytest.raises(ModelFileError, match="values of 'c' that are in no list"):
        imported(as_is, tmp_path)
    answered = as_is.replace('Strategy="none"', 'Strategy="none" noTrueChildStrategy="returnLastPrediction"')
    model = imported(answered, tmp_path)
    rows: list[dict[str, Any]] = [{"c": "never met", "x": 0.0}, {"c": None, "x": 2.0}, {"c": "a", "x": 2.0}]
    assert cw.predict(model, rows).tolist() == ["yes", "yes", "maybe"]


PRIORS = """<Targets><Target field="t" optype="categorical"><TargetValue value="no" priorProbability="1"/>
</Target></Targets>"""


def test_answers_for_rows_without_a_prediction_are_refused_where_there_may_be_such_rows(
    tmp_path: Path,
) -> None:
    text = document_of(RPART, 'missingValueStrategy="defaultChild"').text
    with_priors = text.replace("</MiningSchema>", f"</MiningSchema>{PRIORS}")
    # A tree that answers every row never needs them.
    assert isinstance(imported(with_priors, tmp_path), cw.Tree)
    for attribute in ("priorProbability", "defaultValue"):
        silent = with_priors.replace("defaultChild", "nullPrediction").replace("priorProbability", attribute)
        with pytest.raises(
            ModelFileError, match="is for rows without a prediction, which cannot be expressed here"
        ):
            imported(silent, tmp_path)
