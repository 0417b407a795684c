"""What may be concluded from bias and variance and from stability, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clearwood.words.numbers import brief, many, percent, percent_to

if TYPE_CHECKING:
    from clearwood.study.behaviour.bias_variance import BiasVariance, LearnerParts
    from clearwood.study.behaviour.stability import Stability

_FEW: Final = 10  # rows: of fewer nothing is concluded
_MOSTLY: Final = 0.5  # of the error
_HARDLY: Final = 0.2
_STEADY: Final = 0.9  # of the models
_USUAL: Final = 0.5
_SURE: Final = 0.95  # of the rows that two models answer alike
_FAIRLY: Final = 0.85


def parts_conclusions(parts: BiasVariance) -> list[str]:
    """A sentence or two per learner: what its error comes of, and what could lessen it."""
    if parts.held_out < _FEW:
        return [f"{many(parts.held_out, 'row')} held out: too few to conclude anything from."]
    return [_of_error(parts, each) for each in parts.learners]


def _of_error(parts: BiasVariance, each: LearnerParts) -> str:
    total = each.parts.bias + each.parts.variance
    if not total > 0:
        return f"{each.name} makes no mistake on these rows: there is nothing to divide."
    share = each.parts.variance / total
    apart = " without the noise" if parts.noise_known else ""
    if share >= _MOSTLY:
        what = (
            f"{percent(share)} % of its error{apart} is variance, owed to the sample that it learned from: "
            "more rows, pruning or the vote of many models may lessen it."
        )
    elif share <= _HARDLY:
        what = (
            f"only {percent(share)} % of its error{apart} is variance. It errs in much the same way whatever "
            "rows it sees: other columns or a freer learner may help, more rows or many models hardly."
        )
    else:
        what = (
            f"{percent(share)} % of its error{apart} is variance, which more rows or many models may lessen; "
            "the rest is bias, which they do not touch."
        )
    figure = percent_to(each.main_error) if parts.of_classes else brief(each.main_error)
    kind = "A vote" if parts.of_classes else "The mean"
    error = percent_to(each.error) if parts.of_classes else brief(each.error)
    return f"{each.name}: {what} {kind} of all its models has the error {figure} instead of {error}."


def stability_conclusions(sheet: Stability) -> list[str]:
    """What of the model may be relied on: its first split, its rules, its answers."""
    if sheet.rows < _FEW:
        return [f"{many(sheet.rows, 'row')} in all: too few to conclude anything from."]
    sentences = [_of_root(sheet)] if sheet.roots else []
    if sheet.rules_in_common is not None and sheet.rules_in_common < _USUAL:
        what = "first two questions" if sheet.roots else "rules"
        sentences.append(
            f"Two models share {percent_to(sheet.rules_in_common, 0)} of their {what}: read them as one "
            "description of several that fit about as well."
        )
    answers = _of_answers(sheet) if sheet.classes else _of_numbers(sheet)
    return [*sentences, *([answers] if answers else [])]


def _of_root(sheet: Stability) -> str:
    name, part = sheet.roots[0]
    share = percent_to(part, 0)
    asked = f"ask {name} first" if name else "have no split"
    if part >= _STEADY:
        sentence = f"What is asked first does not depend on the sample: {share} of the models {asked}."
    elif part >= _USUAL:
        sentence = f"What is asked first is usual, not certain: {share} of the models {asked}."
    else:
        sentence = f"What is asked first may not be relied on: no more than {share} of the models {asked}."
    if name != sheet.whole_root:
        own = f"first asks {sheet.whole_root}" if sheet.whole_root else "has no split"
        sentence += f" The model of all rows {own}."
    return sentence


def _of_answers(sheet: Stability) -> str:
    apart = sheet.agreement_apart
    if np.isnan(apart):
        return ""
    share = f"{percent_to(apart)} of the rows that neither learned from"
    if apart >= _SURE:
        return f"Two models agree on {share}: the predictions hardly depend on the sample."
    if apart >= _FAIRLY:
        return f"Two models agree on {share}: most predictions would be the same with other rows like these."
    return f"Two models agree on only {share}: many predictions would change with other rows like these."


def _of_numbers(sheet: Stability) -> str:
    apart, error = sheet.agreement_apart, sheet.score.mean
    if np.isnan(apart) or not error > 0:
        return ""
    share = apart**2 / 2 / error**2  # two models differ by twice the variance of one
    return (
        f"Two models differ by {brief(apart)} on rows that neither learned from, beside an RMSE of "
        f"{brief(error)}: about {percent(min(share, 1.0))} % of the squared error depends on the sample."
    )
