"""An ensemble as text: its members, how they are combined, how well they did, and which columns count."""

from typing import Final, assert_never

import numpy as np

from clearwood.explaining.importances import importances_of_trees
from clearwood.learners.directions import directions_in_words
from clearwood.models.in_words import decision_words, lineage_lines, with_weights
from clearwood.models.kinds.ensemble.ensemble import Ensemble, LearningCurve, score_name
from clearwood.models.kinds.kind import kind_of
from clearwood.models.predicted import predicted
from clearwood.words.columns import named_columns, printable
from clearwood.words.numbers import brief, many, percent, told_apart

_COLUMNS: Final = 20  # that are listed


def draw_ensemble(model: Ensemble) -> str:
    """A sentence on what it is, its curves, and its columns by importance.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> tree = cw.ID3().learn(table)
    >>> from clearwood.models.kinds.ensemble.many_trees import joined_trees
    >>> print(draw_ensemble(cw.Ensemble(table.schema, joined_trees([tree.nodes] * 3, "shares"))))
    PlayTennis by 3 trees of 5 leaves; their probabilities are averaged.
    <BLANKLINE>
    column    importance
    Humidity        37 %
    Wind            37 %
    Outlook         25 %
    """
    settings = model.origin.settings
    lines = [f"{in_a_sentence(model)}{with_weights(model.origin)}.", *decision_words(model)]
    # Priors and costs that are in the weights by which rows began, and in no share.
    given = [name for name in ("priors", "costs") if settings.get(name) is not None]
    if model.origin.learner == "AdaBoost" and given:
        lines.append(f"Rows began with weights by {' and '.join(given)}: the vote is by them.")
    lines += [*directions_in_words(settings), *lineage_lines(model.origin.after)]
    lines += [curve_in_words(each) for each in model.curves]
    listed = columns_listed(model)
    if listed:
        names, parts = zip(*listed[:_COLUMNS], strict=True)
        columns = {"column": names, "importance": [f"{percent(part)} %" for part in parts]}
        lines += ["", *named_columns(columns)]
        if len(listed) > _COLUMNS:
            lines.append(f"… and {many(len(listed) - _COLUMNS, 'more column')}")
    return "\n".join(printable(line) for line in lines)


def in_a_sentence(model: Ensemble) -> str:
    """What is combined, and how; without the full stop."""
    target = "" if model.schema.target is None else model.schema.target.name
    what = predicted(model)
    named = what if what == target else f"T{what[1:]}"
    return f"{named} by {members_in_words(model)}; {_combined(model)}"


def members_in_words(model: Ensemble) -> str:
    """How many members of what kind there are, and of what size."""
    if model.trees is None:
        kinds = list(dict.fromkeys(kind_of(each).called.partition(" ")[2] for each in model.models))
        kind = kinds[0] if len(kinds) == 1 else "model"
        return many(model.size, kind, f"{kind}s")
    leaves = np.add.reduceat(model.trees.nodes.is_leaf.astype(np.int64), model.trees.start[:-1])
    low, high = int(leaves.min()), int(leaves.max())
    size = many(high, "leaf", "leaves") if low == high else f"{low:,} to {high:,} leaves"
    return f"{many(model.size, 'tree', 'trees')} of {size}"


def _combined(model: Ensemble) -> str:
    weighed = " by their weights" if len(set(model.weights)) > 1 else ""
    alone = model.size == 1
    match model.combined_by:
        case "mean" | "votes" if alone:
            return "its prediction is the prediction"
        case "mean":
            return f"their {'numbers' if model.is_numeric else 'probabilities'} are averaged{weighed}"
        case "votes":
            return f"they vote{weighed}"
        case "sum":
            base = ", ".join(map(brief, model.base))
            log = ", on the scale of its log" if model.link == "exp" else ""
            if model.link == "logistic":
                log = f", the {score_name(model.schema, model.link, 0)}"
            return f"{'its' if alone else 'their'} steps are added to {base}{log}"
        case _:
            assert_never(model.combined_by)


def curve_in_words(curve: LearningCurve) -> str:
    """A curve's end, and its best where that is another."""
    place = curve.least
    last, lowest = told_apart(curve.values[-1], curve.values[-1 if place is None else place - 1])
    kept = f", kept {curve.best:,}" if curve.best is not None else ""
    least = "" if place is None else f", lowest {lowest} with {place:,}"
    score = curve.score[:1].upper() + curve.score[1:]
    return f"{score} on {curve.on}: {last} with {len(curve.values):,}{least}{kept}."


def columns_listed(model: Ensemble) -> list[tuple[str, float]]:
    """The columns that trees split on with their importances, the largest first; none of other members."""
    if model.trees is None:
        return []
    parts = importances_of_trees(model).tolist()
    named = [(each.name, part) for each, part in zip(model.schema.attributes, parts, strict=True) if part > 0]
    return sorted(named, key=lambda each: -each[1])
