"""Factors: what one cell of a row, or one word of a text, multiplies each class's product by."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from clearwood.derive.bayes.bagged import Bagged, bagged_of, thing_figure
from clearwood.derive.bayes.bells import density_figure
from clearwood.derive.bayes.counted import counted_of, unseen_figure, value_figure
from clearwood.derive.bayes.hills import hill_figure
from clearwood.derive.bayes.wording import chance_name
from clearwood.derive.expressions import Exp, Expression, Log, Named, Number, Power, Product, Quotient, Sum
from clearwood.derive.figures import Figure, Grid
from clearwood.derive.shorthand import less, named, plain
from clearwood.explain.evidence import WITHOUT_WORDS, Evidence, Piece
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Bag, Categorical, Cuts, Gaussian, Kernel, Words
from clearwood.models.words import written
from clearwood.predict.bayes_terms import bell_of, widths_of
from clearwood.predict.words import ByWord, by_word, words_said


@dataclass(frozen=True, slots=True)
class Factor:
    """A cell's figures by class, as they stand in the product and in the sum of logarithms.

    One that says nothing has none, and `because` says why.
    """

    title: str
    name: str
    figures: tuple[Figure, ...] = ()
    times: tuple[Expression, ...] = ()  # [class]
    plus: tuple[Expression, ...] = ()  # [class] in natural logarithms
    logs: tuple[float, ...] = ()  # [class]
    often: float = 1.0  # how many times the same probability counts
    because: str = ""


def factors_of(
    model: BayesTables, found: Evidence, texts: dict[str, str | None], *, in_logs: bool
) -> Iterator[Factor]:
    """The factors of a row in the order of the model, from the evidence of that row."""
    pieces = {piece.name: piece for piece in found.pieces}
    classes = range(len(model.classes))
    for distribution in model.distributions:
        match distribution:
            case Categorical() | Cuts():
                yield _of_value(model, distribution, pieces[distribution.name])
            case Gaussian(name):
                bells = bell_of(distribution)
                if bells is None:
                    yield _says_nothing(name)
                    continue
                piece = pieces[name]
                if (x := _number(piece)) is None:
                    yield _missing(piece)
                    continue
                curves = [
                    density_figure(model, distribution, bells, x, c, piece.logs[c], in_logs=in_logs)
                    for c in classes
                ]
                yield _of_curve(piece, curves, in_logs=in_logs)
            case Kernel(name):
                widths = widths_of(distribution)
                if widths is None:
                    yield _says_nothing(name)
                    continue
                piece = pieces[name]
                if (x := _number(piece)) is None:
                    yield _missing(piece)
                    continue
                hills = [
                    hill_figure(model, distribution, widths, x, c, piece.logs[c], in_logs=in_logs)
                    for c in classes
                ]
                yield _of_curve(piece, hills, in_logs=in_logs)
            case Bag():
                bagged = bagged_of(distribution)
                for j, name in enumerate(distribution.names):
                    yield _of_count(model, bagged, j, pieces[name])
            case Words():
                yield from _of_text(model, distribution, texts[distribution.name])
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
    return _plainly(_title(piece), piece, figures)


def _of_curve(piece: Piece, figures: list[Figure], *, in_logs: bool) -> Factor:
    names = tuple(map(_raw, figures))
    if not in_logs:
        return _plainly(_title(piece), piece, tuple(figures))
    return Factor(
        _title(piece), piece.name, tuple(figures), tuple(Exp(each) for each in names), names, piece.logs
    )


def _of_count(model: BayesTables, bagged: Bagged, j: int, piece: Piece) -> Factor:
    if piece.standing == "missing":
        return _missing(piece)
    assert isinstance(piece.value, float)
    classes = range(len(model.classes))
    if bagged.event == "bernoulli":
        absent = not piece.value > 0
        figures = tuple(thing_figure(model, bagged, j, c, absent=absent) for c in classes)
        return _plainly(_title(piece), piece, figures)
    if not piece.value > 0:
        because = f"{written(piece.name)} is {plain(piece.value).value}: nothing is counted, nothing said."
        return Factor(_title(piece), piece.name, because=because)
    figures = tuple(thing_figure(model, bagged, j, c) for c in classes)
    return _powers(_title(piece), piece.name, figures, piece.value, piece.logs, bagged)


def _of_text(model: BayesTables, words: Words, text: str | None) -> Iterator[Factor]:
    name = words.name
    if text is None:
        yield Factor(written(name), name, because=f"{written(name)} is missing, and says nothing.")
        return
    term, bagged, classes = by_word(words), bagged_of(words), range(len(model.classes))
    if term.once:
        yield _without_words(model, term, bagged)
    said = words_said(term, text)
    for each in said:
        j = bisect_left(term.words, each.word)
        title = f"{written(name)} has {each}"
        if not term.once:
            figures = tuple(thing_figure(model, bagged, j, c) for c in classes)
            yield _powers(title, name, figures, float(each.times), each.logs, bagged)
            continue
        figures = tuple(_instead(model, bagged, j, c) for c in classes)
        yield _plainly(title, Piece(name, each.word, "known", each.logs), figures)
    if not said and not term.once:
        yield Factor(written(name), name, because=f"{written(name)} has none of the words that are known.")


def _instead(model: BayesTables, bagged: Bagged, j: int, c: int) -> Figure:
    """P(word) ÷ P(no word), since P(no word) is among the factors already."""
    there = thing_figure(model, bagged, j, c)
    gone = thing_figure(model, bagged, j, c, absent=True)
    assert isinstance(there.value, float)
    assert isinstance(gone.value, float)
    return Figure(
        f"{there.name} instead of {gone.name}",
        there.value / gone.value,
        put_in=Quotient(named(there), named(gone)),
        because="The probability of its absence was taken as a factor before; it goes out again.",
        under=(there, gone),
    )


def _without_words(model: BayesTables, term: ByWord, bagged: Bagged) -> Factor:
    """The factor of a text without any of the words, as a sum of logarithms."""
    figures = []
    for c, log in enumerate(term.base.tolist()):
        gone = [thing_figure(model, bagged, j, c, absent=True) for j in range(min(len(term.words), _MOST))]

        def figure_of(j: int, c: int = c) -> Figure:
            return thing_figure(model, bagged, j, c, absent=True)

        absent = (bagged.known[c] - bagged.counts[c] + bagged.alpha) / (bagged.known[c] + 2 * bagged.alpha)
        grid = Grid(
            "Each word absent",
            ("word", "P(no word)"),
            list(zip(bagged.things, absent.tolist(), strict=True)),
            figure_of=figure_of,
        )
        few = len(term.words) <= _MOST
        figures.append(
            Figure(
                f"ln {chance_name('no word at all', model, c)}",
                log,
                put_in=Sum(tuple(Log(_raw(each), "e") for each in gone)) if few else None,
                grids=(grid,),
                under=tuple(gone) if few else (),
            )
        )
    names = tuple(map(_raw, figures))
    return Factor(
        f"{written(term.name)} {WITHOUT_WORDS}",
        term.name,
        tuple(figures),
        tuple(Exp(each) for each in names),
        names,
        tuple(term.base.tolist()),
    )


_MOST = 20  # words written out in one sum


def _powers(
    title: str, name: str, figures: tuple[Figure, ...], often: float, logs: tuple[float, ...], bagged: Bagged
) -> Factor:
    times: list[Expression] = []
    plus: list[Expression] = []
    for figure in figures:
        power: Expression = _raw(figure) if often == 1 else Power(_raw(figure), plain(often))
        log: Expression = Log(_raw(figure), "e")
        log = log if often == 1 else Product((plain(often), log))
        if bagged.event == "complement":
            times.append(Quotient(Number(1), power))
            plus.append(less(Number(0), log))
        else:
            times.append(power)
            plus.append(log)
    return Factor(title, name, figures, tuple(times), tuple(plus), logs, often)


def _plainly(title: str, piece: Piece, figures: tuple[Figure, ...]) -> Factor:
    """Each class's figure is its factor."""
    names = tuple(map(named, figures))
    logs = tuple(Log(each, "e") for each in map(_raw, figures))
    return Factor(title, piece.name, figures, names, logs, piece.logs)


def _raw(figure: Figure) -> Named:
    assert isinstance(figure.value, float)
    return Named(figure.name, figure.value)


def _number(piece: Piece) -> float | None:
    if piece.standing == "missing":
        return None
    assert isinstance(piece.value, float)
    return piece.value


def _title(piece: Piece) -> str:
    value = plain(piece.value).value if isinstance(piece.value, float) else written(str(piece.value))
    return f"{written(piece.name)} = {value}"


def _missing(piece: Piece) -> Factor:
    because = f"{written(piece.name)} is missing: it is skipped, and says nothing."
    return Factor(written(piece.name), piece.name, because=because)


def _says_nothing(name: str) -> Factor:
    return Factor(written(name), name, because=f"{written(name)} never varied in training, and says nothing.")
