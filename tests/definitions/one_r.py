"""OneR, row by row, as Holte (1993) and WEKA have it: the definition of its intervals and rules."""

from __future__ import annotations

from collections import Counter, defaultdict

from clearwood.table.attributes import Numeric
from clearwood.table.table import Table


def one_rule(table: Table, min_bucket: int) -> tuple[str, dict[str, str], float]:
    """The column, the class of each value, interval ("≤ cut" by its largest number) or missing cell, and how
    many rows that predicts correctly."""
    best: tuple[str, dict[str, str], float] = ("", {}, -1.0)
    for attribute in table.schema.inputs:
        cells = table.columns[attribute.name].tolist()
        classes = [table.schema.classes[code] for code in table.target.tolist()]
        by_value: dict[float, Counter[str]] = defaultdict(Counter)
        missing: Counter[str] = Counter()
        for cell, name in zip(cells, classes, strict=True):
            absent = cell != cell if isinstance(attribute, Numeric) else cell < 0
            (missing if absent else by_value[cell])[name] += 1
        groups = {str(value): counts for value, counts in by_value.items()}
        if isinstance(attribute, Numeric):
            groups = _intervals(by_value, min_bucket)
        if missing:
            groups["missing"] = missing
        right = float(sum(max(counts.values()) for counts in groups.values()))
        if right > best[2]:
            best = attribute.name, {value: _most(counts) for value, counts in groups.items()}, right
    return best


def _intervals(by_value: dict[float, Counter[str]], min_bucket: int) -> dict[str, Counter[str]]:
    """Each interval by its largest number, neighbours of one class joined."""
    buckets: list[tuple[float, Counter[str]]] = []
    for value, counts in sorted(by_value.items()):
        if buckets:
            inside = buckets[-1][1]
            class_of = _most(inside)
            if inside[class_of] < min_bucket or _most(counts) == class_of:
                buckets[-1] = (value, inside + counts)
                continue
        buckets.append((value, counts))
    joined: list[tuple[float, Counter[str]]] = []
    for value, counts in buckets:
        if joined and _most(joined[-1][1]) == _most(counts):
            joined[-1] = (value, joined[-1][1] + counts)
        else:
            joined.append((value, counts))
    return {f"≤ {value + 0.0}": counts for value, counts in joined}


def _most(counts: Counter[str]) -> str:
    return min(counts, key=lambda name: (-counts[name], name))
