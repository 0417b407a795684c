"""The commands, in the order of the program's help, each with what it says of itself there.

What a command takes is in the file of its name here (`import_.py`, since Python keeps the word for itself);
what it does, in the file of the same name in `running`.
"""

from __future__ import annotations

from typing import Final

from clearwood.importing.importable import programs_with_files

COMMANDS: Final = {
    "fit": "Learn a model from a table, print it, say how good it is, and save it.",
    "choose": (
        "Judge readable learners alike on the same rows; say who is really better, and which model to take."
    ),
    "report": (
        "Write one page with data, model, rules, evidence, evaluation, "
        "a form that answers, and a model card.\n\n"
        "By default a quarter of the rows is held out to judge it; below 100 rows, ten folds judge."
    ),
    "show": "Print a saved model: a tree with counts, shares and intervals, rules, tables or weights.",
    "draw": "Draw a saved model: SVG, PNG or PDF, without Graphviz.",
    "predict": (
        "Predict new rows: write their own columns and the answer behind them; the input stays as it is."
    ),
    "export": (
        "Write a saved model in another language or format; --prove runs it there and compares the answers."
    ),
    "verify": "Check a certificate of export --prove: the same file and model, the same answers again.",
    "evaluate": (
        "Judge a saved model on rows with true answers: every score with its interval, beside the baseline."
    ),
    "derive": "Show how a model came about, number by number, also as LaTeX or a worksheet.",
    "compare": "Compare models on the same rows, or learners by the same folds.",
    "explain": (
        "Say why a model answers one row as it does, and the smallest change that gives another answer."
    ),
    "evidence": "Show why a model that adds up evidence answers as it does: log-odds, column by column.",
    "effect": (
        "Show how the answers of a model depend on one column: partial dependence or accumulated effects."
    ),
    "importances": (
        "Say which columns a model's answers depend on: how much worse they are if a column is shuffled."
    ),
    "calibration": (
        "Judge a model's shares by rows whose class is known: log loss, Brier score, reliability table."
    ),
    "decide": "Set a saved model's cutoff, costs, calibration, or the share below which rows are referred.",
    "learning-curve": (
        "Show how good learners are by the number of rows they learn from, by five folds or as asked."
    ),
    "bias-variance": (
        "Divide the error of learners into bias and variance, by models of many samples of the rows."
    ),
    "overfitting": (
        "Show how a tree of each size does on its own and on other rows, also with noise in what it learns."
    ),
    "stability": "Learn again from rows drawn anew: how often do the root, the rules and the answers change?",
    "look-over": (
        "Look a table over: copies, contradictions, leaks, identifiers, constants, change with time."
    ),
    "schema": "Show how each column is taken, and how to change that.",
    "select": "Rank the columns by what they tell of the target, and say which to keep.",
    "components": (
        "Join columns into a few components, and say what each is made of: numbers by PCA, values by MCA."
    ),
    "prune": (
        "Prune a saved tree. clearwood learners PRUNER says which rows it needs, those learned from or new."
    ),
    "distil": (
        "Learn a tree or rules that answer as a saved model does; say how often they do, and where not."
    ),
    "rules": (
        "Read a tree as rules, score each of them, and simplify them by tests. --learner grows the tree."
    ),
    "stable-rules": "Find the short rules that recur in many trees of a forest, with how often they do.",
    "audit": (
        "Check rules (overlaps, conflicts, gaps, dead and redundant rules, order), or where curves can go."
    ),
    "check": (
        "Check what is asserted of a model: exact for trees and rules, on rows for others. Ends with 1 if it "
        "fails."
    ),
    "diff": "Say in which regions two models answer differently, how many rows lie there, what else changed.",
    "edit": (
        "Edit a list of rules (first change, then move, delete and add) or curves; print what that costs."
    ),
    "import": (
        f"Read a model that another program made ({programs_with_files()}), and prove that it answers alike."
    ),
    "scorecard": "Turn the weights or curves of a model of two classes into a table of points.",
    "bayes-rule": "Work out P(yes | positive) by Bayes' rule, every step shown.",
    "serve": (
        "Answer rows by HTTP: predictions and explanations, a page with a form, metrics and drift.\n\n"
        "Only this machine reaches it, unless --host says otherwise."
    ),
    "tune": "Try settings of a learner in folds, choose, and learn with those chosen.",
    "learners": "List the learners, pruners, selectors of columns and ways to balance with their settings.",
}
