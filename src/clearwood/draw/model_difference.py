"""A difference of two models as text: how many rows change, in which regions, and what else did."""

from collections.abc import Iterator, Mapping
from typing import Final

from clearwood.checking.assertions.verdict import AssertionVerdict, CheckedModel
from clearwood.checking.difference.difference import ChangedRegion, Difference, Given, MovedShare
from clearwood.formulas.conditions import written
from clearwood.table.raw import Cell
from clearwood.words.columns import in_columns, printable, printed, wrapped
from clearwood.words.numbers import brief, in_digits, many, many_in_words, number, percent_to, row_count

_WIDTH: Final = 100
EXAMPLES: Final = "The regions listed are examples: predictions may change in others, too."
_FEW: Final = 3  # missing cells that are named


def answer_words(answer: Given) -> str:
    """An answer in a sentence."""
    if answer is None:
        return "no prediction"
    return written(answer) if isinstance(answer, str) else brief(answer)


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
    empty = sum(cell is None for cell in example.values())
    cells = []
    for name, cell in example.items():
        if cell is not None:
            cells.append(f"{written(name)} = {written(cell) if isinstance(cell, str) else number(cell)}")
        elif empty <= _FEW:
            cells.append(f"{written(name)} is missing")
    if empty > _FEW:
        cells.append(f"{empty} {'others' if cells else 'columns'} missing")
    return ", ".join(cells) or "any row"


def region_size_words(region: ChangedRegion | MovedShare) -> str:
    """How much lies in a region."""
    if region.rows is not None:
        return row_count(region.rows)
    return "" if region.training is None else f"about {percent_to(region.training)} of the training rows"


@printed
def draw_model_difference(difference: Difference) -> Iterator[str]:
    """For a terminal."""
    yield from _in_lines(f"From {difference.names[0]} to {difference.names[1]}")
    for sentence in difference.about:
        yield from _in_lines(sentence)
    yield ""
    yield from _in_lines(difference.reached)
    yield from _in_lines(_verdict(difference))
    if difference.left_open:
        yield from _in_lines(difference.left_open)
    yield from _rows(difference)
    yield from _regions(difference)
    yield from _moves(difference)


def _in_lines(text: str, margin: str = "") -> Iterator[str]:
    return (f"{margin}{line}" for line in wrapped(printable(text), _WIDTH - len(margin)))


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
            limit = number(difference.by_more_than)
            moved = f", and by more than {limit} in {row_count(difference.moved_rows)}"
        yield f"Their probabilities change by {in_digits(difference.largest_move, 3)} at most{moved}."
    if difference.flows:
        flows = difference.flows
        lines = [[*change_words(each.before, each.after), row_count(each.rows).split()[0]] for each in flows]
        yield ""
        yield from (printable(line) for line in in_columns([["before", "after", "rows"], *lines]))
    if difference.rows_stand_for_regions:
        yield ""
        for each in difference.changed_rows:
            yield printable(f"row {each.row}: {' → '.join(change_words(each.before, each.after))}")


def _regions(difference: Difference) -> Iterator[str]:
    for each in difference.regions:
        yield ""
        yield _titled(" → ".join(change_words(each.before, each.after)), each)
        yield from _in_lines(each.region, "  ")
        if each.rows == 0:
            yield from _in_lines(f"such as {cells_in_words(each.example)}", "  ")
    if difference.examples and difference.regions:
        yield ""
        yield EXAMPLES
    elif not difference.examples:
        yield from _more(difference.regions_in_all - len(difference.regions))


def _titled(title: str, region: ChangedRegion | MovedShare) -> str:
    size = region_size_words(region)
    return printable(f"{title}, {size}" if size else title)


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
        yield ""
        yield _titled(f"probability of {written(each.name)} {move_words(each)}", each)
        yield from _in_lines(each.region, "  ")
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
    first, *more = _in_lines(verdict.title, _INDENT)
    yield f"{verdict.word:<5}  {first.removeprefix(_INDENT)}"
    yield from more
    for text in _details(verdict):
        # An error in conditions has a caret below its place: its lines stay as they are.
        sentence, *place = text.split("\n")
        yield from _in_lines(sentence, _INDENT)
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
        return f"{many(total, 'assertion')}, {'it holds' if total == 1 else 'all hold'}."
    open_ones = sum(each.holds is None for each in checked.verdicts)
    held, broken = total - failed, failed - open_ones
    words = [f"{held} {'holds' if held == 1 else 'hold'}", f"{broken} {'fails' if broken == 1 else 'fail'}"]
    words += [f"{open_ones} open"] if open_ones else []
    return f"{many(total, 'assertion')}: {', '.join(words)}."
