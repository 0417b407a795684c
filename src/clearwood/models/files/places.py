"""Places: where in a file something stands, as `body.nodes[3].when`, gathered while an error comes up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from clearwood.errors import ModelFileError

T = TypeVar("T")


class Misplaced(Exception):  # noqa: N818  (never seen outside: it becomes a ModelFileError)
    """What is wrong with a value, and the place as far as it is known."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence, self.path = sentence, list[str | int]()


def at(step: str | int, read: Callable[[Any], T], value: Any) -> T:
    """What `read` makes of a value; if it refuses, this step is part of the place."""
    try:
        return read(value)
    except Misplaced as error:
        error.path.insert(0, step)
        raise


def placed(error: Misplaced, where: str) -> ModelFileError:
    """The refusal with its whole place."""
    return ModelFileError(f"{place_of(where, *error.path)}{error.sentence}")


def place_of(where: str, *path: str | int) -> str:
    """The place that this path leads to.

    >>> place_of("body", "nodes", 3, "when")
    'body.nodes[3].when'
    """
    for step in path:
        where += f"[{step}]" if isinstance(step, int) else f".{step}" if where else step
    return where


def refuse(where: str, demand: str, given: object) -> NoReturn:
    """One sentence: the place, what should be there, and what is."""
    raise ModelFileError(f"{where} {demand}, not {value_text(given)}.")


def wrong(demand: str, given: object) -> Misplaced:
    """The same for a value that does not know its place."""
    return Misplaced(f" {demand}, not {value_text(given)}.")


def value_text(value: object) -> str:
    """A value for a sentence, cut short."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
