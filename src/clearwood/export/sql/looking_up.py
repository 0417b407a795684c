"""Lists in SQL: CASE by a place, in blocks where it is long; as a list where the database has such."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

_BLOCK: Final = 40


def looked_up(
    at: str,
    entries: Sequence[str],
    indent: str = "",
    *,
    otherwise: str | None = None,
    in_list: Callable[[str, str], str] | None = None,
) -> str:
    """The entry at a place, counted from 0; `otherwise` outside the list, where such places occur.

    Where the database has lists, a long one is written by `in_list`, which finds an entry at once.

    >>> print(looked_up("leaf", ["0.5", "1.0"]))
    CASE leaf
      WHEN 0 THEN 0.5
      ELSE 1.0
    END
    """
    if otherwise is None and len(set(entries)) == 1:
        return entries[0]
    if otherwise is not None:
        within = looked_up(at, entries, indent + "  ", in_list=in_list)
        return f"CASE\n{indent}  WHEN {at} >= 0 THEN {within}\n{indent}  ELSE {otherwise}\n{indent}END"
    if len(set(entries)) <= min(20, len(entries) // 3):
        return _by_entry(at, entries, indent)
    if len(entries) <= _BLOCK:
        return _by_place(at, entries, 0, indent)
    if in_list is not None:
        return in_list(f",\n{indent}    ".join(entries), at)
    lines = ["CASE"]
    for start in range(0, len(entries), _BLOCK):
        block = _by_place(at, entries[start : start + _BLOCK], start, indent + "  ")
        last = start + _BLOCK >= len(entries)
        lines.append(f"{indent}  {'ELSE' if last else f'WHEN {at} < {start + _BLOCK} THEN'} {block}")
    return "\n".join([*lines, f"{indent}END"])


def place_among(cell: str, texts: Sequence[str], empty: str, missing: int, unseen: int, indent: str) -> str:
    """The place of a text in a list; those of an empty cell and of a text that is not listed are given."""
    lines = [f"CASE\n{indent}  WHEN {empty} THEN {missing}"]
    lines += [f"WHEN {cell} = {text} THEN {place}" for place, text in enumerate(texts)]
    return f"\n{indent}  ".join([*lines, f"ELSE {unseen}"]) + f"\n{indent}END"


def _by_place(at: str, entries: Sequence[str], first: int, indent: str) -> str:
    if len(entries) == 1:
        return entries[0]
    lines = [f"{indent}  WHEN {first + place} THEN {each}" for place, each in enumerate(entries[:-1])]
    return "\n".join([f"CASE {at}", *lines, f"{indent}  ELSE {entries[-1]}", f"{indent}END"])


def _by_entry(at: str, entries: Sequence[str], indent: str) -> str:
    """Where few entries recur, the places of each; those of the most frequent are left to the end."""
    places: dict[str, list[int]] = {}
    for place, entry in enumerate(entries):
        places.setdefault(entry, []).append(place)
    ordered = sorted(places, key=lambda entry: len(places[entry]))
    lines = [
        f"{indent}  WHEN {at} IN ({', '.join(map(str, places[entry]))}) THEN {entry}"
        for entry in ordered[:-1]
    ]
    return "\n".join(["CASE", *lines, f"{indent}  ELSE {ordered[-1]}", f"{indent}END"])
