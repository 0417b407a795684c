"""`diff`: the regions in which two models answer differently, and how many rows are in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from clearwood.checking.difference.by_rows import with_rows
from clearwood.checking.difference.difference import Difference
from clearwood.checking.difference.exact import exact_difference
from clearwood.errors import SettingError
from clearwood.models.in_words import decision_words, in_words
from clearwood.models.lineage import Origin
from clearwood.models.model import Model, RuleList, Tree, check_kind, model_in_words
from clearwood.models.space.settling import BUDGET
from clearwood.models.space.space_of import columns_used
from clearwood.predicting.columns import table_for
from clearwood.scoring.evaluation import ForeignClassesError, true_answers
from clearwood.study.comparing.models import check_same_target
from clearwood.table import encode
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.table.schema import Schema
from clearwood.table.table import Table
from clearwood.words.numbers import number, row_count, with_and

_UNNAMED: Final = ("the old model", "the new model")


def diff(
    old: Model,
    new: Model,
    table: Any = None,
    *,
    shares: float | None = None,
    most: int = 20,
    budget: int = BUDGET,
    names: tuple[str, str] = _UNNAMED,
) -> Difference:
    """Where two models of the same target answer differently.

    Of trees and lists of rules it is exact: every row that could be is considered, with empty cells and
    values never met, and decisions (costs, cutoff, calibration) as they are. A `table` (or its source)
    says how many of its rows each region has. Models of other kinds are compared on its rows alone.
    `shares`: also the regions in which some share moves by more than this. Up to `most` regions are listed,
    those with the most rows first. `budget` bounds the boxes looked at: `left_open` says what it leaves open.
    Rows none of which is of a class that either model knows are refused: their classes have other names.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> tree = cw.ID3().learn(table)
    >>> changed = diff(cw.ID3(max_depth=1).learn(table), tree, table)
    >>> [(each.region, each.before, each.after, each.rows) for each in changed.regions][:1]
    [('Outlook = Rainy AND Wind = Strong', 'Yes', 'No', 2.0)]
    """
    check_kind("diff", old)
    check_kind("diff", new)
    if most < 0 or budget < 1:
        raise SettingError("most must be 0 or more, and budget 1 or more.")
    if shares is not None and not 0 <= shares <= 1:
        raise SettingError(f"shares is the change of a probability, from 0 to 1, not {shares:g}.")
    written: Sequence[str] = names if names == _UNNAMED else [f"'{each}'" for each in names]
    check_same_target(dict(zip(written, (old, new), strict=True)))
    if shares is not None and old.is_numeric:
        raise SettingError("These models predict numbers, which have no probabilities. Leave shares out.")
    rows = () if table is None else (table_for(old, table), table_for(new, table))
    if table is not None:
        _check_classes(old, new, table)
    by_kind = _why_by_rows(old, new, names)
    if by_kind or not isinstance(old, Tree | RuleList) or not isinstance(new, Tree | RuleList):
        if table is None:
            raise SettingError(f"{by_kind} They can be compared on rows only: give a table.")
        difference = Difference(names, False, by_kind, (), 0, by_more_than=shares)
    else:
        difference = exact_difference(names, old, new, table, shares=shares, most=most, budget=budget)
    difference = replace(difference, about=other_changes(old, new))
    if table is None:
        return difference
    difference = with_rows(difference, old, new, rows, most)
    if difference.exact:
        return difference
    return replace(difference, reached=f"{by_kind} Compared on {row_count(difference.rows or 0.0)}.")


def _check_classes(old: Model, new: Model, table: Any) -> None:
    """Refuse rows of classes that neither model knows; a class that one of them knows came in or went out."""
    for model in (new, old):
        target = model.schema.target
        if not isinstance(target, Nominal | Ordinal):
            return
        coded = table
        if not isinstance(table, Table):
            coded = encode(table, replace(model.schema, weight=None), only=(), own_classes=True)
        if target.name not in coded.columns:
            return
        try:
            true_answers(model, coded)
        except ForeignClassesError:
            if model is old:
                raise
        else:
            return


def _why_by_rows(old: Model, new: Model, names: tuple[str, str]) -> str:
    """Why two models cannot be compared exactly; empty where they can."""
    for name, model in zip(names, (old, new), strict=True):
        if not isinstance(model, Tree | RuleList):
            return f"Regions are known of trees and rules, and {name} is {model_in_words(model)}."
    for column in sorted(columns_used(old) & columns_used(new)):
        kinds = [model.schema[column].kind for model in (old, new)]
        if "numeric" in kinds and kinds[0] != kinds[1]:
            return f"The column '{column}' is {kinds[0]} in {names[0]} and {kinds[1]} in {names[1]}."
    return ""


# What else changed from one model to another: kind, size, columns, values, classes, decision and origin.


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
        yield f"Now uses {_quoted(after - before)}."
    if before - after:
        yield f"No longer uses {_quoted(before - after)}."


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
        if one.kind != other.kind:
            yield f"Schema: {what} was {one.kind} and is {other.kind}."
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
