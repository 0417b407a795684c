"""The importer of PMML documents: what is read, and what there is no model for."""

from __future__ import annotations

import io
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from clearwood.exporting.running.java import (
    jpmml_missing,
    jpmml_versions,
    number_from_java,
    packed_rows,
    packed_texts,
    run_with_jpmml,
    text_from_java,
)
from clearwood.files import text_beside
from clearwood.importing.asked_origin import BOUND, SINGLE_BOUND, AskedOrigin, OwnAnswers, RowCells
from clearwood.importing.given import GivenNames
from clearwood.importing.importer import Content, Importer
from clearwood.importing.pmml.reading import is_pmml, read_pmml
from clearwood.models.model import Model, RuleList
from clearwood.table.schema import Schema

# A PMML document's own answers: those of JPMML-Evaluator, where it is installed.


def ask_pmml(content: Content, model: Model, _: GivenNames) -> AskedOrigin:
    """JPMML-Evaluator, asked about a document."""
    because = jpmml_missing()
    if because:
        return AskedOrigin("JPMML-Evaluator", None, not_run=f"{because}; give its predictions")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what was warned of when the document was imported
        own = read_pmml(content, GivenNames()).schema
    named = dict(zip(own.positions, model.schema.positions, strict=True))
    # Rules may have no answer, as PMML may; of other models such rows are outside of what they can say.
    may_be_silent = isinstance(model, RuleList)

    def ask(rows: list[RowCells]) -> OwnAnswers:
        asked = [{theirs: row.get(ours) for theirs, ours in named.items()} for row in rows]
        answers = ask_engine(content, own, asked)
        silent = "" if may_be_silent else "There is no prediction."
        refused = [each.refused or (silent if each.answer is None else "") for each in answers]
        if model.is_numeric:
            numbers = [np.nan if each.answer is None else float(each.answer) for each in answers]
            return OwnAnswers(np.array(numbers)[:, None], refused=refused)
        places = {name: place for place, name in enumerate(own.classes)}
        nothing = (0.0,) * len(own.classes)
        figures = np.array([each.shares or nothing for each in answers])
        codes = [-1 if each.answer is None else places[str(each.answer)] for each in answers]
        # Of rules it may give the class alone.
        has_shares = any(
            code >= 0 and not np.isnan(row).any() for code, row in zip(codes, figures, strict=True)
        )
        return OwnAnswers(figures if has_shares else None, codes, refused)

    # Sums in single precision, which XGBoost's documents ask for, are double ones here.
    bound = SINGLE_BOUND if b'x-mathContext="float"' in content.first(len(content.data)) else BOUND
    return AskedOrigin(engine_name(), ask, bound, at_once=True)


IMPORTER: Final = Importer(
    is_pmml,
    read_pmml,
    ask_pmml,
    reads=(
        ("`TreeModel`", "a tree, or rules where PMML gives no prediction"),
        ("`RuleSetModel` by `firstHit`, `weightedSum` or `weightedMax`", "rules"),
        (
            "`MiningModel` of trees by `average`, `weightedAverage`, `majorityVote`, `weightedMajorityVote`",
            "an ensemble: the mean, or votes",
        ),
        (
            "`MiningModel` of trees by `sum` or `weightedSum`, alone or in a `modelChain` with a "
            "`RegressionModel` (`logit`, `softmax`, `exp`)",
            "an ensemble: a sum of steps, with its link",
        ),
        ("`MiningModel` of trees by `selectFirst`", "a tree"),
        ("`RegressionModel` of classes by `logit` or `softmax`", "a linear model"),
        ("`NaiveBayesModel` of normal distributions, and of counts that are above 0", "Bayes tables"),
    ),
    refuses=(
        (
            "`Scorecard`, `GeneralRegressionModel`, `NeuralNetwork` and other models, and a "
            "`RegressionModel` of numbers",
            "there is no such model here",
        ),
        (
            "`median`, `weightedMedian`, `max` and other ways to combine; segments with predicates but in "
            "`selectFirst`",
            "the same",
        ),
        (
            "derived fields of several columns, or by logarithms, powers and the document's own functions; "
            "counts of 0 with a threshold",
            "a condition here asks one column, with thresholds that are exact",
        ),
        (
            "`Targets` with `min`, `max`, `castInteger`; with `priorProbability` or `defaultValue`, but "
            "of a tree that predicts every row",
            "no model here changes its predictions so",
        ),
        (
            "exports of Clearwood's own in derived fields: C4.5, ID3, Naive Bayes, GAM, votes with a cutoff",
            "they are formulas; load the model's JSON instead",
        ),
    ),
)


# JPMML-Evaluator's own answers to rows of a PMML document.


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """A class or number, None without a prediction; shares by class, NaN where it gives none; or why the
    row is refused."""

    answer: str | float | None
    shares: tuple[float, ...] = ()
    refused: str = ""


def engine_name() -> str:
    """The engine, with its version."""
    return f"JPMML-Evaluator {jpmml_versions()['jpmml_evaluator']}"


def ask_engine(content: Content, schema: Schema, rows: Sequence[RowCells]) -> list[EngineAnswer]:
    """What the engine answers; `schema` has the document's own names."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "model.pmml").write_bytes(content.data)
        packed = packed_texts(schema.classes) + packed_rows(schema.attributes, rows)
        Path(folder, "rows").write_bytes(packed)
        run_with_jpmml(text_beside(__file__, "ask_pmml.java.in"), folder)
        answers = io.BytesIO(Path(folder, "answers").read_bytes())
    return [_unpacked(answers, schema) for _ in rows]


def _unpacked(answers: io.BytesIO, schema: Schema) -> EngineAnswer:
    """Of each row first a byte: 0 it was refused, 1 there is no prediction, 2 there is one. A refusal is a
    text."""
    status = answers.read(1)[0]
    if status == 0:
        return EngineAnswer(None, refused=text_from_java(answers) or "")
    if status == 1:
        return EngineAnswer(None)
    if not schema.classes:
        return EngineAnswer(number_from_java(answers))
    return EngineAnswer(text_from_java(answers), tuple(number_from_java(answers) for _ in schema.classes))
