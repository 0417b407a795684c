"""Damage that is still JSON: values of a document replaced, moved, doubled or left out, fields renamed."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any, Final, TypeAlias

Place: TypeAlias = tuple[Any, Any]  # a list and a position in it, or an object and a field's name

NASTY_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, "", [], {}, [[]], [None], {"": None}, "null"),
    *(0, -1, 1, 2, 0.5, -0.0, 1e308, -1e308, 5e-324, 1e-300, float("nan"), float("inf"), -float("inf")),
    *(2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**19, 10**400, 3.0000000000000004),
    *("a", "?", "nan", "1", "\0", "\x1b[2J", "\ud800", "é" * 50, "x" * 5000, "</script>", "' OR", "a\nb"),
    *("__import__('os').system('true')", "{0.__class__}", "%s%n", "../../etc/passwd"),
)


def mutated_json(document: Any, random: Random) -> Any:
    """The document with one to three faults."""
    changed = copy.deepcopy(document)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        places = list(_places(changed))
        if not places:
            return random.choice(NASTY_VALUES)
        within, key = random.choice(places)
        match random.randrange(9):
            case 0 | 1:
                within[key] = copy.deepcopy(random.choice(NASTY_VALUES))
            case 2:
                del within[key]
            case 3 | 4:
                other, its_key = random.choice(places)
                within[key] = copy.deepcopy(other[its_key])
            case 5 if isinstance(within, list):
                within[key:key] = [copy.deepcopy(within[key])] * random.choice((1, 2, 300))
            case 6 if isinstance(within, list):
                random.shuffle(within)
            case 7 if isinstance(within, dict):
                name = random.choice(("", "x", str(key).upper(), "model", "values", "name", "kind"))
                within[name] = within.pop(key)
            case _:
                within[key] = _near(within[key], random)
    return changed


def written_json(document: Any, random: Random) -> bytes:
    """The text of it, in one of the ways in which programs write JSON."""
    text = json.dumps(
        document,
        ensure_ascii=random.random() < 0.5,
        indent=random.choice((None, None, 1)),
        separators=random.choice((None, (",", ":"))),
    )
    return text.encode("utf-8", "surrogatepass")


def _places(value: Any) -> list[Place]:
    actual: list[Place] = []
    waiting = [value]
    while waiting:
        within = waiting.pop()
        keys = list(within) if isinstance(within, dict) else range(len(within))
        actual += [(within, key) for key in keys]
        waiting += [within[key] for key in keys if isinstance(within[key], dict | list)]
    return actual


def _near(value: Any, random: Random) -> Any:
    """Something of the same kind, so that the fault lies in what it says and not in its type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        near = float(value) if abs(value) < 10**300 else 0.5
        return random.choice((value + 1, value - 1, -value, value * 1000, near))
    if isinstance(value, float):
        return random.choice(
            (value / 2, -value, value * 1e300, 1 - value, int(value) if abs(value) < 1e9 else 0)
        )
    if isinstance(value, str):
        return random.choice((value + " ", value[:-1], value.upper(), value * 2, f"{value}\u202e"))
    if isinstance(value, list):
        return random.choice((value[:-1], value[1:], value[::-1], value + value))
    return random.choice(NASTY_VALUES)
