"""A distillation in sentences: its size, how well it imitates, and where it does not."""

from __future__ import annotations

import math
from typing import Final

from clearwood.models.model import how_large
from clearwood.models.predicted import predicted
from clearwood.study.distilling.distilling import Distillation
from clearwood.words.numbers import figure, many, percent_to

_REGIONS: Final = 5


def distillation_text(done: Distillation) -> str:
    """Size, fidelity with its interval, both scores, and the regions that cost most fidelity."""
    numeric = done.model.is_numeric
    taught = "probabilities for" if done.by == "shares" else "predictions for"
    made = f" and {done.made:,} made of their cells" if done.made else ""
    low, high = done.interval
    between = "" if math.isnan(low) else f" (95 % interval {_limit(low)} to {_limit(high)} %)"
    rows = f"{many(done.rows, 'row')} that {'was' if done.rows == 1 else 'were'} not used"
    parts = [
        f"Size: {how_large(done.model)}. It was learned from the {taught} "
        f"{many(done.learned_from, 'row')}{made}.",
    ]
    alike = f"predict the same for {percent_to(done.fidelity)}"
    if done.difference is not None:
        parts.append(f"What it imitates is {predicted(done.model)}.")
        alike = (
            f"differ by {figure(done.difference)} on average, and share {percent_to(done.fidelity)} of the "
            "absolute deviation of the model's predictions from their median"
        )
    elif numeric:
        alike = f"share {percent_to(done.fidelity)} of the variance of the model's predictions"
    parts.append(f"On {rows} the two {alike}{between}.")
    if done.by == "shares" and done.shares_off is not None and not math.isnan(done.shares_off):
        parts.append(
            f"Of a row's probability {percent_to(done.shares_off)} on average lies at another class."
        )
    if done.accuracy is not None and done.accuracy_of_model is not None:
        what = "Variance explained" if numeric else "Accuracy"
        own, model = percent_to(done.accuracy), percent_to(done.accuracy_of_model)
        parts.append(f"{what} there: {own}, of the model itself {model}.")
    if done.loss is not None and done.loss_of_model is not None:
        what = "Mean absolute error" if done.quantile == 0.5 else "Quantile loss"
        parts.append(f"{what} there: {figure(done.loss)}, of the model itself {figure(done.loss_of_model)}.")
    judged = done.accuracy is not None or done.loss is not None
    if judged and done.model_learned_from:
        parts.append(
            "The model was learned from these rows, so its own score is too good. To compare them, give "
            "rows that it has not seen."
        )
    worst = [each for each in done.regions if each.disagreement > 0][:_REGIONS]
    if worst:
        parts.append("Where they differ most:" if len(worst) > 1 else "Where they differ:")
        parts += [f"  {each}" for each in worst]
    return "\n".join(parts)


def _limit(part: float) -> str:
    """Per cent without the sign; a part of the variance may be below 0."""
    return f"{100 * part:.1f}".replace("-", "−")
