"""A difference of two models as text: how many rows change, in which regions, and what else did."""

from collections.abc import Iterator, Mapping
from typing import Final

from clearwood.checking.assertions.verdict import AssertionVerdict, CheckedModel
from clearwood.checking.difference.difference import ChangedRegion, Difference, Given, MovedShare
from clearwood.formulas.spelling import written
from clearwood.table.raw import Cell
from clearwood.words.columns import in_columns, printable, wrapped
from clearwood.words.numbers import brief, in_digits, many, many_in_words, number, percent_to, row_count

_WIDTH: Final = 100
EXAMPLES: Final = "The regions listed are examples: predictions may change in others, too."
_FEW: Final = 3  # missing cells that are named


def draw_model_difference(difference: Difference) -> str:
    """For a terminal."""
    return "\n".join(_lines(difference))


def answer_words(answer: Given) -> str:
    """An answer in a sentence."""
    return (
        "no prediction" if answer is None else written(answer) if isinstance(answer, str) else brief(answer)
    )


def change_words(before: Given, after: Given) -> tuple[str, str]:
    """An answer and the one after it; numbers in few digits, unless these are the same.

    >>> change_words(19.169863013698624, 19.011267605633797), change_words(1.00001, 1.00002)
    (('19.17', '19.01'), ('1.00001', '1.00002'))
    """
    one, other = answer_words(before), answer_words(after)
    if one == other and isinstance(before, float) and isinstance(after, float):
        return number(before), number(after)
    return one, other


def cells_in_words(example: Mapping[str, Cell]) -> str:
    """`Outlook = Sunny, Humidity = 70, Wind is missing`; many that are missing are counted."""
    empty = [name for name, cell in example.items() if cell is None]
    many_empty = len(empty) > _FEW
    cells = [
        f"{written(name)} is missing"
        if cell is None
        else f"{written(name)} = {written(cell) if isinstance(cell, str) else number(cell)}"
        for name, cell in example.items()
        if cell is not None or not many_empty
    ]
    if many_empty:
        cells.append(f"{len(empty)} {'others ' if cells else 'columns '}missing")
    return ", ".join(cells) or "any row"


def region_size_words(region: ChangedRegion | MovedShare) -> str:
    """How much lies in a region."""
    if region.rows is not None:
        return row_count(region.rows)
    return "" if region.training is None else f"about {percent_to(region.training)} of the training rows"


def _lines(difference: Difference) -> Iterator[str]:
    yield from wrapped(printable(f"From {difference.names[0]} to {difference.names[1]}"), _WIDTH)
    for sentence in difference.about:
        yield from wrapped(printable(sentence), _WIDTH)
    yield ""
    yield from wrapped(printable(difference.reached), _WIDTH)
    yield from wrapped(_verdict(difference), _WIDTH)
    if difference.left_open:
        yield from wrapped(difference.left_open, _WIDTH)
    yield from _rows(difference)
    yield from _regions(difference)
    yield from _moves(difference)


def _verdict(difference: Difference) -> str:
    if difference.exact:
        if difference.regions_in_all:
            return f"Predictions change in {many_in_words(difference.regions_in_all, 'region')}."
        if not difference.left_open:
            return "No prediction changes: every row gets what it got before."
        if difference.changed:
            return "Predictions change, but within the budget no region was found in which they do."
        return "Within the budget no change was found; of rows that were not looked at nothing is proven."
    return "Predictions change." if difference.changed else "No prediction of these rows changes."


def _rows(difference: Difference) -> Iterator[str]:
    if difference.rows is None or difference.changed is None:
        return
    share = difference.changed / difference.rows if difference.rows > 0 else 0.0
    sentence = f"Of {row_count(difference.rows)} of the data {row_count(difference.changed)} change"
    yield f"{sentence}{'s' if difference.changed == 1 else ''} ({percent_to(share)})."
    if difference.largest_move is not None:
        moved = ""
        if difference.moved_rows is not None and difference.by_more_than is not None:
            moved = (
                f", and by more than {number(difference.by_more_than)} in {row_count(difference.moved_rows)}"
            )
        yield f"Their probabilities change by {in_digits(difference.largest_move, 3)} at most{moved}."
    if difference.flows:
        lines = [["before", "after", "rows"]]
        for flow in difference.flows:
            lines.append([*change_words(flow.before, flow.after), row_count(flow.rows).split()[0]])
        yield ""
        yield from (printable(line) for line in in_columns(lines))
    if difference.rows_stand_for_regions:
        yield ""
        for each in difference.changed_rows:
            yield printable(f"row {each.row}: {' → '.join(change_words(each.before, each.after))}")


def _regions(difference: Difference) -> Iterator[str]:
    for each in difference.regions:
        yield ""
        size = region_size_words(each)
        title = f"{' → '.join(change_words(each.before, each.after))}{f', {size}' if size else ''}"
        yield printable(title)
        yield from (f"  {line}" for line in wrapped(printable(each.region), _WIDTH - 2))
        if each.rows == 0:
            yield from (
                f"  {line}"
                for line in wrapped(printable(f"such as {cells_in_words(each.example)}"), _WIDTH - 2)
            )
    if difference.examples and difference.regions:
        yield ""
        yield EXAMPLES
    elif not difference.examples:
        yield from _more(difference.regions_in_all - len(difference.regions))


def _moves(difference: Difference) -> Iterator[str]:
    if difference.by_more_than is None or not difference.exact:
        return
    yield ""
    moves = f"some probability changes by more than {number(difference.by_more_than)}"
    if difference.left_open and not difference.moved_in_all:
        yield f"Within the budget no region was found in which {moves}."
        return
    yield f"{moves[0].upper()}{moves[1:]} in {many(difference.moved_in_all, 'region')}."
    for each in difference.moved:
        size = region_size_words(each)
        yield ""
        yield printable(
            f"probability of {written(each.name)} {move_words(each)}{f', {size}' if size else ''}"
        )
        yield from (f"  {line}" for line in wrapped(printable(each.region), _WIDTH - 2))
    yield from _more(difference.moved_in_all - len(difference.moved))


def move_words(move: MovedShare) -> str:
    """`rises by 0.12 to 0.3`"""
    way = "rises" if move.most > 0 else "falls"
    least, most = (in_digits(abs(each), 3) for each in (move.least, move.most))
    return f"{way} by {least}" if least == most else f"{way} by {least} to {most}"


def _more(left: int) -> Iterator[str]:
    if left > 0:
        yield ""
        yield f"… and {many(left, 'region')} more."


# Verdicts on a model as text: what holds, what fails, how that is known, and the rows that show it.


_INDENT: Final = " " * 7


def draw_verdicts(checked: CheckedModel) -> str:
    """For a terminal."""
    lines = [line for verdict in checked.verdicts for line in verdict_lines(verdict)]
    return "\n".join([*lines, "", _summary(checked)])


def verdict_lines(verdict: AssertionVerdict) -> Iterator[str]:
    """One verdict: its word and the assertion, then how it was reached and what was seen."""
    first, *more = wrapped(printable(verdict.title), _WIDTH - len(_INDENT))
    yield f"{verdict.word:<5}  {first}"
    yield from (f"{_INDENT}{line}" for line in more)
    for text in _details(verdict):
        # An error in conditions has a caret below its place: its lines stay as they are.
        sentence, *place = text.split("\n")
        yield from (f"{_INDENT}{line}" for line in wrapped(printable(sentence), _WIDTH - len(_INDENT)))
        yield from (f"{_INDENT}{printable(line)}" for line in place)


def _details(verdict: AssertionVerdict) -> Iterator[str]:
    because = f": {verdict.because}" if verdict.because else ""
    yield f"{verdict.how}{because}"
    first = verdict.rows[0].row if verdict.rows else {}
    for place, each in enumerate(verdict.rows):
        if place:  # of two rows the second differs in a cell or two
            other = {name: cell for name, cell in each.row.items() if cell != first.get(name)}
            yield f"the same with {cells_in_words(other)} → {each.gets}"
        else:
            yield f"{cells_in_words(each.row)} → {each.gets}"


def _summary(checked: CheckedModel) -> str:
    total, failed = len(checked.verdicts), len(checked.failed)
    if not failed:
        return f"{many(total, 'assertion')}, all hold." if total != 1 else "1 assertion, it holds."
    open_ones = sum(each.holds is None for each in checked.verdicts)
    left = f", {open_ones} open" if open_ones else ""
    held, broken = total - failed, failed - open_ones
    return (
        f"{many(total, 'assertion')}: {held} {'holds' if held == 1 else 'hold'}, "
        f"{broken} {'fails' if broken == 1 else 'fail'}{left}."
    )
