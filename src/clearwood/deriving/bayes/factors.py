"""Factors of a row: what each cell of it, or each word of a text, multiplies every class's product by."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, assert_never

import numpy as np

from clearwood.arrays import Floats
from clearwood.deriving.bayes.counted import (
    chance_name,
    counted_of,
    grid_by_class,
    target_of,
    unseen_figure,
    value_figure,
)
from clearwood.deriving.bayes.densities import density_figure, hill_figure
from clearwood.explaining.evidence import Evidence, Piece
from clearwood.formulas.conditions import Equals, written
from clearwood.formulas.expressions import Exp, Expression, Log, Number, Sum, Symbol
from clearwood.models.account.account import ByWord
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import bell_of, floats, matrix, widths_of
from clearwood.models.kinds.bayes.distributions import Bag, Categorical, Cuts, Event, Gaussian, Kernel, Words
from clearwood.models.kinds.bayes.word_terms import by_word, kept_words, known_words_of
from clearwood.working.figures import Figure, Grid, Lazy, Rows, in_decimals, named, plain


def factors_of(
    model: BayesTables, evidence: Evidence, texts: dict[str, str | None], *, in_logs: bool
) -> Iterator[Factor]:
    """The factors of a row in the order of the model, from the evidence of that row."""
    pieces = {piece.name: piece for piece in evidence.pieces}
    for distribution in model.distributions:
        match distribution:
            case Categorical() | Cuts():
                yield _of_value(model, distribution, pieces[distribution.name])
            case Gaussian() | Kernel():
                yield _of_number(model, distribution, pieces, in_logs=in_logs)
            case Bag():
                bagged = bagged_of(distribution)
                for j, name in enumerate(distribution.names):
                    yield _of_count(model, bagged, j, pieces[name])
            case Words():
                yield from factors_of_text(model, distribution, texts[distribution.name])
            case _:
                assert_never(distribution)


def _of_value(model: BayesTables, distribution: Categorical | Cuts, piece: Piece) -> Factor:
    if piece.standing == "missing":
        return _missing(piece)
    counted, classes = counted_of(model, distribution), range(len(model.classes))
    if piece.standing == "unseen":
        figures = tuple(unseen_figure(model, counted, str(piece.value), c) for c in classes)
    else:
        if isinstance(distribution, Cuts):
            assert isinstance(piece.value, float)
            v = bisect_left(distribution.cuts, piece.value)
        else:
            v = model.schema.codes(distribution.name)[str(piece.value)]
        figures = tuple(value_figure(model, counted, v, c) for c in classes)
    return each_its_own(_title(piece), piece.name, figures, piece.logs)


def _of_number(
    model: BayesTables, distribution: Gaussian | Kernel, pieces: dict[str, Piece], *, in_logs: bool
) -> Factor:
    height = _height_of(model, distribution)
    if height is None:
        name = written(distribution.name)
        return Factor(name, distribution.name, because=f"{name} never varied in training, and says nothing.")
    piece = pieces[distribution.name]
    if piece.standing == "missing":
        return _missing(piece)
    assert isinstance(piece.value, float)
    figures = tuple(height(piece.value, c, log, in_logs=in_logs) for c, log in enumerate(piece.logs))
    if not in_logs:
        return each_its_own(_title(piece), piece.name, figures, piece.logs)
    return _of_logs(_title(piece), piece.name, figures, piece.logs)


def _height_of(model: BayesTables, distribution: Gaussian | Kernel) -> Callable[..., Figure] | None:
    """The figure of a class's density at a number; None where the column has but one number."""
    if isinstance(distribution, Gaussian):
        bells = bell_of(distribution)
        return None if bells is None else partial(density_figure, model, distribution, bells)
    widths = widths_of(distribution)
    return None if widths is None else partial(hill_figure, model, distribution, widths)


def _of_count(model: BayesTables, bagged: Bagged, j: int, piece: Piece) -> Factor:
    if piece.standing == "missing":
        return _missing(piece)
    assert isinstance(piece.value, float)
    classes = range(len(model.classes))
    if bagged.event == "bernoulli":
        absent = not piece.value > 0
        figures = tuple(thing_figure(model, bagged, j, c, absent=absent) for c in classes)
        return each_its_own(_title(piece), piece.name, figures, piece.logs)
    if not piece.value > 0:
        because = f"{written(piece.name)} is {plain(piece.value).value}: it adds nothing to any class."
        return Factor(_title(piece), piece.name, because=because)
    figures = tuple(thing_figure(model, bagged, j, c) for c in classes)
    inverted = bagged.event == "complement"
    return in_powers(_title(piece), piece.name, figures, piece.value, piece.logs, inverted=inverted)


def _title(piece: Piece) -> str:
    value = plain(piece.value).value if isinstance(piece.value, float) else written(str(piece.value))
    return f"{written(piece.name)} = {value}"


def _missing(piece: Piece) -> Factor:
    because = f"{written(piece.name)} is missing: it is skipped, and says nothing."
    return Factor(written(piece.name), piece.name, because=because)


# A Factor: what one cell of a row, or one word of a text, multiplies each class's product by.


@dataclass(frozen=True, slots=True)
class Factor:
    """A cell's figures by class, as they stand in the product and in the sum of logarithms.

    A factor without influence has none, and `because` gives the reason.
    """

    title: str
    name: str
    figures: tuple[Figure, ...] = ()
    times: tuple[Expression, ...] = ()  # [class]
    plus: tuple[Expression, ...] = ()  # [class] in natural logarithms
    logs: tuple[float, ...] = ()  # [class]
    often: float = 1.0  # how many times the same probability counts
    because: str = ""


def in_powers(
    title: str,
    name: str,
    figures: tuple[Figure, ...],
    often: float,
    logs: tuple[float, ...],
    *,
    inverted: bool,
) -> Factor:
    """Each class's figure counts so often; `inverted`, as complement has it, 1 ÷ that."""
    times: list[Expression] = list(map(in_decimals, figures))
    plus: list[Expression] = [Log(each, "e") for each in times]
    if often != 1:
        times, plus = [each ** plain(often) for each in times], [plain(often) * log for log in plus]
    if inverted:
        times, plus = [1 / power for power in times], [0 - log for log in plus]
    return Factor(title, name, figures, tuple(times), tuple(plus), logs, often)


def _of_logs(title: str, name: str, figures: tuple[Figure, ...], logs: tuple[float, ...]) -> Factor:
    """Each class's figure is the logarithm of its factor."""
    own = tuple(map(in_decimals, figures))
    return Factor(title, name, figures, tuple(map(Exp, own)), own, logs)


def each_its_own(title: str, name: str, figures: tuple[Figure, ...], logs: tuple[float, ...]) -> Factor:
    """Each class's figure is its factor."""
    plus = tuple(Log(each, "e") for each in map(in_decimals, figures))
    return Factor(title, name, figures, tuple(map(named, figures)), plus, logs)


# Bags: how often each thing of a bag, a counting column or a word of a text, occurs with each class.


@dataclass(frozen=True, slots=True, eq=False)
class Bagged:
    """What is counted, and how often by class; for complement how often in all other classes."""

    title: str
    things: tuple[str, ...]
    event: Event
    alpha: float
    counts: Floats  # [class, thing]
    known: Floats  # [class, thing] bernoulli: the weight of the rows that may hold it
    totals: Floats  # [class] all counts together
    of_words: bool  # else of columns


def bagged_of(distribution: Bag | Words) -> Bagged:
    """The counts behind the probabilities of a bag of columns, or of the words that the limits leave."""
    event = distribution.event
    if isinstance(distribution, Bag):
        title = f"{event} of {len(distribution.names)} columns"
        things = distribution.names
        counts = matrix(distribution.counts, len(things))
        known = matrix(distribution.known, len(things)) if distribution.known else np.zeros_like(counts)
    else:
        kept = kept_words(distribution)
        title = f"words of {distribution.name}"
        things = tuple(distribution.words[i] for i in kept.tolist())
        sums = distribution.documents if event == "bernoulli" else distribution.counts
        counts = np.array([[float(row[i]) for i in kept.tolist()] for row in sums]).reshape(len(sums), -1)
        known = np.tile(floats(distribution.known)[:, None], (1, len(things)))
    if event == "complement":
        counts = counts.sum(axis=0) - counts
    of_words = isinstance(distribution, Words)
    return Bagged(title, things, event, distribution.alpha, counts, known, counts.sum(axis=1), of_words)


def thing_figure(model: BayesTables, bagged: Bagged, j: int, c: int, *, absent: bool = False) -> Figure:
    """P(thing | class); with `absent` that a row lacks it."""
    thing, alpha, count = written(bagged.things[j]), bagged.alpha, float(bagged.counts[c, j])
    n, whole_of_class, vocabulary = _letters(bagged)
    a = Symbol("α", means="what is added to each count")
    rows = Rows(float(model.classes[c]), (Equals(target_of(model), model.schema.classes[c]),))
    if bagged.event == "bernoulli":
        size = float(bagged.known[c, j])
        met = size - count if absent else count
        name = chance_name(f"no {thing}" if absent else thing, model, c)
        bottom, whole, share = 2 * alpha, Number(2), 2
        top = (plain(size) - plain(count)).terms if absent else (plain(count),)
        symbols = (whole_of_class - n).terms if absent else (n,)
        each: Expression = Number(2)
    else:
        size, met, share = float(bagged.totals[c]), count, len(bagged.things)
        of = thing if bagged.event == "multinomial" else f"{thing} elsewhere"
        name = chance_name(of, model, c)
        bottom, whole = alpha * share, Number(share)
        top, symbols, each = (plain(count),), (n,), vocabulary
    if not size + bottom > 0:
        because = "The class has no counts at all: each is as likely as another."
        return Figure(name, 1 / share, put_in=1 / Number(share), rows=rows, because=because)
    because = "Complement counts the rows of all other classes." if bagged.event == "complement" else ""
    if not alpha:
        if not met:
            because = "It never occurs with this class, and without smoothing a zero stays a zero."
        formula, put_in = Sum(symbols) / whole_of_class, Sum(top) / plain(size)
        return Figure(name, met / size, formula, put_in, rows, because=because)
    formula = Sum((*symbols, a)) / (whole_of_class + a * each)
    put_in = Sum((*top, plain(alpha))) / (plain(size) + plain(alpha) * whole)
    return Figure(name, (met + alpha) / (size + bottom), formula, put_in, rows, because=because)


def _letters(bagged: Bagged) -> tuple[Symbol, Symbol, Symbol]:
    """n, N and V, which are of rows, of words or of columns."""
    rows = "all other classes" if bagged.event == "complement" else "the class"
    if bagged.event == "bernoulli":
        n = "the number of rows of the class that have it"
        whole = "the number of rows of the class whose cell is known"
    elif bagged.of_words:
        n = f"how often the word occurs in the texts of {rows}"
        whole = f"the number of words in the texts of {rows}, each as often as it occurs"
    else:
        n = f"the sum of the column over the rows of {rows}"
        whole = f"the sum of all columns over the rows of {rows}"
    size = "the size of the vocabulary" if bagged.of_words else "the number of columns"
    return Symbol("n", means=n), Symbol("N", means=whole), Symbol("V", means=size)


def bag_grid(model: BayesTables, bagged: Bagged) -> Grid:
    """A row for each thing: its count and its probability under each class."""
    bottom = bagged.known + 2 * bagged.alpha
    even = 0.5
    if bagged.event != "bernoulli":
        bottom = np.tile((bagged.totals + bagged.alpha * len(bagged.things))[:, None], len(bagged.things))
        even = 1 / max(len(bagged.things), 1)
    chances = np.divide(
        bagged.counts + bagged.alpha, bottom, out=np.full_like(bagged.counts, even), where=bottom > 0
    )

    return grid_by_class(
        model,
        bagged.title,
        bagged.title,
        "beside" if bagged.event == "complement" else "with",
        bagged.counts.tolist(),
        chances.tolist(),
        bagged.things,
        bagged.things,
        lambda j, c: thing_figure(model, bagged, j, c),
    )


# Texts: the factor of each known word, and with Bernoulli that of all the words which are absent.


_MOST_WRITTEN_OUT: Final = 20  # words in one sum


def factors_of_text(model: BayesTables, words: Words, text: str | None) -> Iterator[Factor]:
    name = words.name
    if text is None:
        yield Factor(written(name), name, because=f"{written(name)} is missing, and says nothing.")
        return
    term, bagged, classes = by_word(words), bagged_of(words), range(len(model.classes))
    inverted = words.event == "complement"
    if term.once:
        yield _without_words(model, term, bagged)
    known_words = known_words_of(term, text)
    for each in known_words:
        j = bisect_left(term.words, each.word)
        title = f"a {written(name)} with {each}"
        if not term.once:
            figures = tuple(thing_figure(model, bagged, j, c) for c in classes)
            yield in_powers(title, name, figures, float(each.times), each.logs, inverted=inverted)
            continue
        figures = tuple(_instead(model, bagged, j, c) for c in classes)
        yield each_its_own(title, name, figures, each.logs)
    if not known_words and not term.once:
        yield Factor(written(name), name, because=f"{written(name)} has none of the words that are known.")


def _instead(model: BayesTables, bagged: Bagged, j: int, c: int) -> Figure:
    """P(word) ÷ P(no word), since P(no word) is among the factors already."""
    there = thing_figure(model, bagged, j, c)
    gone = thing_figure(model, bagged, j, c, absent=True)
    name, put_in = f"{there.name} instead of {gone.name}", named(there) / named(gone)
    because = "The probability of its absence was taken as a factor before; it goes out again."
    return Figure(name, there.number / gone.number, put_in=put_in, because=because, under=(there, gone))


def _without_words(model: BayesTables, term: ByWord, bagged: Bagged) -> Factor:
    """The factor of a text without any of the words, as a sum of logarithms."""
    logs, figures = tuple(term.base.tolist()), []
    few = len(term.words) <= _MOST_WRITTEN_OUT
    for c, log in enumerate(logs):
        absent = (bagged.known[c] - bagged.counts[c] + bagged.alpha) / (bagged.known[c] + 2 * bagged.alpha)
        gone = Lazy(len(absent), partial(thing_figure, model, bagged, c=c, absent=True))
        lines = list(zip(bagged.things, absent.tolist(), strict=True))
        grid = Grid("Each word absent", ("word", "P(no word)"), lines, figure_of=gone.__getitem__)
        under = tuple(gone) if few else ()
        put_in = Sum(tuple(Log(in_decimals(each), "e") for each in under)) if few else None
        name = f"ln {chance_name('no word at all', model, c)}"
        figures.append(Figure(name, log, put_in=put_in, grids=(grid,), under=under))
    return _of_logs(f"a {written(term.name)} without any known word", term.name, tuple(figures), logs)
