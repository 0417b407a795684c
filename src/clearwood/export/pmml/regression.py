"""PMML's RegressionModel: scores that are added up, and the link that makes shares or a number of them.

Softmax is taken for two classes also: it keeps the digits of the smaller share, which logit's 1 − p loses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from clearwood.export.pmml.deciding import NOTHING_BEHIND, SharesBehind, deciding_models, share_outputs
from clearwood.export.pmml.document import PmmlNames
from clearwood.export.pmml.expressions import number_text
from clearwood.export.pmml.xml import XmlElement, element
from clearwood.export.program.program import ModelProgram
from clearwood.models.ensemble import Link


@dataclass(frozen=True, slots=True)
class ScoreSum:
    """A score: where it begins, and the predictors that are added."""

    intercept: float = 0.0
    predictors: Sequence[XmlElement] = ()


def linked_models(
    scores: Sequence[ScoreSum],
    link: Link,
    schema: XmlElement,
    program: ModelProgram,
    names: PmmlNames,
    *,
    behind: SharesBehind = NOTHING_BEHIND,
    fields: Iterable[XmlElement] = (),
) -> list[XmlElement]:
    """A RegressionModel over derived `fields`, and what decides by its shares, if anything does."""
    match link:
        case "identity":
            return [_regression(schema, [], fields, [_table(scores[0])], "regression", None)]
        case "exp":
            return [_regression(schema, [], fields, [_table(scores[0])], "regression", "exp")]
        case "logistic":
            scores = (ScoreSum(), scores[0])
        case "softmax":
            pass
        case _:
            assert_never(link)
    tables = [_table(score, label) for score, label in zip(scores, program.classes, strict=True)]
    outputs = share_outputs(behind, program, names)
    made = _regression(schema, outputs, fields, tables, "classification", "softmax")
    return [made, *deciding_models(behind, program, names)]


def number_predictor(name: str, coefficient: float) -> XmlElement:
    """A field times a number."""
    return element("NumericPredictor", name=name, coefficient=number_text(coefficient))


def _table(score: ScoreSum, label: str | None = None) -> XmlElement:
    # PMML has numbers before values.
    predictors = sorted(score.predictors, key=lambda each: each.tag != "NumericPredictor")
    return element(
        "RegressionTable",
        *predictors,
        intercept=number_text(score.intercept),
        targetCategory=label,
    )


def _regression(
    schema: XmlElement,
    outputs: Sequence[XmlElement],
    fields: Iterable[XmlElement],
    tables: Sequence[XmlElement],
    function: str,
    method: str | None,
) -> XmlElement:
    derived = tuple(fields)
    return element(
        "RegressionModel",
        schema,
        *([element("Output", *outputs)] if outputs else []),
        *([element("LocalTransformations", *derived)] if derived else []),
        *tables,
        functionName=function,
        normalizationMethod=method,
    )
