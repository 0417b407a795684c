"""The words of a text column by class, by the native counter."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from clearwood import _native
from clearwood.errors import ClearwoodWarning
from clearwood.learners.bayes.halves import whole_sums
from clearwood.models.distributions import Distribution, ExactRow, Words
from clearwood.predict.words import kept_words
from clearwood.table.table import Table


def counted_words(words: Words, rows: Table) -> Words:
    """The distribution filled from rows that all have weight and a class."""
    counted = _counted(words, rows, rows.weights)
    if rows.weights is None:
        return _with_texts(counted, counted)
    return _with_texts(counted, _counted(words, rows, None))


def _counted(words: Words, rows: Table, weights: npt.NDArray[np.float64] | None) -> Words:
    classes, reading = len(rows.schema.classes), words.reading
    vocabulary, times, documents, known, exponent = _native.count_words(
        rows.columns[words.name].tolist(),
        np.ascontiguousarray(rows.target),
        classes,
        weights,
        reading.lower,
        reading.ngrams,
        list(reading.stop_words),
    )
    width = len(vocabulary)

    def by_class(cells: ExactRow) -> tuple[ExactRow, ...]:
        return tuple(cells[c * width : (c + 1) * width] for c in range(classes))

    return replace(
        words,
        words=vocabulary,
        counts=by_class(tuple(whole_sums(times, exponent))),
        documents=by_class(tuple(whole_sums(documents, exponent))),
        known=tuple(whole_sums(known, exponent)),
    )


def _with_texts(counted: Words, unweighted: Words) -> Words:
    """The sums with the numbers of texts, which are the sums of texts that weigh 1 each."""
    texts = tuple(int(sum(each)) for each in zip(*unweighted.documents, strict=True))
    return replace(counted, texts=texts, read=int(sum(unweighted.known)))


def warn_if_wordless(distributions: Iterable[Distribution]) -> None:
    """Warn of a text column none of whose words is used."""
    for each in distributions:
        if isinstance(each, Words) and not len(kept_words(each)):
            why = "its texts hold no word" + (" beside stop words" if each.reading.stop_words else "")
            if each.words:
                why = "the limits min_documents and max_documents leave none of its words"
            warnings.warn(f"Column '{each.name}' says nothing: {why}.", ClearwoodWarning, stacklevel=3)
