"""The page: one file of HTML with everything in it, that loads nothing from the network.

Glossary. A *section* is a heading and ready HTML under it, in the order of the page. A *live* part is an
empty place in a section that the page's script fills: `live("tree")`, `live("members")`, … Data
stands in elements that are never run; large data is packed, and unpacked when it is first asked for. An
element of a section with the attribute `data-rule` (from 0) is marked when that rule answers the form's row.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from string import Template
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from clearwood.deriving.as_json import Formulas, step_to_json
from clearwood.draw.escaping import escape_xml
from clearwood.draw.palette import DARK, LIGHT, class_colours, ink_on
from clearwood.explaining.words import top_words
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.distributions import Words
from clearwood.models.model import Model
from clearwood.reporting.model_json import letters_for_page, model_for_page
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table
from clearwood.web.joining import bundled, page_file, page_modules
from clearwood.working.derivation import Derivation, Step

Live: TypeAlias = Literal["tree", "members", "form", "steps"]

_MANY_STEPS: Final = 400
_BRIEF: Final = {"most_rows": 6, "most_work": 2}  # of the grids of a derivation with many steps

_ICON: Final = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>"
    "<path d='M8 2v4M8 6 4 10M8 6l4 4' fill='none' stroke='#8a4b08' stroke-width='1.6'/>"
    "<circle cx='8' cy='2.6' r='2' fill='#8a4b08'/><circle cx='4' cy='12' r='2.4' fill='#0072b2'/>"
    "<circle cx='12' cy='12' r='2.4' fill='#e69f00'/></svg>"
)


_STYLED: Final = "style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"
_WITHOUT_SCRIPT: Final = (
    '<noscript><p class="note">This page answers questions and draws with a script of its own, which is '
    "switched off here. Everything else can be read without it.</p></noscript>\n"
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page. `html` is ready: whoever makes it has escaped what is data (`draw.escaping`)."""

    id: str
    heading: str
    html: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The rows at one node of a tree: by line a column's name and what its cells are like."""

    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What goes into a page; plain text is escaped where it is written.

    `hints` are by column, for the form's fields. `summaries` are by node. The steps of the derivation are
    made one after the other, and the page unpacks them one after the other. A page without
    live parts needs no model.
    """

    title: str
    model: Model | None
    sections: tuple[Section, ...]
    lead: str = ""
    foot: str = "Made with Clearwood. This page loads nothing from the network."
    hints: Mapping[str, Hint] = field(default_factory=dict)
    summaries: Sequence[Summary] = ()
    derivation: Derivation | None = None


def live(part: Live, meanwhile: str = "") -> str:
    """The place of a live part; `meanwhile` is ready HTML that stands there until the script runs, or cannot.

    >>> live("form")
    '<div data-live="form"></div>'
    """
    return f'<div data-live="{part}">{meanwhile}</div>'


def page_of(page: Page) -> str:
    """The whole file.

    >>> import clearwood as cw
    >>> tree = cw.ID3().learn(cw.read_table(cw.datasets.path("tennis"), target="PlayTennis"))
    >>> sections = (Section("tree", "The tree", live("tree")),)
    >>> page_of(Page(title="Tennis", model=tree, sections=sections)).splitlines()[:2]
    ['<!doctype html>', '<html lang="en">']
    """
    script, scripts = "", ""
    if page.model is not None:
        script = bundled(page_modules(), "main.js")
        digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
        scripts = f"script-src 'sha256-{digest}'; "
    links = (f'<li><a href="#{escape_xml(s.id)}">{escape_xml(s.heading)}</a></li>' for s in page.sections)
    contents = f'<nav aria-label="Contents"><ol>{"".join(links)}</ol></nav>'
    return Template(page_file("page.html")).substitute(
        title=escape_xml(page.title),
        lead=f'<p class="lead">{escape_xml(page.lead)}</p>' if page.lead else "",
        foot=f"<p>{escape_xml(page.foot)}</p>" if page.foot else "",
        policy=f"default-src 'none'; {scripts}{_STYLED}",  # nothing is fetched, no script runs but this one
        icon=f"data:image/svg+xml;base64,{base64.b64encode(_ICON.encode()).decode()}",
        style=theme_css() + page_file("page.css"),
        contents=contents if len(page.sections) > 1 else "",
        sections="\n".join(map(_section, page.sections)),
        data="".join(f"{element}\n" for element in _data(page)),
        without_script=_WITHOUT_SCRIPT if script else "",
        script=f'<script type="module">{script}</script>' if script else "",
    )


def _section(section: Section) -> str:
    name = escape_xml(section.id)
    return (
        f'<section id="{name}" aria-labelledby="{name}-heading">\n'
        f'<h2 id="{name}-heading">{escape_xml(section.heading)}</h2>\n{section.html}\n</section>'
    )


def _data(page: Page) -> list[str]:
    if page.model is None:
        return []
    classes = page.model.schema.classes
    colours = class_colours(classes)
    hints = {**invented_texts(page.model), **page.hints}
    elements = [
        data_element("model", model_for_page(page.model)),
        data_element("colours", [[colours[name], ink_on(colours[name])] for name in classes]),
        data_element("hints", {name: asdict(hint) for name, hint in hints.items()}),
    ]
    letters = letters_for_page(page.model)
    if letters is not None:
        elements.append(data_element("letters", letters))
    if page.summaries:
        elements.append(chunked_elements("summaries", (each.lines for each in page.summaries)))
    if page.derivation is not None:
        elements += _steps(page.derivation)
    return elements


def _steps(derivation: Derivation) -> list[str]:
    """The list of steps, the steps themselves in chunks, and the formulas that they name."""
    formulas = Formulas()
    index: list[list[str | int | None]] = []  # as steps.js reads it

    def written(step: Step) -> dict[str, Any]:
        when = () if step.rows is None or str(step.rows) != step.title else step.rows.when
        last = str(when[-1]) if when else ""
        index.append([step.chapter, step.title, step.decision, step.node, len(when), last])
        return step_to_json(step, formulas, **_BRIEF if len(derivation) > _MANY_STEPS else {})

    chunks = chunked_elements("steps", map(written, derivation))
    return [data_element("step-index", index), data_element("formulas", formulas.to_json()), chunks]


# Data as elements of a page: JSON that nothing in it can break out of, compressed where it is large.


_LARGE: Final = 20_000  # characters
_CHUNK: Final = 400_000


def data_element(name: str, value: Any) -> str:
    """A script element that is never run, whose JSON the page reads by its name.

    >>> data_element("model", {"class": "</script>"})
    '<script type="application/json" id="data-model">{"class":"\\\\u003c/script>"}</script>'
    """
    return _element(name, _compact(value))


def chunked_elements(name: str, entries: Iterable[Any]) -> str:
    """Entries that the page unpacks one by one as they are asked for: an index, then chunks of them.

    The index lists the place of the first entry of each chunk, and how many entries there are.
    """
    chunks: list[list[str]] = []
    firsts: list[int] = []
    size = count = 0
    for entry in entries:
        if not chunks or size > _CHUNK:
            chunks.append([])
            firsts.append(count)
            size = 0
        text = _compact(entry)
        chunks[-1].append(text)
        size, count = size + len(text), count + 1
    index = data_element(name, {"firsts": firsts, "count": count})
    return "\n".join(
        [index, *(_element(f"{name}-{k}", f"[{','.join(chunk)}]") for k, chunk in enumerate(chunks))]
    )


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _element(name: str, text: str) -> str:
    if len(text) <= _LARGE:
        # The only character that ends a script element, or begins a comment in it.
        escaped = text.replace("<", "\\u003c")
        return f'<script type="application/json" id="data-{name}">{escaped}</script>'
    packed = base64.b64encode(gzip.compress(text.encode("utf-8"), 6, mtime=0)).decode("ascii")
    return f'<script type="text/plain" id="data-{name}" data-packed="gzip">{packed}</script>'


# The themes as rules of style: the palette's colours by name, by day, by night and on paper.


def theme_css() -> str:
    """Custom properties `--paper`, `--ink`, …: light, dark where the reader's system is, light in print.

    >>> theme_css().splitlines()[0][:40]
    ':root{--paper:#ffffff;--panel:#f6f4f0;--'
    """
    day, night = (
        "".join(f"--{name}:{colour};" for name, colour in asdict(theme).items()) for theme in (LIGHT, DARK)
    )
    return f":root{{{day}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{night}}}}}\n"


# Hints for the fields of the form: what a column's cells were like in the table.


@dataclass(frozen=True, slots=True)
class Hint:
    """The commonest value, or the median, least and greatest number; None where all cells are empty. `met_in`
    are the rows that they are of, in words."""

    usual: str | float | None = None
    least: float | None = None
    greatest: float | None = None
    met_in: str = field(default="the table", repr=False)


def hints_of(table: Table) -> dict[str, Hint]:
    """A hint for each column that a model may use.

    >>> import clearwood as cw
    >>> hints = hints_of(cw.read_table(cw.datasets.path("tennis_numeric"), target="Play"))
    >>> hints["Humidity"], hints["Outlook"].usual
    (Hint(usual=80.0, least=65.0, greatest=96.0), 'Rain')
    """
    hints: dict[str, Hint] = {}
    for attribute in table.schema.inputs:
        column = table.columns.get(attribute.name)
        if column is None or not isinstance(attribute, Nominal | Ordinal | Numeric):
            continue
        hints[attribute.name] = Hint()
        if isinstance(attribute, Numeric):
            numbers = column[~np.isnan(column)].astype(np.float64)
            if numbers.size:
                # A number that was met: a median between two would look odd in a column of whole ones.
                middle = float(np.partition(numbers, (numbers.size - 1) // 2)[(numbers.size - 1) // 2])
                hints[attribute.name] = Hint(middle, float(numbers.min()), float(numbers.max()))
        elif (column >= 0).any():
            usual = int(np.bincount(column[column >= 0]).argmax())
            hints[attribute.name] = Hint(attribute.values[usual])
    return hints


def invented_texts(model: Model) -> dict[str, Hint]:
    """For each text that a Bayes model reads, the words that speak most for each class: a text of nobody's.

    >>> import clearwood as cw
    >>> rows = {"text": ["free prize", "free call", "see you", "call you"], "y": ["spam"] * 2 + ["ham"] * 2}
    >>> table = cw.read_table(rows, target="y", kinds={"text": "text"})
    >>> invented_texts(cw.NaiveBayes().learn(table))["text"].usual
    'you see free prize'
    """
    if not isinstance(model, BayesTables):
        return {}
    texts = {
        each.name: top_words(model, each.name, most=2)
        for each in model.distributions
        if isinstance(each, Words)
    }
    return {
        name: Hint(" ".join(word.word for each in by_class for word in each.words) or None)
        for name, by_class in texts.items()
    }
