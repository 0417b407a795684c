"""Models as notebooks show them: their picture, and as text what cannot be drawn."""

from __future__ import annotations

from clearwood.draw.escaping import escape_latex, escape_xml
from clearwood.draw.linear import contrast_sums
from clearwood.draw.pictures import picture
from clearwood.draw.rule_picture import rule_words
from clearwood.errors import ClearwoodError
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList


def html_of(model: Model) -> str:
    """The picture in HTML; where there is none (no renderer for charts, nothing to draw) the text."""
    try:
        return picture(model)._repr_html_()
    except ClearwoodError:
        return preformatted(model)


def preformatted(thing: object) -> str:
    """The text, line by line."""
    return f"<pre>{_lines(str(thing))}</pre>"


def svg_of(model: Model) -> str | None:
    """The picture; None, which a notebook passes over, where there is none."""
    try:
        return picture(model).svg
    except ClearwoodError:
        return None


def equation_latex_of(model: LinearModel) -> str:
    r"""The sums that a linear model's answers come from, one line per contrast.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> print(equation_latex_of(cw.Logistic().learn(table)).splitlines()[1])
    \text{log odds of y = b against a} &= -4.2491 + 1.214 \cdot \text{x} \\
    """
    lines = []
    for compared, intercept, terms in contrast_sums(model):
        added = "".join(rf" {sign} {size} \cdot {_text(factor)}" for sign, size, factor in terms)
        lines.append(rf"{_text(compared)} &= {intercept}{added} \\".replace("−", "-"))
    return "\n".join((r"$$\begin{aligned}", *lines, r"\end{aligned}$$"))


def latex_of(rules: RuleList) -> str:
    r"""The rules as an array: number, conditions, answer and rows.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(latex_of(cw.CN2().learn(table)).splitlines()[1])
    1 & \text{IF Outlook in \{Overcast, Rainy\} AND Wind = Weak} & \text{Yes} & 5 \\
    """
    lines = [
        rf"{each.number} & {_text(' '.join(each.when))} & {_text(each.answer)} & {each.rows} \\"
        for each in rule_words(rules)
    ]
    return "\n".join((r"$$\begin{array}{rllr}", *lines, r"\end{array}$$"))


def _text(words: str) -> str:
    return rf"\text{{{escape_latex(words)}}}"


def _lines(text: str) -> str:
    """Text of several lines, escaped line by line."""
    return "\n".join(escape_xml(line) for line in text.split("\n"))
