"""What an audit finds, as plain data: each finding with the rules it names and a row that shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from clearwood.formulas.conditions import written
from clearwood.words.numbers import many, number, row_count, with_and

Example: TypeAlias = Mapping[str, str | float | None]  # cells by column; None is an empty one
Falling: TypeAlias = Literal["known", "missing", "never met"]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rules that a row can satisfy at once, such as `example`; rules are numbered from 1.

    `decides` says whether the order of the two matters: is there a row on which they disagree and which no
    rule before them takes? None: not settled within the budget. `rows` is the weight of the table's rows
    that satisfy both.
    """

    first: int
    second: int
    example: Example
    decides: bool | None = False
    rows: float | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of the space that no rule takes, as wide as it can be; `rows` are the table's rows in it.

    `because` says what a row must have to fall into it: known cells will do, or it takes an empty cell or
    a value never met.
    """

    region: str
    example: Example
    because: Falling = "known"
    rows: float | None = None


@dataclass(frozen=True, slots=True)
class Dead:
    """A rule that never answers: these rules before it take every row that satisfies it."""

    rule: int
    behind: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Impossible:
    """A rule that no row can satisfy, by what it asks of one column."""

    rule: int
    because: str


@dataclass(frozen=True, slots=True)
class Audit:
    """The findings of an audit, all certain. Lists of pairs and gaps may be shortened; totals never are.

    `uncovered` and `weight` are None without a table. `unsettled` says in sentences what would have needed
    more than the budget; `more_gaps` and a pair's `decides` of None leave it open too.
    """

    rules: int
    matching: str
    impossible: tuple[Impossible, ...]
    dead: tuple[Dead, ...]
    redundant: tuple[int, ...]  # without one of these, alone, every row gets the answer it has now
    conflicts: tuple[Pair, ...]
    conflicts_in_all: int
    decided_by_order: int  # conflicts in which the order decides
    overlaps: tuple[Pair, ...]
    overlaps_in_all: int
    gaps: tuple[Gap, ...]
    more_gaps: bool  # were there more than are listed?
    uncovered: float | None  # the weight of the table's rows that no rule takes
    weight: float | None  # of all the table's rows
    otherwise: str  # the default answer, which rows in a gap get
    unsettled: tuple[str, ...] = ()

    @property
    def order_free(self) -> bool:
        """Do all orders of the rules give the same answers? They do if no two that meet disagree."""
        return self.matching == "vote" or self.conflicts_in_all == 0

    def to_json(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {**asdict(self), "order_free": self.order_free}

    def __str__(self) -> str:

        return audit_text(self)


# An audit as text: a section for each kind of finding, short sentences, and a row for each.


def audit_text(audit: Audit) -> str:
    """The whole of it."""
    how = "every rule that holds votes" if audit.matching == "vote" else "the first rule that holds decides"
    lines = [f"{many(audit.rules, 'rule')}; {how}."]
    lines += [f"Impossible: rule {each.rule} can never hold: {each.because}." for each in audit.impossible]
    lines += map(_dead, audit.dead)
    if audit.redundant:
        one = len(audit.redundant) == 1
        lines.append(
            f"Redundant: without rule {audit.redundant[0]} every row gets the prediction it gets now."
            if one
            else f"Redundant: without any one of the rules {_and(audit.redundant)} every row gets the "
            "prediction it gets now. Take one out, then audit again."
        )
    lines += _conflicts(audit)
    lines += _overlaps(audit)
    lines += _gaps(audit)
    lines.append(_order(audit))
    lines += audit.unsettled
    return "\n".join(lines)


def example_text(example: Example) -> str:
    """`Outlook = Sunny, Humidity = 70, Wind is missing`"""
    return ", ".join(_cell(name, cell) for name, cell in example.items()) or "any row"


def _cell(name: str, cell: str | float | None) -> str:
    if cell is None:
        return f"{written(name)} is missing"
    return f"{written(name)} = {cell if isinstance(cell, str) else number(cell)}"


def _dead(dead: Dead) -> str:
    if not dead.behind:
        return f"Dead: rule {dead.rule} never applies."
    who = f"rule {dead.behind[0]} takes" if len(dead.behind) == 1 else f"rules {_and(dead.behind)} take"
    return f"Dead: rule {dead.rule} never applies: {who} every row that satisfies it."


def _conflicts(audit: Audit) -> Iterator[str]:
    if not audit.conflicts_in_all:
        yield "Conflicts: none. Rules that a row can satisfy at once agree."
        return
    sentence = f"Conflicts: {many(audit.conflicts_in_all, 'pair')} of rules can hold at once and disagree"
    if audit.matching == "first":
        sentence += f"; the order decides in {audit.decided_by_order:,}"
    yield sentence + "."
    yield from _listed(audit.conflicts, audit.conflicts_in_all)


def _overlaps(audit: Audit) -> Iterator[str]:
    if audit.overlaps_in_all:
        yield f"Overlaps: {many(audit.overlaps_in_all, 'pair')} of rules can hold at once and agree."
        yield from _listed(audit.overlaps, audit.overlaps_in_all)


def _gaps(audit: Audit) -> Iterator[str]:
    known = [gap for gap in audit.gaps if gap.because == "known"]
    strange = [gap for gap in audit.gaps if gap.because != "known"]
    then = f"they get the default, {audit.otherwise}" if audit.otherwise else "they get no prediction"
    if known or audit.more_gaps:
        yield f"Gaps: no rule takes such rows; {then}."
        yield from map(_gap, known)
        if audit.more_gaps:
            yield "  … and more."
    elif strange:
        yield "Gaps: none for rows whose cells are all known."
    else:
        yield "Gaps: none. Every row satisfies a rule."
    if strange:
        yield f"Rows with an empty cell, or a value never met, that no rule takes; {then}:"
        yield from map(_gap, strange)
    if audit.uncovered is not None and audit.weight:
        share = f"{100 * audit.uncovered / audit.weight:.1f} %"
        yield f"Of the table's {audit.weight:,.10g} rows no rule takes {audit.uncovered:,.10g} ({share})."


def _gap(gap: Gap) -> str:
    return f"  {gap.region}{_rows(gap.rows)}, such as {example_text(gap.example)}"


def _listed(pairs: Sequence[Pair], in_all: int) -> Iterator[str]:
    for pair in pairs:
        who = f"rules {pair.first} and {pair.second}{_rows(pair.rows)}"
        yield f"  {who}, such as {example_text(pair.example)}"
    if len(pairs) < in_all:
        yield f"  … and {in_all - len(pairs):,} more."


def _order(audit: Audit) -> str:
    if audit.matching == "vote":
        return "Order: of no effect, for the rules vote. What a vote makes redundant is not examined."
    if audit.order_free:
        return "Order: of no effect. The rules can be read one by one."
    return "Order: it matters. A rule means what it says only where no rule before it holds."


def _rows(rows: float | None) -> str:
    return "" if rows is None else f" ({row_count(rows)})"


def _and(rules: Sequence[int]) -> str:
    """At most twenty, by number."""
    names = [str(rule) for rule in rules[:20]]
    return with_and(names) if len(rules) <= 20 else f"{', '.join(names)}, … ({len(rules):,} in all)"
