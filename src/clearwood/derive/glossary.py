"""The letters that formulas use, each with its meaning: what a derivation lists after "where"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree

_OF_ROWS: Final = {
    "n": "the number of rows here",
    "n_c": "the number of rows of class c",
    "p_c": "the share of class c, n_c/n",
    "z": "the normal deviate of the interval",
}
_OF_TREES: Final = _OF_ROWS | {
    "S": "the set of rows here",
    "S_v": "the rows that follow branch v",
    "n_v": "the number of rows in S_v",
    "n_known": "the number of rows whose value is known",
    "N": "the number of rows that come here",
    "e": "the number of them that the leaf answers wrongly",
    "U(…)": "the errors added because so few rows were seen",
    "CF": "the confidence level of pruning",
    "p": "the share of the answer",
    "f": "the error rate, half an error added",
    "R_t": "the risk of the node as a leaf",
    "R_T": "the risk of the subtree below it",
    "MSE": "the mean squared error",
    "w": "the weight of a row",
    "y": "the value of a row",
    "O": "an observed count",
    "E": "the count expected under independence",
    "df": "the degrees of freedom, (rows − 1)·(columns − 1)",
    "B": "the Bonferroni factor",
    "S(…)": "the number of ways to divide things into groups (Stirling)",
    "I": "the number of categories before merging",
    "r": "the number of groups after merging",
    "n_row": "the number of rows in a cell's row",
    "n_class": "the number of rows of a cell's class",
    "cuts": "the number of candidate cuts",
    "gain_a": "the gain of attribute a",
}
_OF_RULES: Final = _OF_TREES | {
    "p": "the number of rows of the class that are covered",
    "t": "the number of all rows that are covered",
    "n": "the number of rows that are not of the class",
    "p_new": "p with the new condition",
    "t_new": "t with the new condition",
    "row": "the total of a cell's row",
    "column": "the total of a cell's column",
    "all": "the total of the table",
    "a": "the count where the condition holds, of the class",
    "b": "the count where it holds, of other classes",
    "c": "the count where it does not hold, of the class",
    "d": "the count where it does not hold, of other classes",
    "α": "the significance level",
    "j": "the number of conditions that are combined",
    "k": "how many are chosen",
    "rate": "the share that is expected",
    "expected_c": "the rows of class c expected by its share of all rows",
    "W": "the weight of the theory",
    "x": "the count where the condition holds, in the first column",
    "column_1": "the total of the first column",
    "column_2": "the total of the second column",
}
_OF_BAYES: Final = {
    "n": "the number of rows counted",
    "n_c": "the number of rows of class c",
    "N": "the number of rows of the class with a known value",
    "k": "the number of values of the attribute",
    "m": "the weight of the prior guess, in rows",
    "p": "the prior guess",
    "α": "what is added to each count",
    "x": "the value of a row",
    "h": "the bandwidth",
    "s": "the standard deviation",
    "w_i": "the weight of row i",
    "x_i": "the value of row i",
}
_OF_WEIGHTS: Final = {
    "n": "the number of rows",
    "n_c": "the number of rows of class c",
    "w_0": "the intercept",
    "w_i": "the weight of term i",
    "x_i": "the value of term i",
    "z": "the weight in standard errors",
}

_OF_ENSEMBLES: Final = {
    "n": "the number of rows",
    "n_wrong": "the number of rows that are answered wrongly",
    "n_out": "the number of rows that were not drawn",
    "p_i": "what is answered for row i",
    "K": "the number of classes",
    "w_i": "the weight of row i",
    "a": "the weight of a member",
    "err": "the weighted part of the rows that a member answers wrongly",
    "α": "the weight of a member as textbooks have it for two classes",
    "Z": "what the new weights add up to before they are divided by it",
    "ν": "the learning rate",
    "λ": "the penalty on squares of steps",
    "λ₁": "the penalty on the size of steps",
    "M": "the number of members",
    "a_m": "the weight of member m",
    "p_m": "what member m answers: its share of the class, or its number",
    "F_0": "the score before the first tree",
    "f_m": "the step of tree m",
    "F": "the score",
    "F_c": "the score of class c",
    "y_i": "the value of row i",
    "g_i": "the first derivative of the loss at the score of row i, by its weight",
    "h_i": "the second derivative there, by its weight",
    "G": "the sum of g over the rows of a leaf",
    "H": "the sum of h over them",
    "T(G)": "G moved towards 0 by λ₁",
    "loss_i": "the loss of row i, by its weight",
    "n_c": "the number of rows of class c",
    "p_c": "the share of class c",
    "S": "the rows here, each as often as it was drawn",
    "n_v": "the number of them that follow branch v",
    "d_v": "what these are above the mean, added up",
}

_OF_CURVES: Final = {
    "f": "the points of a column's curve at the row's cell",
    "F": "the score: the base and the points of every curve",
    "F_c": "the score of class c",
    "p": "the probability of a class",
    "p_c": "the probability of class c by the link",
    "factor_c": "what the priors make of one row of class c",
    "G": "the sum of the loss's first derivatives over the drawn rows of a cell",
    "H": "the sum of its second derivatives there",
    "λ": "what is added to a leaf's second derivative",
    "ν": "the part of Newton's step that is taken",
    "B": "the number of bags",
}


def glossary_of(model: Model) -> Mapping[str, str]:
    """The meaning of each letter in the formulas of this kind of model.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> glossary_of(cw.NaiveBayes().learn(table))["k"]
    'the number of values of the attribute'
    """
    match model:
        case Tree():
            return _OF_TREES
        case RuleList():
            return _OF_RULES
        case BayesTables():
            return _OF_BAYES
        case LinearModel():
            return _OF_WEIGHTS
        case Ensemble():
            return _OF_ENSEMBLES
        case AdditiveModel():
            return _OF_CURVES
        case _:
            assert_never(model)
