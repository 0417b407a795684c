"""A strict JSON parser for what the quick decoder refused or was too lenient about: it locates errors."""

from __future__ import annotations

import json
import math
from typing import Any, Final, NoReturn

from clearwood.serve.exchange import RefusalError

_MOST_DIGITS: Final = 400  # of a whole number: beyond that it is no double, and costs time to read


def slowly_decoded(body: bytes) -> Any:
    """The content, or a refusal with the place: no name twice, no NaN, no lone surrogate. A number beyond
    all doubles is read as infinite, for whoever knows its column to refuse.

    >>> slowly_decoded(b'{"age": 1e999}')
    {'age': inf}
    """
    if not body.strip():
        raise _refusal("The body is empty. Send a row as a JSON object, or rows as an array of objects.")
    try:
        data = json.loads(
            body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_whole
        )
        # What cannot be written as UTF-8 is half a pair of surrogates.
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise _refusal(f"The body is not UTF-8 text: {error.reason} at byte {error.start + 1}.") from None
    except UnicodeEncodeError:
        raise _refusal(
            "A text of the body holds half of a surrogate pair, which is not a character."
        ) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, character {error.colno}"
        raise _refusal(f"The body is not JSON: {error.msg}, at {where}.") from None
    except RecursionError:
        raise too_deep() from None
    return data


def too_deep() -> RefusalError:
    """The refusal of lists within lists within lists."""
    return _refusal("The JSON is nested too deeply for a row.")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique: dict[str, Any] = {}
    for name, value in pairs:
        if name in unique:
            name = name.encode("utf-8", "replace").decode()
            raise _refusal(f"A row has the column '{name}' twice.", {name: "It is there twice."})
        unique[name] = value
    return unique


def _no_constant(word: str) -> NoReturn:
    raise _refusal(f"JSON has no {word}. Send null for a value that is not known.")


def _whole(digits: str) -> int | float:
    if len(digits) <= _MOST_DIGITS:
        return int(digits)
    return -math.inf if digits.startswith("-") else math.inf


def _refusal(sentence: str, columns: dict[str, str] | None = None) -> RefusalError:
    return RefusalError(sentence, status=400, because="malformed", columns=columns)
