"""A comparison as text: the trees in a table, what each learner did where they differ, and its scores."""

from collections.abc import Iterator, Sequence
from typing import Final

from clearwood.deriving.tree_comparison import Parting, TreeComparison
from clearwood.formulas.conditions import Condition
from clearwood.models.decision_words import all_of_shortened, shortened
from clearwood.models.kinds.tree.tree import Tree
from clearwood.scoring.costs import ExpectedCost
from clearwood.words.columns import display_width, in_columns, padded, printable, wrapped
from clearwood.words.numbers import exact_row_count, short

_WIDTH: Final = 100
_MOST_ATTRIBUTES: Final = 30  # with a line of scores each
_MOST_CLASSES: Final = 6  # counted one by one
_MOST_VALUES: Final = 5  # named in one condition
_MOST_WAYS: Final = 9  # of a question


def draw_tree_comparison(comparison: TreeComparison) -> str:
    """For a terminal; the first learner's words name the place."""
    return "\n".join(_lines(comparison)) + "\n"


def _lines(comparison: TreeComparison) -> Iterator[str]:
    models = comparison.models
    first = next(iter(models.values()))
    target = first.schema.target
    assert target is not None
    yield f"{_listed(tuple(models))} on {printable(target.name)}"
    yield ""
    yield from _table(_trees(comparison))
    yield ""
    if comparison.parting is None:
        yield "They never part: every tree sends the same rows the same ways."
    else:
        yield from (f"{_listed(each)} grow the same tree." for each in comparison.alike if len(each) > 1)
        yield from _parting(comparison.parting, first)
    for note in comparison.notes:
        yield ""
        yield from wrapped(note, _WIDTH)


def _trees(comparison: TreeComparison) -> list[list[str]]:
    heading = ["", "leaves", "depth", *(["right"] if comparison.right else [])]
    costs = comparison.costs
    if costs:
        heading += ["cost per row", "best constant prediction"]
    lines = [heading]
    for name, model in comparison.models.items():
        line = [printable(name), f"{model.leaves:,}", str(model.depth)]
        if name in comparison.right:
            line.append(f"{short(comparison.right[name])} of {short(float(model.nodes.counts[0].sum()))}")
        if costs:
            line += _cost(costs.get(name))
        lines.append(line)
    return lines


def _cost(cost: ExpectedCost | None) -> list[str]:
    if cost is None:
        return ["–", "–"]
    return [short(cost.per_row), f"{printable(cost.constant)}: {short(cost.constant_per_row)}"]


def _parting(parting: Parting, tree: Tree) -> Iterator[str]:
    when = parting.rows.when
    place = f"where {printable(all_of_shortened(when, _MOST_VALUES))}" if when else "at the root"
    yield from wrapped(f"They differ {place}: {_rows(parting, tree)}.", _WIDTH)
    names = [printable(name) for name in parting.choices]
    widest = max(map(display_width, names))
    for name, choice in zip(names, parting.choices.values(), strict=True):
        sentences = [_asks(choice.asks), *choice.because]
        lines = [line for each in sentences for line in wrapped(printable(each), _WIDTH - widest - 4)]
        yield f"  {padded(name, widest)}  {lines[0]}"
        yield from (f"  {' ' * widest}  {line}" for line in lines[1:])
    yield ""
    yield "What each attribute scores there (← taken)"
    yield from _table(_scores(parting))


def _asks(ways: Sequence[Condition]) -> str:
    if not ways:
        return "a leaf"
    named = ways if len(ways) <= _MOST_WAYS else ways[: _MOST_WAYS - 1]
    rest = [f"… {len(ways) - len(named)} more"] if len(ways) > len(named) else []
    return " | ".join([*(str(shortened(each, _MOST_VALUES)) for each in named), *rest])


def _scores(parting: Parting) -> list[list[str]]:
    """One line per attribute, one column per score of each learner."""
    choices = parting.choices
    attributes = list(next(iter(choices.values())).scores)
    columns = [
        (name, score) for name, choice in choices.items() for score in next(iter(choice.scores.values()), {})
    ]
    lines = [["", *(f"{printable(name)} {score.lower()}" for name, score in columns)]]
    for attribute in attributes[:_MOST_ATTRIBUTES]:
        line = [printable(attribute)]
        for name, score in columns:
            choice = choices[name]
            value = choice.scores[attribute][score]
            decides = score == list(choice.scores[attribute])[-1]
            taken = bool(choice.asks) and choice.asks[0].name == attribute and decides
            line.append(("–" if value is None else short(value)) + (" ←" if taken else "  "))
        lines.append(line)
    if len(attributes) > _MOST_ATTRIBUTES:
        lines.append([f"… {len(attributes) - _MOST_ATTRIBUTES} more", *("" for _ in columns)])
    return lines


def _rows(parting: Parting, tree: Tree) -> str:
    rows = exact_row_count(parting.rows.weight)
    classes = tree.schema.classes
    if tree.is_numeric or len(classes) > _MOST_CLASSES:
        return rows
    counted = ", ".join(
        f"{short(count)} {printable(name)}" for name, count in zip(classes, parting.counts, strict=True)
    )
    return f"{rows}, {counted}"


def _table(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    return (f"  {line}" for line in in_columns(lines, "figures"))


def _listed(names: Sequence[str]) -> str:
    shown = [printable(name) for name in names]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
