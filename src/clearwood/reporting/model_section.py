"""The model itself: a tree to walk in, rules in a table, tables of chances, weights."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, Literal, assert_never

from clearwood.draw import charts
from clearwood.draw.additive import sum_in_words
from clearwood.draw.bayes import columns_of_text, prior_cells, table_cells
from clearwood.draw.ensemble import curve_in_words, in_a_sentence
from clearwood.draw.escaping import escape_xml
from clearwood.draw.linear import ROBUST, has_robust_errors, odds_texts, term_text
from clearwood.draw.pictures import commonest_two
from clearwood.draw.pictures import picture as drawn
from clearwood.errors import ClearwoodError, SettingError
from clearwood.explaining.curve_groups import brief_points, mean_points, terms_by_points
from clearwood.explaining.nomogram import nomogram
from clearwood.models.in_words import decision_words, with_weights
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel, NumberTerm
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model
from clearwood.predicting.estimates import Estimate, estimates
from clearwood.reporting.markup import bar, columns_table, details, isolated, paragraph, picture_html, table
from clearwood.reporting.page import Section, live
from clearwood.scoring.positive import about_positive
from clearwood.study.study import Study
from clearwood.study.verdict import study_verdict
from clearwood.table.table import Table
from clearwood.words.numbers import amount, in_digits, many, p_value

_ICICLE: Final = 60  # rules that a picture still holds


def model_section(study: Study) -> Section:
    """What there is to read, in a sentence, and then the model."""
    shown = model_in_page(about_positive(study.model, study.positive))
    if isinstance(study.model, Ensemble) and study.judged is not None:
        # The log loss of rows that were not learned from stands before any on training rows.
        found = study_verdict(study).probabilities
        if found is not None:
            shown = paragraph(f"Log loss on rows not learned from: {amount(found.log_loss)}.") + shown
    return Section("model", "The model", shown)


def model_in_page(model: Model, form: Literal["above", "below"] = "below") -> str:
    """The model as a page shows it: a sentence, then the model itself; `form` is where the page's form is."""
    rows = ""
    if model.origin.rows:
        rows = f", learned from {many(model.origin.rows, 'row')}{with_weights(model.origin)}"
    what, html = _shown(model, rows, form)
    return f"{paragraph(' '.join([what, *decision_words(model)]))}\n{html}"


def _shown(model: Model, rows: str, form: str) -> tuple[str, str]:
    """What kind of model it is, how large, and of how many rows; and the model as HTML."""
    title = model.origin.title
    match model:
        case Tree():
            drawing = live("tree", picture_html(drawn(model)))
            if model.depth == 0:
                return f"A decision tree ({title}) of one leaf{rows}: it has no split.", drawing
            leaves, depth = many(model.leaves, "leaf", "leaves"), many(model.depth, "split")
            return (
                f"A decision tree ({title}) with {leaves}{rows}. A row meets at most {depth}. "
                f"A node shows its rows and how its split was chosen; the form {form} marks a row's path."
            ), drawing
        case RuleList():
            how = "the first that holds decides" if model.matching == "first" else "all that hold vote"
            bars = ""
            if 0 < len(model) <= _ICICLE:
                caption = "Each bar is as long as the rows its rule takes."
                bars = picture_html(drawn(model, kind="icicle"), caption)
            return f"{many(len(model), 'rule')} ({title}){rows}; {how}.", bars
        case BayesTables():
            return (
                f"Naive Bayes over {many(len(model.columns), 'column')}{rows}: how often each class occurs, "
                "and with each class each value. The chances of a row's cells are multiplied."
            ), tables_of(model)
        case LinearModel():
            return (
                f"A logistic regression of {many(len(model.terms), 'term')}{rows}: weights that are added "
                "up to the log odds of a class. An odds ratio is the factor on the odds for one more of the "
                "term."
            ), weights_as_text(model)
        case Ensemble():
            return f"{in_a_sentence(model)}{rows}.", members_of(model)
        case AdditiveModel():
            what = f"{sum_in_words(model)}{rows}. A row's prediction is the sum of its points."
            return what, curves_of(model)
        case _:
            assert_never(model)


# An additive model in a page: its curves, its pairs, and its terms by how much they move.


_PANELS: Final = 12
_PAIRS: Final = 6
_TERMS: Final = 30


def curves_of(model: AdditiveModel) -> str:
    """The weightiest curves, and details the pairs."""
    parts = []
    with suppress(ClearwoodError):  # a model without curves, or no renderer for charts
        parts.append(picture_html(charts.curves(model, columns=_PANELS)))
        ranked = sorted(model.pairs, key=lambda pair: -mean_points(pair))[:_PAIRS]
        pairs = [picture_html(charts.pair(model, *pair.names)) for pair in ranked]
        if pairs:
            parts.append(details("What pairs of columns add together", "\n".join(pairs)))
    return "\n".join(parts)


def importances_of_curves(model: AdditiveModel) -> str:
    """The terms by their mean absolute points, and a nomogram of classes."""
    ranked = terms_by_points(model)
    if not ranked:
        return ""
    most = ranked[0][1] or 1.0
    lines = [
        (isolated(name), f"{brief_points(model, points)} {bar(points / most)}")
        for name, points in ranked[:_TERMS]
    ]
    caption = "How far each moves the score, on average over the training rows."
    parts = [table(("column or pair", "mean |points|"), lines, numbers=(1,), caption=caption)]
    if not model.is_numeric and model.shapes:
        with suppress(ClearwoodError):  # no renderer for charts
            heading = "The model as a nomogram, to predict by hand"
            parts.append(details(heading, nomogram_html(model)))
    return "\n".join(parts)


def nomogram_html(model: BayesTables | AdditiveModel, rows: Table | None = None) -> str:
    """The model as a nomogram, with how it is read; of many classes that of the two commonest."""
    caption = "Read off the points of each cell, add them up, and find the probability under the total."
    if len(model.schema.classes) > 2:
        caption += " Of the classes, the two most common are set against each other."
    return picture_html(charts.nomogram(nomogram(model, *commonest_two(model), table=rows)), caption)


# Bayes tables in a page: the prior, and for each column the counts that its chances come from.


_AT_ONCE: Final = 8  # tables that stand open
_SHORT: Final = 12  # values of a table that stands open
_LINES: Final = 60  # values shown


def tables_of(model: BayesTables) -> str:
    """Every table, the first few open."""
    target = model.schema.predicted.name
    folds: list[str] = []
    open_ones = [
        table(("class", *model.schema.classes), [("prior", *prior_cells(model))], caption=f"P({target})")
    ]
    width = len(model.schema.classes) + 1
    for place, distribution in enumerate(model.distributions):
        caption = f"P({columns_of_text(distribution)} | {target})"
        cells = table_cells(model, distribution)
        lines = [list(map(isolated, [*line, *[""] * (width - len(line))])) for line in cells[:_LINES]]
        left = len(cells) - _LINES
        more = paragraph(f"{left:,} more lines are in the model's file.", "muted") if left > 0 else ""
        html = f"<div>{table(('value', *model.schema.classes), lines, caption=caption)}{more}</div>"
        if place < _AT_ONCE and len(cells) <= _SHORT:
            open_ones.append(html)
        else:
            folds.append(details(caption, html))
    return f'<div class="charts">{"".join(open_ones)}</div>{"".join(folds)}'


# An ensemble in a page: its learning curves, and its members.


_PICTURED: Final = 100  # leaves of a first tree that stands there until the script draws it


def members_of(model: Ensemble) -> str:
    """How well it did by the number of its members, and these one by one."""
    parts = [paragraph(curve_in_words(each)) for each in model.curves]
    if any(len(each.values) > 1 for each in model.curves):
        with suppress(ClearwoodError):  # no renderer for charts
            parts.append(picture_html(charts.learning(model)))
    if model.trees is not None:
        leaves = int(model.trees[0].is_leaf.sum())
        parts.append(live("members", picture_html(drawn(model)) if leaves <= _PICTURED else ""))
        return "\n".join(parts)
    with suppress(ClearwoodError):  # where there is no picture of it
        parts.append(details("The first member", picture_html(drawn(model))))
    return "\n".join(parts)


# Weights in a page: the chart of odds ratios, and every weight with its interval and test.


_OPEN: Final = 60  # weights that stand open


def weights_as_text(model: LinearModel) -> str:
    """The chart, a table for each contrast, and what was left out."""
    parts = [picture_html(charts.weights(model))] if model.terms else []
    deviations = _ratios_per_deviation(model)
    for contrast in model.contrasts:
        own = [each for each in estimates(model) if each.contrast == contrast]
        infinite = {each: "∞" if each.infinite > 0 else "−∞" for each in own if each.infinite}
        ratios = [odds_texts(each) for each in own]
        columns = {
            "term": [isolated(term_text(model, each.term)) for each in own],
            "weight": [infinite.get(each) or in_digits(each.weight) for each in own],
            "std. error": ["" if each.error is None else in_digits(each.error) for each in own],
            "odds ratio": [ratio for ratio, _ in ratios],
            "95 % interval": [interval for _, interval in ratios],
            "p": ["" if each.p is None else p_value(each.p) for each in own],
        }
        if deviations:
            columns["odds ratio per std. deviation"] = [deviations[each] for each in own]
        of = f"Log odds of {contrast}" + ("" if model.against is None else f" against {model.against}")
        listed = columns_table(columns, numbers=range(1, len(columns)), caption=of)
        parts.append(listed if len(own) <= _OPEN else details(f"{of}: all {len(own):,} weights", listed))
    if has_robust_errors(model.fit):
        parts.append(paragraph(f"{ROBUST.capitalize()}."))
    parts += [paragraph(f"Left out: {each.what}: {each.because}") for each in model.left_out]
    parts += [f"<p>{escape_xml(note)}</p>" for note in (model.fit.notes if model.fit else ())]
    return "\n".join(parts)


def _ratios_per_deviation(model: LinearModel) -> dict[Estimate, str]:
    """By weight the odds ratio of one standard deviation, if it is a number's; none without a profile."""
    if not any(isinstance(term, NumberTerm) for term in model.terms):
        return {}
    try:
        scaled = estimates(model, per="sd")
    except SettingError:
        return {}
    return {
        each: odds_texts(own)[0] if isinstance(each.term, NumberTerm) else ""
        for each, own in zip(estimates(model), scaled, strict=True)
    }
