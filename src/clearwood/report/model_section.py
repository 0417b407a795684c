"""The model itself: a tree to walk in, rules in a table, tables of chances, weights."""

from __future__ import annotations

from typing import Final, Literal, assert_never

from clearwood.draw.additive import sum_in_words
from clearwood.draw.ensemble import in_a_sentence
from clearwood.draw.pictures import picture as drawn
from clearwood.models.additive_model import AdditiveModel
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.decision_words import decision_words
from clearwood.models.ensemble import Ensemble
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree
from clearwood.models.weights_words import with_weights
from clearwood.report.additive_parts import curves_of
from clearwood.report.bayes_parts import tables_of
from clearwood.report.ensemble_parts import members_of
from clearwood.report.linear_parts import weights_of
from clearwood.report.markup import paragraph, picture_html
from clearwood.report.page import Section, live
from clearwood.study.study import Study
from clearwood.study.verdict import study_verdict
from clearwood.words.numbers import amount, many

_ICICLE: Final = 60  # rules that a picture still holds


def model_section(study: Study) -> Section:
    """What there is to read, in a sentence, and then the model."""
    unseen = _unseen_loss(study) if isinstance(study.model, Ensemble) else ""
    return Section("model", "The model", unseen + model_in_page(study.model))


def model_in_page(model: Model, form: Literal["above", "below"] = "below") -> str:
    """The model as a page shows it: a sentence, then the model itself; `form` is where the page's form is."""
    sentences = " ".join([what_was_learned(model, form), *decision_words(model)])
    return f"{paragraph(sentences)}\n{_shown(model)}"


def what_was_learned(model: Model, form: Literal["above", "below"] = "below") -> str:
    """What kind of model it is, how large, and of how many rows."""
    rows = ""
    if model.origin.rows:
        rows = f", learned from {many(model.origin.rows, 'row', 'rows')}{with_weights(model.origin)}"
    match model:
        case Tree():
            if model.depth == 0:
                return f"A decision tree ({model.origin.title}) of one leaf{rows}: it has no split."
            leaves, depth = many(model.leaves, "leaf", "leaves"), many(model.depth, "split", "splits")
            return (
                f"A decision tree ({model.origin.title}) with {leaves}{rows}. A row meets "
                f"at most {depth}. "
                f"A node shows its rows and how its split was chosen; the form {form} marks a row's path."
            )
        case RuleList():
            how = "the first that holds decides" if model.matching == "first" else "all that hold vote"
            return f"{many(len(model), 'rule', 'rules')} ({model.origin.title}){rows}; {how}."
        case BayesTables():
            return (
                f"Naive Bayes over {many(len(model.columns), 'column', 'columns')}{rows}: how "
                "often each class "
                "occurs, and with each class each value. The chances of a row's cells are multiplied."
            )
        case LinearModel():
            terms = many(len(model.terms), "term", "terms")
            return (
                f"A logistic regression of {terms}{rows}: weights that are added up to the log "
                "odds of a class. "
                "An odds ratio is the factor on the odds for one more of the term."
            )
        case Ensemble():
            return f"{in_a_sentence(model)}{rows}."
        case AdditiveModel():
            return f"{sum_in_words(model)}{rows}. A row's prediction is the sum of its points."
        case _:
            assert_never(model)


def _shown(model: Model) -> str:
    match model:
        case Tree():
            return live("tree", picture_html(drawn(model)))
        case RuleList():
            shown = 0 < len(model) <= _ICICLE
            return (
                picture_html(drawn(model, kind="icicle"), "Each bar is as long as the rows its rule takes.")
                if shown
                else ""
            )
        case BayesTables():
            return tables_of(model)
        case LinearModel():
            return weights_of(model)
        case Ensemble():
            return members_of(model)
        case AdditiveModel():
            return curves_of(model)
        case _:
            assert_never(model)


def _unseen_loss(study: Study) -> str:
    """The log loss of rows that were not learned from, which stands before any on training rows."""
    found = None if study.judged is None else study_verdict(study).probabilities
    if found is None:
        return ""
    return paragraph(f"Log loss on rows not learned from: {amount(found.log_loss)}.")
