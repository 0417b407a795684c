"""The reference of every public name, made from its docstring when the site is built, by a hook of mkdocs.

A page has `<!-- reference: names -->` where the names shall stand, and `<!-- reference: kinds -->` for the
table of which function takes which kind of model.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType, UnionType
from typing import Any, Final, get_args

import clearwood as cw
from clearwood.models.model import Model

MARK: Final = re.compile(r"<!-- reference: ([a-z]+) -->")
_SESSION: Final = re.compile(r"(?:^>>> .*(?:\n(?!\s*$).*)*\n?)+", re.MULTILINE)
_ROOMS: Final = {  # a heading for the room that a name lives in
    "table": "Tables",
    "learners": "Learners and pruning",
    "balancing": "Balancing",
    "models": "Models, conditions and files",
    "formulas": "Models, conditions and files",
    "measures": "Measures",
    "predicting": "Prediction",
    "checking": "Assertions and differences",
    "scoring": "Scores",
    "study": "Studies",
    "selecting": "Columns and components",
    "components": "Columns and components",
    "explaining": "Explaining",
    "auditing": "Auditing rules",
    "editing": "Editing rules",
    "importing": "Models of other programs",
    "deriving": "Derivations",
    "working": "Derivations",
    "draw": "Pictures and texts",
    "exporting": "Exports",
    "reporting": "Reports",
    "serving": "Serving",
    "estimators": "Estimators",
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The page with its reference."""
    return MARK.sub(lambda found: PARTS[found[1]](), markdown)


def public_names() -> dict[str, dict[str, Any]]:
    """By heading: every public name and what it stands for, modules left aside."""
    found: dict[str, dict[str, Any]] = {heading: {} for heading in dict.fromkeys(_ROOMS.values())}
    for name in sorted(cw.__all__, key=str.lower):
        each = getattr(cw, name)
        if not isinstance(each, ModuleType) and name != "__version__":
            found[_heading_of(name)][name] = each
    return found


def _heading_of(name: str) -> str:
    home = cw._HOMES[name].partition(".")[0]
    return _ROOMS[home]


def _names() -> str:
    return "\n\n".join(
        f"## {heading}\n\n" + "\n\n".join(_entry(name, each) for name, each in names.items())
        for heading, names in public_names().items()
        if names
    )


def _entry(name: str, each: Any) -> str:
    parts = [f"### `{name}`", f"```python\n{_signature(name, each)}\n```"]
    if text := inspect.getdoc(each):
        parts.append(_fenced(text))
    if inspect.isclass(each):
        parts += [f"- `{what}`: {line}" for what, line in _members(each)]
    return "\n\n".join(parts[:3]) + ("\n\n" + "\n".join(parts[3:]) if len(parts) > 3 else "")


def _signature(name: str, each: Any) -> str:
    try:
        text = f"{name}{inspect.signature(each)}"
    except (TypeError, ValueError):  # an alias of several types has none
        return f"{name} = {each}"
    text = re.sub(r"\b(?:clearwood\.[\w.]+|collections\.abc|typing|pathlib|os)\.(\w+)", r"\1", text)
    return text if len(text) <= 100 else _one_line_each(text)


def _one_line_each(text: str) -> str:
    """Long signatures with one parameter to a line; commas inside brackets divide nothing."""
    start, end = text.index("("), text.rindex(")")
    depth, parts, part = 0, [], ""
    for sign in text[start + 1 : end]:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += sign
    return (
        text[: start + 1] + "".join(f"\n    {each}," for each in [*parts, part.strip()]) + "\n" + text[end:]
    )


def _members(kind: type) -> Iterator[tuple[str, str]]:
    """Public methods and properties with the first line of what they say."""
    own = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    for name, each in vars(kind).items():
        if name.startswith("_") or name in own:
            continue
        target = each.fget if isinstance(each, property) else each
        if not callable(target):
            continue
        line = (inspect.getdoc(target) or "").partition("\n")[0]
        if line:
            yield (name if isinstance(each, property) else f"{name}()"), line


def _fenced(text: str) -> str:
    """A docstring as Markdown: its sessions as blocks."""
    return _SESSION.sub(lambda found: f"\n```pycon\n{textwrap.dedent(found[0]).rstrip()}\n```\n", text)


def _kinds() -> str:
    kinds = get_args(Model)
    lines = [
        "| | " + " | ".join(f"`{kind.__name__}`" for kind in kinds) + " |",
        "|---|" + ":-:|" * len(kinds),
    ]
    for name, verb in verbs().items():
        taken = taken_by(verb)
        lines.append(f"| `{name}` | " + " | ".join("✓" if kind in taken else "" for kind in kinds) + " |")
    return "\n".join(lines)


def verbs() -> dict[str, Callable[..., Any]]:
    """The public functions that take a model first."""
    functions = {
        name: getattr(cw, name) for name in sorted(cw.__all__) if inspect.isfunction(getattr(cw, name))
    }
    return {name: verb for name, verb in functions.items() if taken_by(verb)}


def taken_by(verb: Callable[..., Any]) -> tuple[type, ...]:
    """The kinds of models that a function takes first, by its hint."""
    verb = inspect.unwrap(verb)
    first = next(iter(inspect.signature(verb).parameters), "")
    hint = verb.__annotations__.get(first)
    if isinstance(hint, str):
        hint = eval(hint, verb.__globals__)
    either = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return tuple(kind for kind in get_args(Model) if kind in either)


PARTS: Final[Mapping[str, Callable[[], str]]] = {"names": _names, "kinds": _kinds}
