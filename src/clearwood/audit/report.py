"""An audit as text: a section for each kind of finding, short sentences, and a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clearwood.audit.findings import Audit, Dead, Example, Gap, Pair
from clearwood.models.words import written
from clearwood.words.numbers import many, number, row_count


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
    if len(rules) > 20:
        return f"{', '.join(names)}, … ({len(rules):,} in all)"
    return ", ".join(names[:-1]) + f" and {names[-1]}"
