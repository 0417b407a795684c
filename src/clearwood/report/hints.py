"""Hints for the fields of the form: what a column's cells were like in the table."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from clearwood.explain.words import top_words
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.distributions import Words
from clearwood.models.model import Model
from clearwood.table.attributes import Nominal, Numeric, Ordinal
from clearwood.table.table import Table


@dataclass(frozen=True, slots=True)
class Hint:
    """The commonest value, or the median, least and greatest number; None where all cells are empty. `met_in`
    are the rows that they are of, in words."""

    usual: str | float | None = None
    least: float | None = None
    greatest: float | None = None
    met_in: str = field(default="the table", repr=False)


def hints_of(table: Table) -> dict[str, Hint]:
    """A hint for each column that a model may use.

    >>> import clearwood as cw
    >>> hints = hints_of(cw.read_table(cw.datasets.path("tennis_numeric"), target="Play"))
    >>> hints["Humidity"], hints["Outlook"].usual
    (Hint(usual=80.0, least=65.0, greatest=96.0), 'Rain')
    """
    hints: dict[str, Hint] = {}
    for attribute in table.schema.inputs:
        column = table.columns.get(attribute.name)
        if column is None:
            continue
        if isinstance(attribute, Nominal | Ordinal):
            codes = column[column >= 0]
            usual = attribute.values[int(np.bincount(codes).argmax())] if codes.size else None
            hints[attribute.name] = Hint(usual)
        elif isinstance(attribute, Numeric):
            numbers = column[~np.isnan(column)].astype(np.float64)
            if numbers.size:
                # A number that was met: a median between two would look odd in a column of whole ones.
                middle = float(np.partition(numbers, (numbers.size - 1) // 2)[(numbers.size - 1) // 2])
                hints[attribute.name] = Hint(middle, float(numbers.min()), float(numbers.max()))
            else:
                hints[attribute.name] = Hint()
    return hints


def invented_texts(model: Model) -> dict[str, Hint]:
    """For each text that a Bayes model reads, the words that speak most for each class: a text of nobody's.

    >>> import clearwood as cw
    >>> rows = {"text": ["free prize", "free call", "see you", "call you"], "y": ["spam"] * 2 + ["ham"] * 2}
    >>> table = cw.read_table(rows, target="y", kinds={"text": "text"})
    >>> invented_texts(cw.NaiveBayes().learn(table))["text"].usual
    'you see free prize'
    """
    if not isinstance(model, BayesTables):
        return {}
    texts = {
        each.name: top_words(model, each.name, most=2)
        for each in model.distributions
        if isinstance(each, Words)
    }
    return {
        name: Hint(" ".join(word.word for each in by_class for word in each.words) or None)
        for name, by_class in texts.items()
    }
