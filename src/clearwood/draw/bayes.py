"""Bayes tables as text: for each column the counts by class, and the probability each becomes."""

import math
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import Final, assert_never

from clearwood.arrays import Floats
from clearwood.explaining.words import TopWord, top_words
from clearwood.formulas.conditions import interval
from clearwood.models.in_words import decision_words, with_weights
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.bayes.bayes_terms import (
    bell_of,
    categorical_chances,
    log_priors,
    matrix,
    value_chances,
    value_priors,
    widths_of,
)
from clearwood.models.kinds.bayes.distributions import (
    Bag,
    Categorical,
    Cuts,
    Distribution,
    Exact,
    Gaussian,
    Kernel,
    Smoothing,
    Words,
    total,
)
from clearwood.models.kinds.bayes.word_terms import kept_words
from clearwood.table.attributes import Nominal, Ordinal
from clearwood.words.columns import in_columns, printable
from clearwood.words.numbers import exact_sum


def draw_bayes(model: BayesTables, *, max_values: int = 50) -> str:
    """One table per column of the data: a line for each value, a column for each class.

    P(buys_computer)  no              yes
                      5/14 = 0.3571   9/14 = 0.6429

    P(income | buys_computer)  no                     yes
    high                       (2+1)/(5+3) = 0.375    (2+1)/(9+3) = 0.25
    …
    """
    target = printable(model.schema.target.name) if model.schema.target else ""
    classes = [printable(name) for name in model.schema.classes]
    weights = with_weights(model.origin).removeprefix(", ")
    above = [f"Counted {weights}."] if weights else []
    above += map(printable, decision_words(model))
    parts = ["\n".join(above)] if above else []
    parts.append("\n".join(in_columns([[f"P({target})", *classes], ["", *prior_cells(model)]], gap=3)))
    for distribution in model.distributions:
        names = columns_of_text(distribution)
        lines = table_cells(model, distribution)
        if len(lines) > max_values:
            lines = [*lines[:max_values], [f"… ({len(lines) - max_values:,} more)"]]
        parts.append("\n".join(in_columns([[f"P({names} | {target})", *classes], *lines], gap=3)))
    return "\n\n".join(parts)


def columns_of_text(distribution: Distribution) -> str:
    """The name a table of a column, or of a bag of columns, goes by."""
    if isinstance(distribution, Bag):
        return f"{distribution.event} of {len(distribution.names)} columns"
    return printable(distribution.name)


def chance_text(count: Exact, rows: Exact, m: float, p: float, chance: float) -> str:
    """A probability as its fraction and its value; a zero is shown as the zero it is.

    >>> chance_text(2, 9, 3.0, 1 / 3, 0.25), chance_text(0, 6, 0.0, 0.5, 0.0)
    ('(2+1)/(9+3) = 0.25', '0/6 = 0')
    """
    if m == 0:
        return f"{exact_sum(count)}/{exact_sum(rows)} = {chance:.4g}"
    return f"({exact_sum(count)}+{m * p:.4g})/({exact_sum(rows)}+{m:.4g}) = {chance:.4g}"


def prior_cells(model: BayesTables) -> list[str]:
    shares = [math.exp(log) for log in log_priors(model).tolist()]
    if model.priors != "estimated":
        return [f"{share:.4g}" for share in shares]
    rows = sum(model.classes)
    return [chance_text(n, rows, 0, 0, share) for n, share in zip(model.classes, shares, strict=True)]


def table_cells(model: BayesTables, distribution: Distribution) -> list[list[str]]:
    match distribution:
        case Categorical(name, counts, smoothing):
            attribute = model.schema[name]
            assert isinstance(attribute, Nominal | Ordinal)
            chances, _, _ = categorical_chances(model.schema, distribution)
            prior = value_priors(distribution, matrix(counts, len(attribute.values)))
            return _counted(attribute.values, counts, smoothing, prior, chances)
        case Cuts(name, cuts, counts, smoothing):
            ends = [-math.inf, *cuts, math.inf]
            intervals = [str(interval(name, low, high)) for low, high in pairwise(ends)]
            chances, _, _ = value_chances(matrix(counts, len(intervals)), smoothing)
            return _counted(intervals, counts, smoothing, None, chances)
        case Gaussian(_, weights):
            bells = bell_of(distribution)
            if bells is None:
                return [["never varied: it gives no evidence"]]
            means, variances = bells
            return [
                ["mean", *(f"{mean:.6g}" for mean in means.tolist())],
                ["standard deviation", *(f"{math.sqrt(variance):.6g}" for variance in variances.tolist())],
                ["rows", *map(exact_sum, weights)],
            ]
        case Kernel(_, points):
            widths = widths_of(distribution)
            if widths is None:
                return [["never varied: it gives no evidence"]]
            return [
                ["kernels", *(f"{len(each):,}" for each in points)],
                ["bandwidth", *(f"{width:.6g}" for width in widths)],
            ]
        case Bag():
            return _bag(distribution)
        case Words():
            return word_lines(model, distribution)
        case _:
            assert_never(distribution)


def _bag(bag: Bag) -> list[list[str]]:
    width = len(bag.names)
    counts, sizes, m, p = bag.counts, bag.known, 2 * bag.alpha, 0.5
    if bag.event == "complement":
        together = [sum(each) for each in zip(*counts, strict=True)]
        counts = tuple(tuple(a - n for a, n in zip(together, row, strict=True)) for row in counts)
    if bag.event != "bernoulli":
        sizes, m, p = tuple((total(row),) * width for row in counts), width * bag.alpha, 1 / width
    lines = []
    for j, name in enumerate(bag.names):
        cells = [printable(name)]
        for row, size in zip(counts, sizes, strict=True):
            chance = (float(row[j]) + m * p) / (float(size[j]) + m) if size[j] + m else p
            fraction = chance_text(row[j], size[j], m, p, chance)
            cells.append(f"1 ÷ ({fraction})" if bag.event == "complement" else fraction)
        lines.append(cells)
    return lines


def _counted(
    values: Sequence[str],
    counts: tuple[tuple[Exact, ...], ...],
    smoothing: Smoothing,
    prior: Floats | None,
    chances: Floats,
) -> list[list[str]]:
    m = float(len(values)) if smoothing == "laplace" else smoothing
    rows = [sum(each) for each in counts]
    guesses = [1 / len(values)] * len(values) if prior is None else prior.tolist()
    lines = []
    for v, (value, guess) in enumerate(zip(values, guesses, strict=True)):
        by_class = zip(counts, rows, chances[:, v].tolist(), strict=True)
        cells = (chance_text(count[v], size, m, guess, chance) for count, size, chance in by_class)
        lines.append([printable(value), *cells])
    return lines


# The words of a text column as lines: how many there are, and those that speak most for each class.


_MOST: Final = 10
_LONGEST: Final = 30


def word_lines(model: BayesTables, words: Words) -> list[list[str]]:
    """The first cell of a line is its label; then one cell per class.

    texts          4827           747
    words          67,000         17,500
    1              gt 318:0 +5.5  claim 0:113 +6.0
    """
    different, used = len(words.words), len(kept_words(words))
    lines = [
        ["texts", *map(exact_sum, words.known)],
        ["words", *(exact_sum(total(row)) for row in words.counts)],
        [f"different: {different:,}" + (f", used: {used:,}" if used < different else "")],
    ]
    tops = [map(_top, each.words) for each in top_words(model, words.name, most=_MOST)]
    rows = enumerate(zip_longest(*tops, fillvalue=""), 1)
    return [*lines, *([str(place), *row] for place, row in rows)]


def _top(top: TopWord) -> str:
    """A word, its counts by class, and its log odds."""
    word = printable(top.word)
    word = word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"
    return f"{word} {':'.join(map(exact_sum, top.counts))} {top.log_odds:+.2f}"
