"""The one seam by which a noun shows itself: what draws it stands far above it, and is looked up when needed.

`str(model)`, a notebook and the command line all come through here. A new kind of model has a line among the
texts; a test over the kinds of models finds the one that lacks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

ShownAs: TypeAlias = Literal["text", "html", "svg", "latex", "markdown", "equation"]


def text(thing: object) -> str:
    """What `print` shows.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(text(cw.PRISM().learn(table)).splitlines()[0])
    IF Outlook = Sunny AND Humidity = High THEN PlayTennis = No  (3 rows, 100 %)
    """
    return str(_drawn("text", thing))


def html(thing: object) -> str:
    """What a notebook shows: a picture where there is one, else the text."""
    return str(_drawn("html", thing))


def svg(thing: object) -> str | None:
    """The picture; None where it cannot be drawn here."""
    picture = _drawn("svg", thing)
    return None if picture is None else str(picture)


def latex(thing: object) -> str:
    """For a page that sets LaTeX."""
    return str(_drawn("latex", thing))


def markdown(thing: object) -> str:
    """For a page of Markdown."""
    return str(_drawn("markdown", thing))


def equation(thing: object) -> str:
    """The sums that the answers come from, as text."""
    return str(_drawn("equation", thing))


class ShowsItself:
    """What shows itself by the table below, as text and in a notebook."""

    __slots__ = ()

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return html(self)


def _drawn(form: ShownAs, thing: object) -> Any:
    place = renderer(form, type(thing))
    if place is None:
        raise TypeError(f"Nothing shows a {type(thing).__name__} as {form}: see clearwood/shown.py.")
    module, function = place.split(":")
    return getattr(import_module(module), function)(thing)


def renderer(form: ShownAs, kind: type) -> str | None:
    """The function, as "module:name", that draws things of a type in this form."""
    named = RENDERERS[form]
    return next((named[each.__name__] for each in kind.__mro__ if each.__name__ in named), None)


# What a notebook shows as its text; other models as their picture.
_PREFORMATTED: Final = (
    *("Ensemble", "ModelChoice", "TreeComparison", "ModelComparison", "LearnerComparison", "RankComparison"),
    *("Difference", "CheckedModel", "Explanation"),
)
# By form and the name of the type, or of what it inherits from: the function that draws it.
RENDERERS: Final[Mapping[ShownAs, Mapping[str, str]]] = {
    "text": {
        "Tree": "clearwood.draw.text:printed_tree",
        "RuleList": "clearwood.draw.rules:printed_rules",
        "BayesTables": "clearwood.draw.bayes:draw_bayes",
        "LinearModel": "clearwood.draw.linear:draw_linear",
        "Ensemble": "clearwood.draw.ensemble:draw_ensemble",
        "AdditiveModel": "clearwood.draw.additive:draw_additive",
        "ModelChoice": "clearwood.draw.choice:draw_choice",
        "TreeComparison": "clearwood.draw.comparisons:draw_tree_comparison",
        "ModelComparison": "clearwood.draw.comparisons:draw_model_comparison",
        "LearnerComparison": "clearwood.draw.comparisons:draw_learner_comparison",
        "RankComparison": "clearwood.draw.comparisons:draw_rank_comparison",
        "Difference": "clearwood.draw.model_difference:draw_model_difference",
        "CheckedModel": "clearwood.draw.model_difference:draw_verdicts",
        "Derivation": "clearwood.draw.derivations.writing:as_text",
        "Evidence": "clearwood.draw.explanation:draw_evidence",
        "Explanation": "clearwood.draw.explanation:draw_explanation",
        "Scorecard": "clearwood.draw.additive:draw_scorecard",
    },
    "html": {
        "BaseModel": "clearwood.draw.pictures:html_of",
        **dict.fromkeys(_PREFORMATTED, "clearwood.draw.pictures:preformatted"),
        "Derivation": "clearwood.draw.derivations.writing:as_html",
    },
    "svg": {"BaseModel": "clearwood.draw.pictures:svg_of"},
    "latex": {
        "RuleList": "clearwood.draw.pictures:latex_of",
        "LinearModel": "clearwood.draw.pictures:equation_latex_of",
        "Derivation": "clearwood.draw.derivations.writing:as_latex",
    },
    "markdown": {"Derivation": "clearwood.draw.derivations.writing:as_markdown"},
    "equation": {"LinearModel": "clearwood.draw.linear:equation_text"},
}
