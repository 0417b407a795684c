"""Bags: how often each thing of a bag, a counting column or a word of a text, occurs with each class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clearwood.arrays import Floats
from clearwood.derive.bayes.wording import chance_name, target_of
from clearwood.formulas.expressions import Expression, Number, Product, Quotient, Sum, Symbol
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.conditions import Equals
from clearwood.models.distributions import Bag, Event, Words
from clearwood.models.words import written
from clearwood.predict.bayes_terms import floats, matrix
from clearwood.predict.words import kept_words
from clearwood.working.figures import Figure, Grid, Rows, less, plain


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
    return Bagged(
        title,
        things,
        event,
        distribution.alpha,
        counts,
        known,
        counts.sum(axis=1),
        isinstance(distribution, Words),
    )


def thing_figure(model: BayesTables, bagged: Bagged, j: int, c: int, *, absent: bool = False) -> Figure:
    """P(thing | class); with `absent` that a row lacks it."""
    thing, alpha, count = written(bagged.things[j]), bagged.alpha, float(bagged.counts[c, j])
    n, whole_of_class, vocabulary = _letters(bagged)
    a = Symbol("α", means="what is added to each count")
    rows = Rows(
        float(model.classes[c]),
        (Equals(target_of(model), model.schema.classes[c]),),
    )
    if bagged.event == "bernoulli":
        size = float(bagged.known[c, j])
        met = size - count if absent else count
        name = chance_name(f"no {thing}" if absent else thing, model, c)
        bottom, whole, share = 2 * alpha, Number(2), 2
        top = less(plain(size), plain(count)).terms if absent else (plain(count),)
        symbols = less(whole_of_class, n).terms if absent else (n,)
        each: Expression = Number(2)
    else:
        size, met, share = float(bagged.totals[c]), count, len(bagged.things)
        of = thing if bagged.event == "multinomial" else f"{thing} elsewhere"
        name = chance_name(of, model, c)
        bottom, whole = alpha * share, Number(share)
        top, symbols, each = (plain(count),), (n,), vocabulary
    if not size + bottom > 0:
        because = "The class has no counts at all: each is as likely as another."
        return Figure(name, 1 / share, put_in=Quotient(Number(1), Number(share)), rows=rows, because=because)
    because = "Complement counts the rows of all other classes." if bagged.event == "complement" else ""
    if not alpha:
        if not met:
            because = "It never occurs with this class, and without smoothing a zero stays a zero."
        return Figure(
            name,
            met / size,
            Quotient(Sum(symbols), whole_of_class),
            Quotient(Sum(top), plain(size)),
            rows,
            because=because,
        )
    return Figure(
        name,
        (met + alpha) / (size + bottom),
        Quotient(Sum((*symbols, a)), Sum((whole_of_class, Product((a, each))))),
        Quotient(Sum((*top, plain(alpha))), Sum((plain(size), Product((plain(alpha), whole))))),
        rows,
        because=because,
    )


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
    classes = model.schema.classes
    bottom = bagged.known + 2 * bagged.alpha
    even = 0.5
    if bagged.event != "bernoulli":
        bottom = np.tile((bagged.totals + bagged.alpha * len(bagged.things))[:, None], len(bagged.things))
        even = 1 / max(len(bagged.things), 1)
    chances = np.divide(
        bagged.counts + bagged.alpha, bottom, out=np.full_like(bagged.counts, even), where=bottom > 0
    )

    def figure_of(j: int) -> Figure:
        under = tuple(thing_figure(model, bagged, j, c) for c in range(len(classes)))
        return Figure(bagged.things[j], None, under=under)

    where = "beside" if bagged.event == "complement" else "with"
    return Grid(
        bagged.title,
        (bagged.title, *(f"{where} {name}" for name in classes), *(f"P(… | {name})" for name in classes)),
        [
            (thing, *bagged.counts[:, j].tolist(), *chances[:, j].tolist())
            for j, thing in enumerate(bagged.things)
        ],
        figure_of=figure_of,
    )
