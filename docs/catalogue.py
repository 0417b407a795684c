"""The tables of what there is, made from the catalogue when the site is built, by a hook of mkdocs.

A page has `<!-- catalogue: learners -->` where the table shall stand; so that nobody has to keep it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from inspect import getmodule
from typing import Any, Final

from clearwood.catalogue import BALANCERS, ERRORS, IMPURITIES, LEARNERS, PRUNERS, SELECTORS, SOURCES
from clearwood.checking.assertions import ASSERTIONS
from clearwood.cli.settings import bounded_words_for, default_text
from clearwood.registry import settings_of

MARK: Final = re.compile(r"<!-- catalogue: ([a-z ]+) -->")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with its tables."""
    return MARK.sub(lambda mark: TABLES[mark[1]](), markdown)


def _assertions() -> str:
    rows = (
        (f"`[[{name}]]`", f"`{each.made_of.__name__}`", each.needs_rows, _in_cell(each.example))
        for name, each in ASSERTIONS.items()
    )
    return _table(("kind", "class", "needs rows", "such as"), rows)


def _in_cell(text: str) -> str:
    return "<br>".join(f"`{line}`" for line in text.splitlines())


def _learners() -> str:
    rows = ((f"`{name}`", each.about, f"`{each.name}`", each.makes) for name, each in LEARNERS.items())
    return _table(("name", "", "class", "makes"), rows)


def _pruners() -> str:
    rows = (
        (f"`{name}`", each.about, f"`{each.prune.__name__}`", each.needs) for name, each in PRUNERS.items()
    )
    return _table(("name", "", "function", "rows it needs"), rows)


def _balancers() -> str:
    return _table(("name", ""), ((f"`{name}`", each.about) for name, each in BALANCERS.items()))


def _selectors() -> str:
    rows = (
        (
            f"`{name}`",
            each.about,
            each.score,
            "classes and numbers" if each.of_numbers else "classes",
            "itself" if each.chooses else "above 0",
        )
        for name, each in SELECTORS.items()
    )
    return _table(("name", "", "score", "target", "keeps, unless told"), rows)


def _settings() -> str:
    makers = {
        **{name: (entry.load(), entry.presets) for name, entry in LEARNERS.items()},
        **{name: (pruner.prune, {}) for name, pruner in PRUNERS.items()},
        **{name: (balancer.balance, {}) for name, balancer in BALANCERS.items()},
        **{name: (selector.order, {}) for name, selector in SELECTORS.items()},
    }
    return "\n\n".join(
        f"### {name}\n\n{_settings_of(maker, presets)}" for name, (maker, presets) in makers.items()
    )


def _settings_of(maker: Callable[..., Any], presets: Mapping[str, Any]) -> str:
    rows = [
        (
            f"`{each.name}`",
            "" if each.required else f"`{default_text(presets.get(each.name, each.default))}`",
            each.meaning,
            bounded_words_for(each),
        )
        for each in settings_of(maker).values()
    ]
    return _table(("setting", "default", "", "takes"), rows) if rows else "No settings."


def _measures() -> str:
    rows = [(f"`{name}`", each.about, "classes") for name, each in IMPURITIES.items()]
    rows += [(f"`{name}`", _first_line(getmodule(each)), "numbers") for name, each in ERRORS.items()]
    return _table(("measure", "", "of"), rows)


def _first_line(thing: object) -> str:
    return str(thing.__doc__ or "").partition("\n")[0]


def _files() -> str:
    rows = ((f"`{suffix}`", _first_line(kind.load(suffix))) for suffix, kind in SOURCES.items())
    return _table(("suffix", ""), rows)


def _table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heading, ("---",) * len(heading), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "learners": _learners,
    "pruners": _pruners,
    "balancers": _balancers,
    "selectors": _selectors,
    "settings": _settings,
    "measures": _measures,
    "files": _files,
    "assertions": _assertions,
}
