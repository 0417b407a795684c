"""A PMML document's own answers: those of JPMML-Evaluator, where it is installed."""

from __future__ import annotations

import warnings

import numpy as np

from clearwood.export.running.java_with_jpmml import jpmml_missing
from clearwood.importing.asked_origin import BOUND, SINGLE_BOUND, AskedOrigin, OwnAnswers
from clearwood.importing.given import GivenNames
from clearwood.importing.hurting_rows import RowCells
from clearwood.importing.importer import Content
from clearwood.importing.pmml.engine import ask_engine, engine_name
from clearwood.importing.pmml.reading import read_pmml
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList


def ask_pmml(content: Content, model: Model, _: GivenNames) -> AskedOrigin:
    """JPMML-Evaluator, asked about a document."""
    because = jpmml_missing()
    if because:
        return AskedOrigin("JPMML-Evaluator", None, not_run=f"{because}; give its predictions")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what was warned of when the document was imported
        own = read_pmml(content, GivenNames()).schema
    named = dict(zip(own.positions, model.schema.positions, strict=True))
    # Rules may have no answer, as PMML may; of other models such rows are outside of what they can say.
    may_be_silent = isinstance(model, RuleList)

    def ask(rows: list[RowCells]) -> OwnAnswers:
        asked = [{theirs: row.get(ours) for theirs, ours in named.items()} for row in rows]
        answers = ask_engine(content, own, asked)
        silent = "" if may_be_silent else "There is no prediction."
        refused = [each.refused or (silent if each.answer is None else "") for each in answers]
        if model.is_numeric:
            numbers = [np.nan if each.answer is None else float(each.answer) for each in answers]
            return OwnAnswers(np.array(numbers)[:, None], refused=refused)
        places = {name: place for place, name in enumerate(own.classes)}
        nothing = (0.0,) * len(own.classes)
        figures = np.array([each.shares or nothing for each in answers])
        codes = [-1 if each.answer is None else places[str(each.answer)] for each in answers]
        # Of rules it may give the class alone.
        has_shares = any(
            code >= 0 and not np.isnan(row).any() for code, row in zip(codes, figures, strict=True)
        )
        return OwnAnswers(figures if has_shares else None, codes, refused)

    # Sums in single precision, which XGBoost's documents ask for, are double ones here.
    bound = SINGLE_BOUND if b'x-mathContext="float"' in content.first(len(content.data)) else BOUND
    return AskedOrigin(engine_name(), ask, bound, at_once=True)
