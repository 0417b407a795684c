"""What the page on exports lists, made from the registry and from the last proofs, by a hook of mkdocs.

A page has `<!-- exports: formats -->`, `kinds` or `figures` where they shall stand.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Any, Final

import clearwood as cw
from clearwood.exporting import FORMATS
from clearwood.exporting.exportable import Exportable, export_in_words
from clearwood.exporting.exporting import options_of
from clearwood.exporting.proof.certificate import programs_in_words

MARK: Final = re.compile(r"<!-- exports: ([a-z]+) -->")
FIGURES: Final = Path(__file__).with_name("exporting.json")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with its tables."""
    return MARK.sub(lambda mark: PARTS[mark[1]](), markdown)


@cache
def models() -> dict[str, Exportable]:
    """A model of every kind that an export may meet, by its name."""
    tennis = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    mixed = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    numbers = cw.read_table(cw.datasets.path("tennis_numeric"), target="Temperature")
    texts = cw.Schema((cw.Text("text"),), cw.Nominal("class", ("no", "yes")))
    rows = [{"text": text, "class": name} for text, name in (("good news", "yes"), ("old news", "no"))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "ID3": cw.ID3().learn(tennis),
            "C4.5": cw.C45().learn(mixed),
            "CART, surrogates": cw.CART(min_leaf=1, alpha=0.0).learn(mixed),
            "CHAID": cw.CHAID(min_leaf=1, min_rows=2, alpha_split=0.5).learn(tennis),
            "a tree of numbers": cw.CART(min_leaf=1).learn(numbers),
            "rules, first match": cw.ILA().learn(tennis),
            "rules that vote": cw.CN2(rules="unordered").learn(tennis),
            "Bayes, nominal": cw.NaiveBayes().learn(tennis),
            "Bayes, unsmoothed": cw.NaiveBayes(smoothing=0.0).learn(tennis),
            "Bayes, Gaussian": cw.NaiveBayes().learn(mixed),
            "Bayes, kernel": cw.NaiveBayes(numeric="kernel").learn(mixed),
            "Bayes, words": cw.NaiveBayes().learn(cw.encode(rows, texts)),
            "logistic": cw.Logistic(penalty="l2").learn(mixed),
            "scorecard": cw.scorecard(cw.Logistic(penalty="l2").learn(mixed)),
            "forest": cw.Forest(trees=3, seed=1).learn(mixed),
            "boosting": cw.Boosting(trees=3, min_child=0).learn(mixed),
            "bagging of rules": cw.Bagging(trees=2, seed=1, of=cw.ILA()).learn(tennis),
            "AdaBoost of Bayes": cw.AdaBoost(trees=2, of=cw.NaiveBayes()).learn(mixed),
            "additive": cw.GAM(bags=2, min_leaf=1).learn(mixed),
            "scorecard of curves": cw.scorecard(cw.GAM(bags=2, min_leaf=1).learn(mixed)),
        }


def _formats() -> str:
    rows = (
        (
            f"`{name}`",
            format.about,
            " ".join(f"`{each}`" for each in format.suffixes),
            ", ".join(f"`{each}`" for each in options_of(format)),
        )
        for name, format in FORMATS.items()
    )
    return _table(("format", "", "files", "options"), rows)


def _kinds() -> str:
    """Each cell is a yes, or the number of the reason beneath."""
    reasons: dict[str, int] = {}
    lines = []
    for kind, model in models().items():
        cells = []
        for format in FORMATS.values():
            because = format.refuses(model)
            if because is None:
                cells.append("yes")
                continue
            # The size of the example is of no interest, and one reason stands for all kinds that it is for.
            because = because.replace(export_in_words(model), "another model")
            cells.append(f"no<sup>{reasons.setdefault(because, len(reasons) + 1)}</sup>")
        lines.append((kind, *cells))
    table = _table(("", *(f"`{name}`" for name in FORMATS)), lines)
    noted = "\n".join(f"{number}. {because}" for because, number in reasons.items())
    return f"{table}\n\n{noted}" if reasons else table


def _figures() -> str:
    """A table for each format: rows by data and learner, and how many differ where some do."""
    if not FIGURES.exists():
        return "`make prove` has not been run."
    known: dict[str, Any] = json.loads(FIGURES.read_text("utf-8"))
    return "\n\n".join(_figures_of(title, each) for title, each in known.items())


def _figures_of(title: str, figures: Mapping[str, Any]) -> str:
    format, *dialect = title.split()
    heading = f"### {', '.join((f'`{format}`', *dialect))}"
    tables: dict[str, dict[str, Any]] = figures["tables"]
    learners = list(dict.fromkeys(learner for each in tables.values() for learner in each))
    every = [figure for each in tables.values() for figure in each.values()]
    reasons = {reason for figure in every for reason in figure.values() if "not run" in figure}
    if reasons and all("not run" in figure or "refused" in figure for figure in every):
        return f"{heading}\n\nNot run: {' '.join(sorted(map(str, reasons)))}"
    versions = programs_in_words(figures["versions"])
    how = "Read back by" if set(figures["versions"]) == {"Clearwood"} else "Run by"
    rows = sum(figure.get("rows", 0) for figure in every)
    different = sum(figure.get("different", 0) for figure in every)
    lines = [(table, *(_figure(of.get(learner)) for learner in learners)) for table, of in tables.items()]
    head = f"{heading}\n\n{how} {versions}: {rows:,} rows, {different:,} of them different."
    return f"{head}\n\n{_folded('Rows by table and learner', _table(('', *learners), lines, figures=True))}"


def _folded(title: str, text: str) -> str:
    """Shown by a click, so that a page of many tables can still be read."""
    return f'??? abstract "{title}"\n\n{indent(text, "    ")}'


def _figure(figure: Mapping[str, Any] | None) -> str:
    if figure is None:
        return ""
    if "refused" in figure or "not run" in figure:
        return "refused" if "refused" in figure else "not run"
    if "failed" in figure:
        return "failed"
    more = "".join(
        f", {figure[name]:,} {word}"
        for name, word in (("different", "different"), ("changed", "changed"), ("uncompared", "not compared"))
        if figure.get(name)
    )
    return f"{figure['rows']:,}{more}"


def _table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]], *, figures: bool = False) -> str:
    aligned = "--:" if figures else "---"
    lines = [heading, ("---", *(aligned,) * (len(heading) - 1)), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)


PARTS: Final[Mapping[str, Callable[[], str]]] = {"formats": _formats, "kinds": _kinds, "figures": _figures}
