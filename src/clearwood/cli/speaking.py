"""What the program says: answers on standard output, notes and errors on standard error, or JSON."""

from __future__ import annotations

import json
import math
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from clearwood.cli.phrasing import in_options
from clearwood.errors import ClearwoodWarning


def say(text: str = "") -> None:
    """A line of the answer."""
    print(text)


def say_json(answer: Any) -> None:
    """The whole answer, for machines: one object, nothing else on standard output."""
    print(json.dumps(_finite(answer), ensure_ascii=False, allow_nan=False))


def as_options(texts: Iterable[str]) -> list[str]:
    """Notes of the library, in the words of a shell."""
    return [in_options(text) for text in texts]


def note(texts: Iterable[str], *, quiet: bool = False) -> None:
    """What was guessed or done on the user's behalf."""
    for text in () if quiet else as_options(texts):
        print(dim(f"note: {text}", sys.stderr), file=sys.stderr)


def refuse(sentence: str, *, as_json: bool) -> None:
    """What is wrong, and the way out."""
    sentence = in_options(sentence)
    if as_json:
        say_json({"error": sentence})
    else:
        print(f"{_coloured('error:', '1;31', sys.stderr)} {sentence}", file=sys.stderr)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """What the library warns of while the block runs reads as our other notes do."""

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ClearwoodWarning)
        yield
    note(dict.fromkeys(str(each.message) for each in caught if issubclass(each.category, ClearwoodWarning)))


def dim(text: str, stream: TextIO) -> str:
    return _coloured(text, "2", stream)


def colours(stream: TextIO) -> bool:
    """Is this a terminal whose owner wants colour? (no-color.org)"""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _finite(answer: Any) -> Any:
    """The answer with null where there is no number: JSON has no NaN."""
    if isinstance(answer, float):
        return answer if math.isfinite(answer) else None
    if isinstance(answer, Mapping):
        return {name: _finite(each) for name, each in answer.items()}
    return [_finite(each) for each in answer] if isinstance(answer, list | tuple) else answer


def _coloured(text: str, code: str, stream: TextIO) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colours(stream) else text
