"""Pages: odd names and values through learning, drawing, deriving and reporting; what is data stays text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any, Final, get_args
from xml.etree import ElementTree

import clearwood as cw
from clearwood.draw.derivations.sheets import Detail
from clearwood.draw.derivations.writing import Format
from clearwood.models.model import Model
from clearwood.table.table import Table
from tests.fuzz.cases import Case
from tests.fuzz.watching import nothing_is_run

_NAMES: Final = (
    *(
        "<img src=x onerror=alert(1)>",
        "</script><script>alert(1)</script>",
        '"><b onclick="x">',
        "]]>",
        "<!--",
    ),
    *("&lt;i&gt;", "&amp", "'", '"', "`code`", "{{x}}", "${x}", "$x^2$", "\\input{x}", "\\", "%", "#", "_a_"),
    *(
        "a | b",
        "* x",
        "[x](javascript:alert(1))",
        "\x1b[2J",
        "\u202eabc",
        "a\nb",
        "\t",
        "\x07",
        "\x00",
        "\x85",
    ),
    *(
        "é",
        "字",
        "👍🏽",
        "ا",
        "e\u0301",
        "\ufeff",
        "\u200b",
        "\ufffe",
        "x" * 400,
        "a b",
        "IF",
        "THEN",
        "1",
        "-1",
    ),
    *(
        "=1+1",
        "None",
        "nan",
        "constructor",
        "__proto__",
        "toString",
        "a.b",
        "a[0]",
        "a,b",
        "{",
        "}",
        "<",
        ">",
    ),
)
_NUMBERS: Final = (0.0, 1.0, -1.5, 2.25, 1e300, -1e300, 5e-324, 1e-12, 123456789.123, 2.0**53, -0.0)


def case(random: Random, _: Path) -> Case:
    """A small table of odd names and values, a learner, and what is made of its model."""
    table = _rows(random)
    learner = random.choice(_learners())
    number = random.randrange(1 << 30)
    return Case(f"{learner} of {table}", lambda: _show(table, learner, Random(number)))


def _rows(random: Random) -> dict[str, list[Any]]:
    names = random.sample(_NAMES, 4)
    values = [random.sample(_NAMES, random.choice((1, 2, 3, 5))) for _ in range(2)]
    classes = random.sample(_NAMES, random.choice((2, 2, 3)))
    numbers = random.sample(_NUMBERS, random.choice((2, 3, 6)))
    table: dict[str, list[Any]] = {name: [] for name in names}
    for _ in range(random.choice((4, 12, 20))):
        which = random.choice(classes)
        row = (*(random.choice(each) for each in values), random.choice(numbers), which)
        for name, cell in zip(names, row, strict=True):
            is_missing = name != names[-1] and random.random() < 0.05
            table[name].append(None if is_missing else cell)
    return table


def _learners() -> list[Any]:
    trees = [cw.ID3(), cw.C45(), cw.CART(), cw.CHAID(alpha_split=0.9)]
    rules = [cw.ILA(), cw.CN2(), cw.PRISM(), cw.RIPPER()]
    return [*trees, *trees, *rules, cw.NaiveBayes(), cw.Logistic(penalty="l2")]


def _show(columns: dict[str, list[Any]], learner: Any, random: Random) -> None:
    target = list(columns)[-1]
    table = cw.read_table(columns, target=target, kinds={target: "nominal"})
    with nothing_is_run():
        model: Model = learner.learn(table)
        str(model), repr(model)
        row = {name: random.choice(cells) for name, cells in columns.items() if name != target}
        str(cw.explain(model, row))
        match random.randrange(4):
            case 0:
                check_svg(cw.picture(model).svg)
            case 1:
                check_svg(cw.picture(model, row=row).svg)
            case 2:
                _derive(model, table, random)
            case _:
                check_html(cw.report(table, learner=learner, title=random.choice(_NAMES)).html)


def _derive(model: Model, table: Table, random: Random) -> None:
    derivation = cw.derive(model, table)
    form, detail = random.choice(get_args(Format)), random.choice(get_args(Detail))
    text = cw.write_derivation(derivation, format=form, detail=detail)
    if form == "html":
        check_html(text)


def check_svg(svg: str) -> None:
    """Well-formed, and without what only data could have brought in."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        name = str(element.tag).rpartition("}")[2]
        assert name not in ("script", "img", "b", "foreignObject"), f"an element {name}"
        assert not any(each.startswith("on") for each in element.attrib), element.attrib


def check_html(html: str) -> None:
    """No element, attribute or script that only data could have brought in."""
    page = _Page()
    page.feed(html)
    page.close()
    assert not page.wrong, page.wrong[:3]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self._script: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script":
            self._script = given.get("type") or "text/javascript"
        if given.get("src") == "x" or any(name.startswith("on") for name in given):
            self.wrong.append(f"<{tag} {given}>")
        if (given.get("href") or "").startswith("javascript:"):
            self.wrong.append(f"<{tag} {given}>")

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._script = None

    def handle_data(self, data: str) -> None:
        if self._script in ("text/javascript", "module") and "alert(1)" in data:
            self.wrong.append("a script of data")
