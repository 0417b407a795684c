"""Modules joined into one script: a page that opens from a file cannot import from files beside it.

Only the plainest forms are understood, and anything else is refused: `import { a, b } from "./file.js";` and
`export` before a function, class, const or let. Names are left as they are, so no two modules may declare the
same one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_IMPORT: Final = re.compile(r'^import \{([^{}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_DECLARED: Final = re.compile(
    r"^(export )?(?:async )?(?:function\*?|class|const|let) (?:(\w+)|\[([^\]]*)\]|\{([^}]*)\})", re.MULTILINE
)
_LEFT_OVER: Final = re.compile(r"^(?:import|export)\b.*|\bimport\(\s*[^\"].*|</script.*|<!--.*", re.MULTILINE)


def joined(modules: Mapping[str, str], entry: str) -> str:
    """The entry's module after all it needs, each once, without imports and exports.

    >>> modules = {"a.js": 'import { b } from "./b.js";\\n\\nb();\\n', "b.js": "export function b() {}\\n"}
    >>> print(joined(modules, "a.js"))
    function b() {}
    <BLANKLINE>
    b();
    <BLANKLINE>
    """
    declared: dict[str, str] = {}
    texts = []
    for name in _in_order(modules, entry):
        for own in _names(modules[name]):
            if own in declared:
                raise ValueError(f"{name} and {declared[own]} both declare '{own}'. Rename one.")
            declared[own] = name
        text = re.sub(r"^export ", "", _IMPORT.sub("", modules[name]), flags=re.MULTILINE)
        if odd := _LEFT_OVER.search(text):
            raise ValueError(f"{name}: cannot be joined: {odd[0]!r}")
        texts.append(text.strip("\n"))
    return "\n\n".join(texts) + "\n"


def _in_order(modules: Mapping[str, str], entry: str) -> list[str]:
    """Each module after those it imports."""
    done: dict[str, None] = {}
    under_way: list[str] = []

    def visit(name: str, wanted_by: str) -> None:
        if name in done:
            return
        if name in under_way:
            raise ValueError(f"{' → '.join([*under_way, name])}: modules import each other in a circle.")
        if name not in modules:
            raise ValueError(f"{wanted_by} imports '{name}', which is not there.")
        under_way.append(name)
        for found in _IMPORT.finditer(modules[name]):
            visit(found[2], name)
            given = _names(modules[found[2]], exported=True)
            for wanted in filter(None, map(str.strip, found[1].split(","))):
                if wanted not in given:
                    raise ValueError(f"{name} imports '{wanted}', which {found[2]} does not export.")
        under_way.pop()
        done[name] = None

    visit(entry, "the page")
    return list(done)


def _names(text: str, *, exported: bool = False) -> list[str]:
    """What a module declares at its top level."""
    names: list[str] = []
    for found in _DECLARED.finditer(text):
        if exported and not found[1]:
            continue
        listed = found[2] or found[3] or found[4]
        names += [name.strip() for name in listed.split(",") if name.strip()]
    return names
