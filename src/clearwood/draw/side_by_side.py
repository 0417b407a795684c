"""Linear models side by side: the same terms, each model's weights in a column."""

from __future__ import annotations

from collections.abc import Mapping

from clearwood.draw.linear import term_text
from clearwood.errors import SettingError
from clearwood.models.kinds import check_kind
from clearwood.models.linear_model import LinearModel, Term
from clearwood.words.columns import in_columns, printable
from clearwood.words.numbers import in_digits


def side_by_side(models: Mapping[str, LinearModel]) -> str:
    """One table with a row for each term and a column for each model; – if a model has no such term.

    >>> from clearwood.learners.linear.bayes_as_logistic import gaussian_bayes_as_logistic
    >>> from clearwood.learners.linear.logistic import Logistic
    >>> from clearwood.table import read_table
    >>> table = read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> print(side_by_side({"fitted": Logistic().learn(table), "Bayes": gaussian_bayes_as_logistic(table)}))
    y = b against a  fitted  Bayes
    (intercept)      −4.249  −5.25
    x                 1.214    1.5
    """
    given = dict(models)
    if not given:
        raise SettingError("side_by_side takes at least one model, by the name its column gets.")
    for model in given.values():
        check_kind("side_by_side", model, LinearModel)
    first = next(iter(given.values()))
    for name, model in given.items():
        if model.schema.target != first.schema.target or model.against != first.against:
            raise SettingError(f"'{name}' does not tell the same classes apart, against the same one.")
    contrasts = list(dict.fromkeys(c for model in given.values() for c in model.contrasts))
    terms: list[Term] = list(dict.fromkeys(term for model in given.values() for term in model.terms))
    blocks = []
    for contrast in contrasts:
        target = printable(first.schema.target.name) if first.schema.target else ""
        against = f" against {printable(first.against)}" if first.against is not None else ""
        rows = [[f"{target} = {printable(contrast)}{against}", *map(printable, given)]]
        for term in (None, *terms):
            rows.append([term_text(first, term), *(_weight(m, contrast, term) for m in given.values())])
        blocks.append("\n".join(in_columns(rows, "figures")))
    return "\n\n".join(blocks)


def _weight(model: LinearModel, contrast: str, term: Term | None) -> str:
    if contrast not in model.contrasts or (term is not None and term not in model.terms):
        return "–"
    c = model.contrasts.index(contrast)
    if term is None:
        return in_digits(model.intercepts[c])
    return in_digits(model.weights[c][model.terms.index(term)])
