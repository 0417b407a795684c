"""The importer of PMML documents: what is read, and what there is no model for."""

from __future__ import annotations

from typing import Final

from clearwood.importing.importer import Importer
from clearwood.importing.pmml.asking import ask_pmml
from clearwood.importing.pmml.reading import is_pmml, read_pmml

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
        ("`NaiveBayesModel` of bell curves, and of counts that are above 0", "Bayes tables"),
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
