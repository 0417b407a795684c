"""Small pieces of HTML: paragraphs, tables and pictures, with everything that is data escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from unicodedata import bidirectional

from clearwood.draw.escaping import escape_xml
from clearwood.draw.picture import Picture

_NARROW: Final = 2  # columns of a table that a phone shows side by side
_SMALLEST: Final = 0.75  # the scale below which a picture's letters are too small to read


def isolated(text: str) -> str:
    """Text from data: escaped, and written in its own direction.

    >>> isolated("a < b")
    '<bdi>a &lt; b</bdi>'
    """
    return f"<bdi>{escape_xml(text)}</bdi>"


def name_in_sentence(text: str) -> str:
    """A name inside a sentence of ours: isolated where it runs from right to left, else as it is."""
    if any(bidirectional(letter) in ("R", "AL") for letter in text):
        return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"
    return text


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of our own words, which are escaped."""
    given = f' class="{kind}"' if kind else ""
    return f"<p{given}>{escape_xml(text)}</p>"


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Sequence[int] = (),
    caption: str = "",
    marks: Sequence[str] = (),
) -> str:
    """A table of ready cells under plain heads; `numbers` are the columns set to the right, and `marks` the
    attributes of each row. On a narrow page the cells of a row stand below each other, each behind its head.
    """
    stacked = len(heads) > _NARROW

    def cell(tag: str, place: int, content: str) -> str:
        kind = ' class="number"' if place in numbers else ""
        if tag == "td" and stacked and (place in numbers or place < len(heads) - 1):
            kind += f' data-head="{escape_xml(heads[place])}"'
        return f"<{tag}{kind}>{content}</{tag.partition(' ')[0]}>"

    top = "".join(cell('th scope="col"', place, escape_xml(head)) for place, head in enumerate(heads))
    body = []
    tags = ('th scope="row"', "td")
    for number, row in enumerate(rows):
        mark = f" {marks[number]}" if number < len(marks) and marks[number] else ""
        cells = "".join(cell(tags[place > 0 or not each], place, each) for place, each in enumerate(row))
        body.append(f"<tr{mark}>{cells}</tr>")
    caption_html = f"<caption>{escape_xml(caption)}</caption>" if caption else ""
    kind = "scroll stacked" if stacked else "scroll"
    return (
        f'<div class="{kind}"><table>{caption_html}<thead><tr>{top}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def columns_table(
    columns: Mapping[str, Iterable[str]],
    *,
    numbers: Sequence[int] = (),
    caption: str = "",
    marks: Sequence[str] = (),
) -> str:
    """A table that is given by its columns, each under its head."""
    rows = zip(*columns.values(), strict=True)
    return table(list(columns), rows, numbers=numbers, caption=caption, marks=marks)


def bar(share: float) -> str:
    """A bar as long as a share."""
    return f'<span class="bar part" style="--share:{share:.4f}"></span>'


def bullets(items: Iterable[str]) -> str:
    """Ready content as a list."""
    return f"<ul>{''.join(f'<li>{each}</li>' for each in items)}</ul>"


def definitions(rows: Iterable[tuple[str, str]]) -> str:
    """Names and ready values, one line for each."""
    lines = (f"<dt>{escape_xml(name)}</dt><dd>{value}</dd>" for name, value in rows)
    return f'<dl class="card">{"".join(lines)}</dl>'


def picture_html(drawn: Picture, caption: str = "") -> str:
    """A picture in the page's own colours, by day and by night, never smaller than can be read."""
    caption_html = f"<figcaption>{escape_xml(caption)}</figcaption>" if caption else ""
    least = f"--least:{_SMALLEST * drawn.width:.0f}px"
    return (
        f'<figure class="chart" style="{least}"><div class="scroll">{drawn.svg}</div>{caption_html}</figure>'
    )


def pictures(drawn: Iterable[Picture]) -> str:
    """Pictures in a grid, as many side by side as the page is wide."""
    return f'<div class="charts">{"".join(map(picture_html, drawn))}</div>'


def details(summary: str, content: str) -> str:
    """Ready content behind a line of our own words, until it is opened."""
    return f"<details><summary>{escape_xml(summary)}</summary>{content}</details>"


def percentage(share: float) -> str:
    """A share to a tenth of a per cent; its sign never stands alone on a line.

    >>> percentage(0.8571), percentage(float("nan"))
    ('85.7\\xa0%', '–')
    """
    return "–" if math.isnan(share) else f"{100 * share:.1f}\N{NO-BREAK SPACE}%"
