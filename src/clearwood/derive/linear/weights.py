"""A linear model without a row: the climb, the gain over no terms, each weight, each attribute."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from clearwood.derive.linear.climbing import climb_step, deviance_step, rows_step
from clearwood.derive.linear.estimating import tests_step, weights_step
from clearwood.derive.linear.from_bayes import from_bayes_steps
from clearwood.models.linear_model import LinearModel
from clearwood.table.table import Table
from clearwood.working.derivation import Derivation, Step
from clearwood.working.figures import each_by


def derive_weights(model: LinearModel, table: Table | None = None) -> Derivation:
    """How the weights were found and how sure they are; with the table also how likely its rows are.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> derivation = derive_weights(cw.Logistic().learn(table), table)
    >>> round(derivation.figure("odds ratio(x | b)").value, 3)
    3.367
    >>> round(derivation.figure("likelihood ratio").value, 3)
    3.362
    """
    target = model.schema.target
    assert target is not None
    makers: list[Callable[[], Step]] = []
    if model.fit is not None:
        makers += [partial(climb_step, model, model.fit), partial(deviance_step, model, model.fit, table)]
        if table is not None:
            makers.append(partial(rows_step, model, table))
    elif table is not None:
        makers += from_bayes_steps(model, table)
    makers += [partial(weights_step, model, contrast) for contrast in model.contrasts]
    if model.fit is not None and model.fit.tests:
        makers.append(partial(tests_step, model, model.fit))
    return Derivation(f"Logistic regression for {target.name}", each_by(makers))
