"""The commands, in the panels and the order of the program's help, each with what it says of itself there.

A command is a file of its name here (`import_.py`, since Python keeps the word for itself): a dataclass,
whose fields are its options, and `run`, which does it. `run` and its helpers import what they work with,
so that help and completions need not wait for it.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Final

_LEARN: Final = {
    "fit": "Learn a model from a table, print it, say how good it is, and save it.",
    "choose": (
        "Evaluate readable learners alike on the same rows; say which is really better, and which to take."
    ),
    "tune": "Try settings of a learner in folds, choose, and learn with those chosen.",
    "distil": (
        "Learn a tree or rules that predict as a saved model does; say how often they do, and where not."
    ),
    "import": ("Read a model that another program made ({programs}), and prove that it predicts the same."),
    "select": "Rank the columns by what they tell about the target, and say which to keep.",
    "components": (
        "Join columns into a few components, and say what each is made of: numbers by PCA, values by MCA."
    ),
    "learners": "List the learners, pruners, selectors of columns and ways to balance with their settings.",
}
_LOOK: Final = {
    "show": "Print a saved model: a tree with counts, probabilities and intervals, rules, tables or weights.",
    "draw": "Draw a saved model: SVG, PNG or PDF, without Graphviz.",
    "look-over": (
        "Look a table over: copies, contradictions, leaks, identifiers, constants, change with time."
    ),
    "schema": "Show how each column is taken, and how to change that.",
    "rules": (
        "Read a tree as rules, score each of them, and simplify them by tests. --learner grows the tree."
    ),
    "stable-rules": "Find the short rules that recur in many trees of a forest, with how often they do.",
}
_EVALUATE: Final = {
    "evaluate": (
        "Evaluate a saved model on rows whose truth is known: every score with its interval, beside the "
        "baseline."
    ),
    "compare": "Compare models on the same rows, or learners by the same folds.",
    "calibration": (
        "Evaluate a model's probabilities on rows whose class is known: log loss, Brier score, reliability "
        "table."
    ),
    "learning-curve": (
        "Show how good learners are by the number of rows they learn from, by five folds or as asked."
    ),
    "bias-variance": (
        "Divide the error of learners into bias and variance, by models of many samples of the rows."
    ),
    "overfitting": (
        "Show the accuracy of a tree of each size on training and on other rows, also with noise."
    ),
    "stability": (
        "Learn again from resampled rows: how often do the root, the rules and the predictions change?"
    ),
    "audit": (
        "Check rules (overlaps, conflicts, gaps, dead and redundant rules, order), or where curves can go."
    ),
    "check": (
        "Check what is asserted of a model: exact for trees and rules, on rows for others. Ends with 1 if it "
        "fails."
    ),
    "diff": (
        "Say in which regions two models predict differently, how many rows lie there, what else changed."
    ),
}
_EXPLAIN: Final = {
    "explain": (
        "Say why a model predicts what it does for one row, and the smallest change that changes the "
        "prediction."
    ),
    "evidence": (
        "Show the evidence behind a prediction of a model that adds it up: log-odds, column by column."
    ),
    "effect": (
        "Show how a model's predictions depend on one column: partial dependence or accumulated effects."
    ),
    "importances": (
        "Say which columns a model's predictions depend on: how much worse they get if a column is shuffled."
    ),
    "derive": "Show how a model came about, number by number, also as LaTeX or a worksheet.",
    "bayes-rule": "Work out P(yes | positive) by Bayes' rule, every step shown.",
}
_CHANGE: Final = {
    "decide": (
        "Set a saved model's cutoff, costs, calibration, or the probability below which rows are referred."
    ),
    "prune": (
        "Prune a saved tree. clearwood learners PRUNER says which rows it needs, those learned from or new."
    ),
    "edit": (
        "Edit a list of rules (first change, then move, delete and add) or curves; print what that costs."
    ),
}
_DELIVER: Final = {
    "predict": (
        "Predict new rows: write their own columns and the prediction behind them; the input stays as it is."
    ),
    "report": (
        "Write one page with data, model, rules, evidence, evaluation, "
        "a form that predicts, and a model card.\n\n"
        "By default a quarter of the rows is held out to evaluate it; below 100 rows, it is cross-validated "
        "by ten folds."
    ),
    "export": (
        "Write a saved model in another language or format; --prove runs it there and compares the "
        "predictions."
    ),
    "verify": "Check a certificate of export --prove: the same file and model, the same predictions again.",
    "scorecard": "Turn the weights or curves of a model of two classes into a table of points.",
    "serve": (
        "Predict rows by HTTP: predictions and explanations, a page with a form, metrics and drift.\n\n"
        "Only this machine reaches it, unless --host says otherwise."
    ),
}
PANELS: Final[dict[str, dict[str, str]]] = {
    "Learn": _LEARN,
    "Look": _LOOK,
    "Evaluate": _EVALUATE,
    "Explain": _EXPLAIN,
    "Change": _CHANGE,
    "Deliver": _DELIVER,
}
COMMANDS: Final = reduce(or_, PANELS.values())
