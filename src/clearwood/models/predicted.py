"""What a model of numbers predicts: the mean of the target for such rows, their median or a quantile."""

from __future__ import annotations

from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.kind import kind_of
from clearwood.models.lineage import Distilled, Edited
from clearwood.models.model import Model


def predicted_quantile(model: Model) -> float | None:
    """The quantile that a model predicts, 0.5 for the median; None for a mean, and for classes."""
    imitated = _imitated_quantile(model)
    return kind_of(model).quantile(model) if imitated is None else imitated


def _imitated_quantile(model: Model) -> float | None:
    """The quantile that the model imitated predicts; None where it imitates none, or was counted again."""
    for done in reversed(model.origin.after):
        if isinstance(done, Distilled):
            return done.quantile
        if isinstance(done, Edited) and done.edit == "recount":
            return None
    return None


def predicted(model: Model) -> str:
    """What the answers are, as part of a sentence: the target, or what of it.

    >>> import clearwood as cw
    >>> cars = cw.read_table({"weight": [1, 2, 3, 4], "mpg": [40, 33, 21, 15]}, target="mpg")
    >>> predicted(cw.Boosting(loss="quantile", quantile=0.9, trees=1).learn(cars))
    'the 0.9 quantile of mpg'
    >>> predicted(cw.CART().learn(cars))
    'mpg'
    """
    name = "" if model.schema.target is None else model.schema.target.name
    if isinstance(model, Ensemble) and model.link == "exp" and model.is_numeric:
        return f"the mean of {name}"
    return quantile_in_words(predicted_quantile(model), name)


def quantile_in_words(quantile: float | None, target: str) -> str:
    """
    >>> quantile_in_words(0.5, "mpg"), quantile_in_words(None, "mpg")
    ('the median of mpg', 'mpg')
    """
    if quantile is None:
        return target
    return f"the median of {target}" if quantile == 0.5 else f"the {quantile:g} quantile of {target}"
