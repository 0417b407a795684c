"""Letters: which characters words are made of, and the small ones of capitals, as our modules read them."""

from __future__ import annotations

from typing import Any

from clearwood import _native


def letters() -> dict[str, Any]:
    """`runs`: from which code point on characters are of which kind; `cases`: small letters of capitals."""
    runs = [[first, int(kind)] for first, kind in _native.letter_runs()]
    return {"runs": runs, "cases": {chr(large): chr(small) for large, small in _native.case_pairs()}}
