"""All that a program is made of: every formula, test and condition, however deep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any


def program_parts(whole: Any) -> Iterator[Any]:
    """The thing itself and its parts; those that are found wait in a list, for choices nest deep."""
    waiting = [whole]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            if not (part and isinstance(part[0], float | str)):  # a list of numbers or texts has no parts
                waiting.extend(part)
        elif is_dataclass(part):
            yield part
            waiting.extend(getattr(part, field.name) for field in fields(part))
