"""Modules joined into one script: a page that opens from a file cannot import from files beside it.

Each module becomes a function that is called once and returns what it exports, so that its other names stay
its own. Only the plainest forms are understood: `import { a, b } from "./file.js";`, and `export` before a
function, a class or a const of one name. Anything else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

from clearwood import _native

_IMPORT: Final = re.compile(r'^import \{([^{}]*)\} from "\./([\w.]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LEFT_OVER: Final = re.compile(r"^(?:import|export)\b.*|</script.*|<!--.*", re.MULTILINE)


def bundled(modules: Mapping[str, str], entry: str) -> str:
    """The entry's module after all it needs, each once.

    >>> modules = {"a.js": 'import { b } from "./b.js";\\nb();\\n', "b.js": "export function b() {}\\n"}
    >>> print(bundled(modules, "a.js"))
    const b_js = (() => {
    function b() {}
    return { b };
    })();
    <BLANKLINE>
    const a_js = (() => {
    const { b } = b_js;
    b();
    return {  };
    })();
    <BLANKLINE>
    """
    return "\n".join(_called(name, modules[name]) for name in _in_order(modules, entry))


def _called(name: str, text: str) -> str:
    body = _IMPORT.sub(lambda match: f"const {{{match[1]}}} = {_handle(match[2])};", text)
    body = _EXPORT.sub(r"\1", body)
    if odd := _LEFT_OVER.search(body):
        raise ValueError(f"{name}: cannot be joined: {odd[0]!r}")
    given = ", ".join(_exports(text))
    return f"const {_handle(name)} = (() => {{\n{body.strip()}\nreturn {{ {given} }};\n}})();\n"


def _in_order(modules: Mapping[str, str], entry: str) -> list[str]:
    """Each module after those it imports."""
    done: dict[str, None] = {}
    under_way: list[str] = []

    def visit(name: str, importer: str) -> None:
        if name in done:
            return
        if name in under_way:
            raise ValueError(f"{' → '.join([*under_way, name])}: modules import each other in a circle.")
        if name not in modules:
            raise ValueError(f"{importer} imports '{name}', which is not there.")
        under_way.append(name)
        for statement in _IMPORT.finditer(modules[name]):
            visit(statement[2], name)
            for export in filter(None, map(str.strip, statement[1].split(","))):
                if export not in _exports(modules[statement[2]]):
                    raise ValueError(f"{name} imports '{export}', which {statement[2]} does not export.")
        under_way.pop()
        done[name] = None

    visit(entry, "the page")
    return list(done)


def _exports(text: str) -> list[str]:
    return [match[2] for match in _EXPORT.finditer(text)]


def _handle(name: str) -> str:
    return re.sub(r"\W", "_", name)


# The files of the page: our own modules, style and frame, as they lie in the package.


def page_file(name: str) -> str:
    """The text of one file of the page."""
    return resources.files("clearwood.web").joinpath(name).read_text(encoding="utf-8")


def page_modules() -> dict[str, str]:
    """The text of every module, by its name."""
    folder = resources.files("clearwood.web")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".js"))
    return {name: page_file(name) for name in names}


# Letters: which characters words are made of, and the small ones of capitals, as our modules read them.


def letters() -> dict[str, Any]:
    """`runs`: from which code point on characters are of which kind; `cases`: small letters of capitals."""
    runs = [[first, int(kind)] for first, kind in _native.letter_runs()]
    return {"runs": runs, "cases": {chr(large): chr(small) for large, small in _native.case_pairs()}}
