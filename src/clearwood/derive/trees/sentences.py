"""What a node decided, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from clearwood.counting.task import Task
from clearwood.counting.ties import TIE
from clearwood.derive.trees.place import TreePlace
from clearwood.learners.trees.offers import Offer
from clearwood.words.numbers import exact_row_count, short, with_noun


def won(task: Task, offers: Sequence[Offer], chosen: Offer, word: str, score: int) -> str:
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
