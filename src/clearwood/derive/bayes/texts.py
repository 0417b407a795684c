"""Texts: the factor of each known word, and with Bernoulli that of all the words which are absent."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from clearwood.derive.bayes.bagged import Bagged, bagged_of, thing_figure
from clearwood.derive.bayes.factor import Factor, each_its_own, in_powers, raw
from clearwood.derive.bayes.wording import chance_name
from clearwood.formulas.expressions import Exp, Log, Quotient, Sum
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Words
from clearwood.models.words import written
from clearwood.predict.words import ByWord, by_word, known_words_of
from clearwood.working.figures import Figure, Grid, named

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
    few = len(term.words) <= _MOST_WRITTEN_OUT
    written_out = range(len(term.words)) if few else ()
    for c, log in enumerate(term.base.tolist()):
        gone = [thing_figure(model, bagged, j, c, absent=True) for j in written_out]

        def figure_of(j: int, c: int = c) -> Figure:
            return thing_figure(model, bagged, j, c, absent=True)

        absent = (bagged.known[c] - bagged.counts[c] + bagged.alpha) / (bagged.known[c] + 2 * bagged.alpha)
        grid = Grid(
            "Each word absent",
            ("word", "P(no word)"),
            list(zip(bagged.things, absent.tolist(), strict=True)),
            figure_of=figure_of,
        )
        figures.append(
            Figure(
                f"ln {chance_name('no word at all', model, c)}",
                log,
                put_in=Sum(tuple(Log(raw(each), "e") for each in gone)) if few else None,
                grids=(grid,),
                under=tuple(gone),
            )
        )
    names = tuple(map(raw, figures))
    return Factor(
        f"a {written(term.name)} without any known word",
        term.name,
        tuple(figures),
        tuple(Exp(each) for each in names),
        names,
        tuple(term.base.tolist()),
    )
