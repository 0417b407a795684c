"""How the learner behaves: its learning curve, its bias and variance, its stability, one section for each."""

from __future__ import annotations

import math
from typing import Final, assert_never

from clearwood.draw import charts
from clearwood.formulas.conditions import all_of
from clearwood.reporting.markup import (
    columns_table,
    details,
    isolated,
    name_in_sentence,
    paragraph,
    picture_html,
    table,
)
from clearwood.reporting.page import Section
from clearwood.study.behaviour import BEHAVIOURS
from clearwood.study.behaviour.bias_variance import BiasVariance
from clearwood.study.behaviour.learning_curve import LearningCurves
from clearwood.study.behaviour.of_study import Behaviour, Unstudied
from clearwood.study.behaviour.stability import LEAF, Stability, stability_figures
from clearwood.study.study import Study
from clearwood.words.numbers import in_digits, many, percent_to

_MOST: Final = 15  # columns or terms that are listed


def behaviour_sections(study: Study) -> list[Section]:
    """A section for each part that was asked for."""
    behaviours = study.behaviours.items()
    return [Section(name, BEHAVIOURS[name], "\n".join(_of(part))) for name, part in behaviours]


def _of(part: Behaviour | Unstudied) -> list[str]:
    match part:
        case Unstudied():
            return [paragraph(f"These rows do not show it: {part.why}")]
        case LearningCurves():
            return _curves(part)
        case BiasVariance():
            return _parts(part)
        case Stability():
            return _sheet(part)
        case _:
            assert_never(part)


def _curves(curves: LearningCurves) -> list[str]:
    (curve,) = curves.curves
    how = (
        f"The same learner learns from ever more of the rows, and is tested on others each time, by "
        f"{many(curves.folds, 'fold')}. Where the two lines have met, more rows hardly help; where they are "
        "apart, they may."
    )
    columns = {
        "rows learned from": [f"{size:,}" for size in curves.rows.tolist()],
        f"{curves.score}, training": map(_figure, curve.mean("training").tolist()),
        f"{curves.score}, held out": map(_figure, curve.mean().tolist()),
        "standard error": map(_figure, curve.standard_error().tolist()),
    }
    return [
        *_concluded(curves.conclusions or ["These rows are too few to show whether more would help."]),
        paragraph(how),
        picture_html(charts.learning_curve(curves)),
        details("The curve as a table", columns_table(columns, numbers=range(4))),
    ]


def _parts(parts: BiasVariance) -> list[str]:
    how = (
        f"The same learner learned from {many(parts.samples, 'sample')} of {many(parts.rows, 'row')}, drawn "
        f"with replacement, and each model predicted the same {many(parts.held_out, 'row')} held out. What "
        "all models get wrong alike is bias; what differs from sample to sample is variance."
    )
    noise = "The noise is known."
    if not parts.noise_known:
        noise = "The noise is not known: what no model could get right counts as bias."
    (one,) = parts.learners
    figures = {
        "error": one.error,
        "its standard deviation over the samples": one.deviation,
        "bias²": one.parts.bias,
        "variance": one.parts.variance,
        "error of the main predictions": one.main_error,
    }
    if one.domingos is not None:
        figures["bias (Domingos)"] = one.domingos.bias
        figures["unbiased variance (Domingos)"] = one.domingos.unbiased_variance
        figures["biased variance, taken off (Domingos)"] = one.domingos.biased_variance
    rows = [
        (name, percent_to(value) if parts.of_classes else in_digits(value)) for name, value in figures.items()
    ]
    of = "of the predictions" if parts.of_classes else "squared error"
    return [
        *_concluded(parts.conclusions),
        paragraph(f"{how} {noise}"),
        picture_html(charts.bias_variance(parts)),
        details("The parts as a table", table(("part", of), rows, numbers=(1,))),
    ]


def _sheet(sheet: Stability) -> list[str]:
    how = (
        f"The same learner learned {many(sheet.samples, 'time')}, each from {many(sheet.rows, 'row')} "
        "resampled with replacement, and the models are compared."
    )
    figures = [(isolated(name), isolated(text)) for name, text in stability_figures(sheet)]
    html = [
        *_concluded(sheet.conclusions),
        paragraph(how),
        picture_html(charts.stability(sheet)),
        details("The figures", table(("figure", "over the samples"), figures)),
    ]
    if sheet.roots:
        lines = [(isolated(name or LEAF), percent_to(part, 0)) for name, part in sheet.roots]
        html.append(details("The root", table(("column", "of the models"), lines, numbers=(1,))))
    if sheet.terms:
        terms = [
            (isolated(each.name), percent_to(each.part, 0), in_digits(each.mean), _short(each.deviation))
            for each in sheet.terms[:_MOST]
        ]
        heads = ("weights" if sheet.unit == "weights" else "curves", "in models", "mean", "±")
        html.append(details(f"The {heads[0]}", table(heads, terms, numbers=(1, 2, 3))))
    elif sheet.columns:
        columns = [
            (isolated(each.name), percent_to(each.part, 0), _short(each.importance), _short(each.deviation))
            for each in sheet.columns[:_MOST]
        ]
        heads = ("column", "in models", "importance", "±")
        html.append(details("The columns", table(heads, columns, numbers=(1, 2, 3))))
    if sheet.rules:
        rules = [
            (isolated(all_of(rule.when)), percent_to(rule.part, 0), "yes" if rule.in_whole else "no")
            for rule in sheet.rules
        ]
        of_rules = ("rule, its thresholds at quantiles", "in models", "in the model of all rows")
        html.append(details("Rules that recur", table(of_rules, rules, numbers=(1,))))
    return html


def _concluded(sentences: list[str]) -> list[str]:
    """What may be concluded, before anything that shows it."""
    return [paragraph(name_in_sentence(" ".join(sentences)), "conclusion")] if sentences else []


def _figure(value: float) -> str:
    return f"{value:.4f}" if math.isfinite(value) else "–"


def _short(value: float | None) -> str:
    return "–" if value is None or not math.isfinite(value) else in_digits(value, 3)
