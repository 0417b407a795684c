"""Answers that the origin gave elsewhere, in a table, compared with those of the imported model."""

from dataclasses import replace
from typing import Any, Final

import numpy as np

from clearwood.errors import SettingError
from clearwood.importing.asked_origin import BOUND, OwnAnswers
from clearwood.importing.proof import ImportProof, cells_of, compared_answers
from clearwood.models.model import Model, check_kind
from clearwood.table import encode
from clearwood.table.attributes import Numeric
from clearwood.table.schema import Schema
from clearwood.table.sources import read_raw

_CALLED: Final = ("answer", "predicted", "prediction")


def compare_answers(
    model: Model, rows: Any, answers: Any, *, program: str = "the origin", bound: float = BOUND
) -> ImportProof:
    """Compare the model's predictions for these rows with a table of the origin's, a line for each row in
    their order.

    The prediction stands in a column called as the target, `answer`, `predicted` or `prediction`;
    probabilities, where they are there, in columns called as the classes, `probability of …` or
    `probability(…)`. An empty cell is no prediction.
    """
    check_kind("compare_answers", model)
    target = model.schema.predicted
    raw = read_raw(answers)
    name = next((each for each in (target.name, *_CALLED) if each in raw.names), None)
    if name is None:
        raise SettingError(
            f"The predictions need a column called {target.name!r}, {', '.join(map(repr, _CALLED))}; there "
            f"are only {', '.join(raw.names)}."
        )
    columns = [
        next(
            (
                each
                for each in (c, f"probability of {c}", f"share of {c}", f"probability({c})")
                if each in raw.names
            ),
            None,
        )
        for c in model.schema.classes
    ]
    shares = [each for each in columns if each is not None]
    if len(shares) != len(columns):
        shares = []
    table = encode(raw, Schema((replace(target, name=name), *map(Numeric, shares))))
    own = cells_of(model, rows)
    if len(table) != len(own):
        raise SettingError(
            f"There are {len(own)} rows but {len(table)} predictions. Give one for each row, in order."
        )
    answered = table.columns[name]
    if model.is_numeric:
        theirs = OwnAnswers(answered.astype(np.float64)[:, None])
    else:
        figures = (
            np.stack([np.nan_to_num(table.columns[each]) for each in shares], axis=1) if shares else None
        )
        theirs = OwnAnswers(figures, answered.tolist())
    beside = compared_answers(model, own, theirs, bound)
    return ImportProof(
        program,
        len(own),
        0,
        {},
        tuple(beside.different),
        beside.largest,
        bound,
        compared=beside.what,
        ties=beside.ties,
    )
