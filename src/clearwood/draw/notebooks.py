"""Models as notebooks show them: their picture, and as text what cannot be drawn."""

from __future__ import annotations

from clearwood.draw.escaping import latex, xml
from clearwood.draw.pictures import picture
from clearwood.draw.rule_words import rule_words
from clearwood.errors import ClearwoodError
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList


def html_of(model: Model) -> str:
    """The picture in HTML; where there is none (no renderer for charts, nothing to draw) the text."""
    try:
        return picture(model)._repr_html_()
    except ClearwoodError:
        return f"<pre>{_lines(str(model))}</pre>"


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
    return rf"\text{{{latex(words)}}}"


def _lines(text: str) -> str:
    """Text of several lines, escaped line by line."""
    return "\n".join(xml(line) for line in text.split("\n"))
