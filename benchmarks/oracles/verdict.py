"""A verdict: do two programs agree on this table?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    table: str
    same: bool
    detail: str
