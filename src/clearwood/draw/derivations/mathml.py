"""Boxes as MathML, which browsers set and screen readers read."""

from __future__ import annotations

from typing import Final

from clearwood.draw.derivations import boxes
from clearwood.draw.escaping import escape_xml

_RANGING: Final = {"Σ": "∑", "Π": "∏", "argmax": "arg max", "argmin": "arg min"}


def mathml(box: boxes.Box) -> str:
    """The element for a box.

    >>> mathml(boxes.Stacked(boxes.Atom("9", "number"), boxes.Atom("14", "number")))
    '<mfrac><mn>9</mn><mn>14</mn></mfrac>'
    """
    match box:
        case boxes.Atom(text, "sign"):
            # A line may begin with it, and it must keep its space there.
            return f'<mo form="infix">{escape_xml(text)}</mo>'
        case boxes.Atom(" ", "mark"):
            return '<mspace width="0.17em"/>'
        case boxes.Atom("−", "mark"):
            return '<mo form="prefix">−</mo>'
        case boxes.Atom(text, "mark"):
            return f"<mo>{escape_xml(text.strip())}</mo>"
        case boxes.Atom(text, "number"):
            return f"<mn>{escape_xml(text)}</mn>"
        case boxes.Atom(text, "word"):
            return f"<mtext>{escape_xml(text)}</mtext>"
        case boxes.Atom(text, _):
            return f"<mi>{escape_xml(text)}</mi>"
        case boxes.Line(of):
            return f"<mrow>{''.join(map(mathml, of))}</mrow>"
        case boxes.Fenced(of):
            return _fenced(mathml(of))
        case boxes.Stacked(top, bottom):
            return f"<mfrac>{mathml(top)}{mathml(bottom)}</mfrac>"
        case boxes.Superscript(base, up):
            return f"<msup>{mathml(base)}{mathml(up)}</msup>"
        case boxes.Subscript(base, down):
            return f"<msub>{mathml(base)}{mathml(down)}</msub>"
        case boxes.Rooted(of):
            return f"<msqrt>{mathml(of)}</msqrt>"
        case boxes.BinomialBox(of, taken):
            return _fenced(f'<mfrac linethickness="0">{mathml(of)}{mathml(taken)}</mfrac>')
        case boxes.Ranging(sign, index, of):
            below = (
                f"<mi>{escape_xml(index)}</mi>" if len(index) == 1 else f"<mtext>{escape_xml(index)}</mtext>"
            )
            return f"<mrow><munder><mo>{_RANGING.get(sign, sign)}</mo>{below}</munder>{mathml(of)}</mrow>"


def _fenced(inside: str) -> str:
    """Brackets grow with what is tall; around anything else, browsers would set those that grow too wide."""
    tall = any(f"<{mark}" in inside for mark in ("mfrac", "munder"))
    grows = "" if tall else ' stretchy="false"'
    return f'<mrow><mo form="prefix"{grows}>(</mo>{inside}<mo form="postfix"{grows}>)</mo></mrow>'
