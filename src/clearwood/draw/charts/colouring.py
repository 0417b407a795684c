"""Classes in their colours: the channel by which every chart shows them."""

from __future__ import annotations

from collections.abc import Sequence

from clearwood.draw.charts.counted import NO_CLASS
from clearwood.draw.charts.sheet import Spec, keyed
from clearwood.draw.palette import LIGHT, class_colours


def by_class(classes: Sequence[str], *, legend: bool = True) -> Spec:
    """Marks whose field "class" names their class; all alike where there are no classes.

    >>> by_class(("No", "Yes"))["scale"]
    {'domain': ['No', 'Yes'], 'range': ['#0072b2', '#e69f00']}
    """
    if tuple(classes) == (NO_CLASS,):
        return {"value": LIGHT.muted}
    return {
        "field": "class", "type": "nominal", "sort": None,
        "legend": {"title": None, **keyed(classes)} if legend else None,
        "scale": {"domain": [*classes], "range": [*class_colours(classes).values()]},
    }  # fmt: skip
