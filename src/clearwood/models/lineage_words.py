"""Lineage in words: what was done to a model after it was learned, one line for each entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from clearwood.models import lineage
from clearwood.models.lineage import LearnerAsData, Plain
from clearwood.records import dataclass
from clearwood.words.numbers import brief, many, part_of

_METHODS: Final = {"platt": "Platt's curve", "isotonic": "isotonic steps"}


def lineage_lines(after: Sequence[lineage.Done]) -> list[str]:
    """A lineage in sentences: how learning ended, if before its time, and what was done after it.

    >>> lineage_lines([lineage.EndedEarly(37, 100, "tree", "interrupted"), lineage.AsWeights()])
    ['Learning was interrupted after 37 of 100 trees.', 'After learning: written as weights.']
    """
    by_time = lineage_by_time(after)
    imported = [done for done in by_time.after if isinstance(done, lineage.Imported)]
    lines = [f"{text[0].upper()}{text[1:]}." for text in map(in_words, (*by_time.before, *imported))]
    lines += [f"L{_ended(done)[1:]}." for done in by_time.ended]
    rest = "; ".join(in_words(done) for done in by_time.after if done not in imported)
    return [*lines, f"After learning: {rest}."] if rest else lines


@dataclass(frozen=True, slots=True)
class LineageByTime:
    """The entries of a lineage: what came before learning, how learning ended, what was done after it."""

    before: tuple[lineage.Done, ...]
    ended: tuple[lineage.EndedEarly, ...]
    after: tuple[lineage.Done, ...]


def lineage_by_time(done: Sequence[lineage.Done]) -> LineageByTime:
    """A lineage keeps everything in the order in which it was done; this says when that was."""
    before = tuple(
        each
        for each in done
        if isinstance(each, lineage.Selected | lineage.Balanced | lineage.Tuned | lineage.Chosen)
    )
    ended = tuple(each for each in done if isinstance(each, lineage.EndedEarly))
    kinds = lineage.Selected | lineage.Balanced | lineage.Tuned | lineage.Chosen | lineage.EndedEarly
    return LineageByTime(before, ended, tuple(each for each in done if not isinstance(each, kinds)))


def in_words(done: lineage.Done) -> str:
    """An entry of a lineage as part of a sentence.

    >>> in_words(lineage.Pruned("chi-square", {"alpha": 0.01}, 8, 5))
    'pruned by chi-square (alpha = 0.01), 8 nodes → 5'
    >>> in_words(lineage.Edited("move", (3,), to=1))
    'rule 3 moved to place 1'
    """
    match done:
        case lineage.Selected(by, columns, of):
            return f"{part_of(len(columns), of, 'column')} selected by {by}{_settings(done.settings)}"
        case lineage.Balanced(by):
            return f"training rows balanced by {by}{_settings(done.settings)}"
        case lineage.Tuned(settings, tried, by):
            chosen = "the simplest within one standard error of the best" if done.simplest else "the best"
            return f"settings tuned by {by}{_settings(settings)}, {chosen} of {tried:,} tried"
        case lineage.Chosen(among, by, simplest):
            chosen = "the simplest within one standard error of the best" if simplest else "the best"
            return f"chosen by {by}, {chosen} of {many(len(among), 'contender')}"
        case lineage.Pruned():
            fresh = " on rows given for it, taken to be new to the tree" if done.rows == "fresh" else ""
            how = f"pruned by {done.pruner}{_settings(done.settings)}{fresh}"
            return f"{how}, {many(done.nodes_before, 'node')} → {done.nodes_after:,}"
        case lineage.ReadAsRules():
            return "its leaves read as rules"
        case lineage.Simplified():
            rules = f"{many(done.rules_before, 'rule')} → {done.rules_after:,}"
            conditions = f"{many(done.conditions_before, 'condition')} → {done.conditions_after:,}"
            return f"simplified, {rules}, {conditions}"
        case lineage.Edited():
            return _edited(done)
        case lineage.CurveEdited():
            return _curve_edited(done)
        case lineage.Joined(other):
            return f"joined with {other.title}"
        case lineage.Distilled(of, fidelity):
            shares = "the probabilities of " if done.by == "shares" else ""
            pruned = "" if done.alpha is None else f", and pruned at {brief(done.alpha)} a leaf"
            aim = "" if done.quantile is None else f", whose {_quantiles(done.quantile)} it imitates"
            return f"distilled from {shares}{of.title}{aim}, with a fidelity of {fidelity:.3f}{pruned}"
        case lineage.Imported(program, version, called):
            return f"imported from {' '.join(filter(None, (program, version, called)))}"
        case lineage.EndedEarly():
            return _ended(done)
        case lineage.LearnedMore():
            return _learned_more(done)
        case lineage.AsWeights():
            return "written as weights"
        case lineage.Calibrated():
            return _calibrated(done)
        case lineage.Decided(what, how):
            named = "limit for referring rows" if what == "refer" else what
            return f"{named} set{f' {how}' if how else ''}{_chosen_by(done)}"
        case _:
            assert_never(done)


def _ended(done: lineage.EndedEarly) -> str:
    of = part_of(done.done, done.of, done.unit)
    match done.because:
        case "interrupted":
            return f"learning was interrupted after {of}"
        case "no error":
            return f"learning ended after {of}: the last makes no error, so that no row would weigh more"
        case "chance":
            return f"learning ended after {of}: the next was no better than chance by the rows' weights"
        case "beyond numbers":
            return f"learning ended after {of}: the weights of the rows grew beyond numbers"
        case "no step":
            allowed = "no split that the settings allow (min_child and others)"
            return f"learning ended after {of}: {allowed} lowers the loss any more"
        case _:
            assert_never(done.because)


def _quantiles(quantile: float) -> str:
    return "medians" if quantile == 0.5 else f"{quantile:g} quantiles"


def _learned_more(done: lineage.LearnedMore) -> str:
    if done.rounds is None:
        return f"learned from {done.rows:,} more rows"
    on = f"on {many(done.rows, 'other row')}" if done.rows else "on the same rows"
    if not done.rounds:
        return f"no round added {on}: none lowered the held-out loss"
    return f"{many(done.rounds, 'round')} added {on}"


def _calibrated(done: lineage.Calibrated) -> str:
    text = f"calibrated by {_METHODS.get(done.method, done.method)}{_chosen_by(done)}"
    scores = [("log loss", done.log_loss), ("Brier score", done.brier)]
    named = [f"{name} {pair[0]:.4f} → {pair[1]:.4f}" for name, pair in scores if pair is not None]
    return f"{text}, {', '.join(named)} on rows it was not fitted to" if named else text


def _chosen_by(done: lineage.Calibrated | lineage.Decided) -> str:
    """Which rows chose it."""
    match done.by:
        case "none":
            return ""
        case "training":
            return " in folds of the training rows"
        case "fresh":
            return f" on {many(done.rows, 'row')} given for it" if done.rows else ""
        case _:
            assert_never(done.by)


def _edited(done: lineage.Edited) -> str:
    rules = f"rule{'' if len(done.rules) == 1 else 's'} {', '.join(map(str, done.rules))}"
    match done.edit:
        case "add":
            return f"rule {done.to} added: {done.text}"
        case "change":
            return f"{rules} changed to {done.text}"
        case "delete":
            return f"{rules} deleted"
        case "move":
            return f"{rules} moved to place {done.to}"
        case "otherwise":
            return f"default set to {done.text}"
        case "recount":
            return "counted again"
        case _:
            assert_never(done.edit)


def _curve_edited(done: lineage.CurveEdited) -> str:
    name = " × ".join(done.columns)
    match done.edit:
        case "monotone":
            direction, comma, whose = done.how.partition(",")
            return f"the curve of {name} made to go {direction} only{comma}{whose}"
        case "flatten":
            return f"the curve of {name} made level, {done.how}"
        case "smooth":
            return f"the curve of {name} smoothed {done.how}"
        case "set":
            return f"points of {name} set, {done.how}"
        case "drop":
            return f"{name} dropped {done.how}".rstrip()
        case _:
            assert_never(done.edit)


def _settings(settings: Mapping[str, Plain]) -> str:
    given = {name: value for name, value in settings.items() if value is not None}  # None is the default
    named = ", ".join(f"{name} = {_value(value)}" for name, value in given.items())
    return f" ({named})" if named else ""


def _value(value: Plain) -> str:
    if isinstance(value, LearnerAsData):
        return value.learner
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_value(each)}" for name, each in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
