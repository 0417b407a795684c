"""What else changed from one model to another: kind, size, columns, values, classes, decision and origin."""

from __future__ import annotations

from collections.abc import Iterator

from clearwood.models.decision_words import decision_words
from clearwood.models.lineage_words import in_words
from clearwood.models.model import Model, model_in_words
from clearwood.models.origin import Origin
from clearwood.predict.columns import columns_used
from clearwood.table.attributes import Nominal, Ordinal, kind_of
from clearwood.table.schema import Schema
from clearwood.words.lists import with_and
from clearwood.words.numbers import number


def other_changes(old: Model, new: Model) -> tuple[str, ...]:
    """A sentence for each; none for models that are alike in all of it."""
    return tuple(_sentences(old, new))


def _sentences(old: Model, new: Model) -> Iterator[str]:
    one, other = model_in_words(old), model_in_words(new)
    if one != other:
        yield f"Model: {one} became {other}."
    yield from _columns(old, new)
    yield from _schemas(old.schema, new.schema)
    if old.decision != new.decision:
        before, after = decision_words(old), decision_words(new)
        yield from (f"Decision, no longer: {each}" for each in before if each not in after)
        yield from (f"Decision, new: {each}" for each in after if each not in before)
        if before == after:
            yield "Decision: the figures of its calibration or costs changed."
    yield from _origins(old.origin, new.origin)


def _columns(old: Model, new: Model) -> Iterator[str]:
    before, after = columns_used(old), columns_used(new)
    if after - before:
        yield f"Asks now about {_quoted(after - before)}."
    if before - after:
        yield f"No longer asks about {_quoted(before - after)}."


def _schemas(old: Schema, new: Schema) -> Iterator[str]:
    shared = [name for name in old.positions if name in new.positions]
    added = [name for name in new.positions if name not in old.positions]
    gone = [name for name in old.positions if name not in new.positions]
    if added:
        yield f"Schema: {_quoted(added)} came in."
    if gone:
        yield f"Schema: {_quoted(gone)} went out."
    pairs = [(f"column '{name}'", old[name], new[name]) for name in shared]
    if old.target is not None and new.target is not None:
        pairs.append((f"target '{new.target.name}'", old.target, new.target))
    for what, one, other in pairs:
        if kind_of(one) != kind_of(other):
            yield f"Schema: {what} was {kind_of(one)} and is {kind_of(other)}."
        elif isinstance(one, Nominal | Ordinal) and isinstance(other, Nominal | Ordinal):
            more = [value for value in other.values if value not in one.values]
            less = [value for value in one.values if value not in other.values]
            if more:
                yield f"Schema: {what} has new values {_quoted(more)}."
            if less:
                yield f"Schema: {what} no longer has the values {_quoted(less)}."
            if not more and not less and one.values != other.values:
                yield f"Schema: {what} has its values in another order."


def _origins(old: Origin, new: Origin) -> Iterator[str]:
    if old.learner != new.learner:
        yield f"Origin: learned by {old.learner}, now by {new.learner}."
    else:
        names = list(dict.fromkeys((*old.settings, *new.settings)))
        for name in names:
            one, other = old.settings.get(name), new.settings.get(name)
            if one != other:
                yield f"Origin: {name} was {_plain(one)} and is {_plain(other)}."
    if old.fingerprint != new.fingerprint:
        yield (
            f"Origin: learned from other rows, {number(old.rows)} before and {number(new.rows)} now "
            f"({old.fingerprint or 'unknown'} and {new.fingerprint or 'unknown'})."
        )
    if old.version != new.version:
        yield f"Origin: made by version {old.version or 'unknown'}, now by {new.version or 'unknown'}."
    common = 0
    while common < min(len(old.after), len(new.after)) and old.after[common] == new.after[common]:
        common += 1
    if old.after[common:]:
        yield f"Lineage, no longer: {'; '.join(map(in_words, old.after[common:]))}."
    if new.after[common:]:
        yield f"Lineage, new: {'; '.join(map(in_words, new.after[common:]))}."


def _quoted(names: set[str] | list[str]) -> str:
    listed = sorted(names) if isinstance(names, set) else names
    shown = [f"'{name}'" for name in listed[:8]]
    return with_and([*shown, f"{len(listed) - 8} more"] if len(listed) > 8 else shown)


def _plain(value: object) -> str:
    return number(value) if isinstance(value, float) else "not set" if value is None else str(value)
