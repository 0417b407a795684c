"""The growing of a tree, one step per node: what every attribute offered there, and what was decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clearwood.catalogue import entry_of
from clearwood.counting.question import Question, condition
from clearwood.counting.ties import TIE
from clearwood.deriving.trees.gains import counts_figure
from clearwood.deriving.trees.growth import Growth, TreePlace, Worked, WorkOut, question_at
from clearwood.deriving.trees.leaves import leaf_figures
from clearwood.errors import SettingError
from clearwood.learners.trees.counted import TreeTask
from clearwood.learners.trees.growing_by_counts import surrogates_of
from clearwood.learners.trees.offers import Offer
from clearwood.registry import imported
from clearwood.words.numbers import exact_row_count, short, with_noun
from clearwood.working.derivation import BecameSplit, Outcome, Step, Stopped
from clearwood.working.figures import Lazy


def growing_steps(growth: Growth, ended_as: Sequence[int]) -> Lazy[Step]:
    """A step for each node of the grown tree, in preorder.

    `ended_as` [node] is the node of the pruned tree that a grown node became; −1 where it is gone.
    """
    work = _work_of(growth)
    return Lazy(len(growth.tree.nodes), lambda node: _step(growth, work, node, ended_as[node]))


def _step(growth: Growth, work: WorkOut, node: int, ended: int) -> Step:
    tree = growth.tree
    place = growth.place(node)
    task = place.task
    worked = _worked(growth, work, place)
    counts = task.summary(place.counts)
    figures = worked.figures
    outcome: Outcome
    if worked.question is None:
        figures += leaf_figures(tree, counts, place.rows)
        outcome = Stopped(counts)
    else:
        outcome = question_outcome(task, worked.question, counts, tree.score_names)
    title = str(place.rows)
    return Step(
        "Growing", title[0].upper() + title[1:] if not place.rows.when else title,
        figures, worked.decision, outcome, place.rows, None if ended < 0 else ended,
        searches=True, alone=True,
    )  # fmt: skip


def _worked(growth: Growth, work: WorkOut, place: TreePlace) -> Worked:
    limit = growth.learner.max_depth
    if place.region.pure:
        return Worked((counts_figure(place),), pure(place))
    if limit is not None and place.region.depth >= limit:
        return Worked((counts_figure(place),), deep(limit))
    return work(place)


def _work_of(growth: Growth) -> WorkOut:
    """How the learner's choice at a place is worked out, as its entry in the catalogue says."""
    entry = entry_of(growth.learner)
    if entry is None or not entry.steps:
        raise SettingError(f"Trees of {type(growth.learner).__name__} have no steps to derive.")
    work: WorkOut = imported(entry.steps)(growth.learner, growth.task)
    return work


def outcome_at(growth: Growth, node: int) -> Outcome:
    """The outcome that a node of the grown tree has."""
    tree = growth.tree
    counts = tuple(tree.nodes.counts[node].tolist())
    if not tree.nodes.children(node):
        return Stopped(counts)
    return question_outcome(growth.task, question_at(tree, node), counts, tree.score_names)


def is_same_outcome(one: Outcome | None, other: Outcome | None) -> bool:
    """Is it the same but for the rounding of numbers?"""
    if isinstance(one, Stopped) and isinstance(other, Stopped):
        return np.allclose(one.counts, other.counts, rtol=1e-9, atol=1e-12)
    if not isinstance(one, BecameSplit) or not isinstance(other, BecameSplit):
        return one == other
    agreements = [[each.agreement for each in side.surrogates] for side in (one, other)]
    numbers = [
        [*side.shares, *(score for _, score in side.scores), *side.counts, *agreed]
        for side, agreed in zip((one, other), agreements, strict=True)
    ]
    asked = [
        (side.branches, side.otherwise, [replace(each, agreement=1.0) for each in side.surrogates])
        for side in (one, other)
    ]
    return asked[0] == asked[1] and np.allclose(numbers[0], numbers[1], rtol=1e-9, atol=1e-12)


def question_outcome(
    task: TreeTask, question: Question, counts: tuple[float, ...], score_names: tuple[str, ...]
) -> BecameSplit:
    """The outcome at a node that asks this question."""
    attribute = task.schema.attributes[question.attribute]
    return BecameSplit(
        tuple(condition(attribute, each) for each in question.branches),
        question.shares,
        tuple(zip(score_names, question.scores, strict=True)),
        counts,
        surrogates_of(task, question),
        None if question.otherwise < 0 else question.otherwise,
    )


# What a node decided, in a sentence.


def won(task: TreeTask, offers: Sequence[Offer], chosen: Offer, word: str, score: int) -> str:
    """Which attribute has the largest score, and whether another has the same."""
    names = [attribute.name for attribute in task.schema.attributes]
    best = chosen.scores[score]
    equal = [
        names[each.attribute]
        for each in offers
        if not each.out and each is not chosen and abs(each.scores[score] - best) <= TIE * max(1.0, abs(best))
    ]
    name = names[chosen.attribute]
    if equal:
        others = " and ".join(equal) if len(equal) < 3 else f"{len(equal)} others"
        have = "has" if len(equal) == 1 else "have"
        return (
            f"{name} has the largest {word}, {short(best)}; {others} {have} the same. "
            f"The first is taken: split on {name}."
        )
    return f"{name} has the largest {word}, {short(best)}: split on it."


def pure(place: TreePlace) -> str:
    """Every row here has the same class, or the same number."""
    task, weight = place.task, place.rows.weight
    if not weight > 0:
        return "No row comes here: a leaf that predicts as the node above it."
    if task.numbers is None:
        answer = task.schema.classes[int(place.counts.argmax())]
    else:
        answer = short(task.summary(place.counts)[1])
    if weight == 1:
        return f"The one row here is {answer}: a leaf."
    if weight == 2:
        return f"Both rows are {answer}: a leaf."
    all_of_them = f"All {exact_row_count(weight)}" if weight == int(weight) else "All rows"
    return f"{all_of_them} are {answer}: a leaf."


def deep(max_depth: int) -> str:
    long = "1 question" if max_depth == 1 else f"{max_depth} questions"
    return f"The way here is {long} long, and max_depth allows no more: a leaf."


def too_few(place: TreePlace, least: float) -> str:
    weight = exact_row_count(place.rows.weight)
    return f"A split needs {with_noun(f'{least:g}', 'row')}, and only {weight} reached this node: a leaf."


def almost_pure(place: TreePlace) -> str:
    answer = place.task.schema.classes[int(place.counts.argmax())]
    return f"Apart from tiny fractions of rows, all are {answer}: a leaf."
