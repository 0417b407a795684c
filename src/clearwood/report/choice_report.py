"""A choice in one page: the recommendation, all contenders, and then the recommended model itself."""

from __future__ import annotations

import numpy as np

from clearwood.models.tree import Tree
from clearwood.report.card_section import card_section
from clearwood.report.choice_section import contenders_section, judging_section, recommendation_section
from clearwood.report.data_section import data_section
from clearwood.report.evaluation_section import evaluation_section
from clearwood.report.evidence_section import evidence_section
from clearwood.report.hints import hints_of
from clearwood.report.making import Report
from clearwood.report.markup import name_in_sentence
from clearwood.report.model_section import model_section
from clearwood.report.page import Page, Section, live, page_of
from clearwood.report.rules_section import rules_section
from clearwood.report.summaries import summaries_of
from clearwood.report.verdict_section import verdict_section
from clearwood.scoring.evaluation import evaluate
from clearwood.scoring.evaluation_intervals import with_fitting_intervals
from clearwood.scoring.predictions import counted_once
from clearwood.study.contest.choice import ModelChoice
from clearwood.study.cross_validation import CrossValidation
from clearwood.study.study import Study
from clearwood.words.numbers import many


def choice_report(choice: ModelChoice, *, name: str = "", title: str | None = None, how: str = "") -> Report:
    """The page of a choice; `name` is what the table is called in it, `how` the command that makes it again.

    >>> import clearwood as cw
    >>> days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> choice_report(cw.choose(days, [cw.ID3(), cw.RIPPER()])).study.model.origin.learner
    'RIPPER'
    """
    study = _study(choice, name, how)
    model = study.model
    sections: list[Section | None] = [
        verdict_section(choice.verdict),
        recommendation_section(choice),
        contenders_section(choice),
        judging_section(choice),
        model_section(study),
        rules_section(study),
        evidence_section(study),
        evaluation_section(study),
        Section("ask", "Ask it about a row", live("form")),
        data_section(study),
        card_section(study),
    ]
    contenders = many(len(choice.judged), "contender")
    of = f" of {name_in_sentence(name)}" if name else ""
    page = Page(
        title=title or f"Which model for {name_in_sentence(study.target)}?",
        model=model,
        sections=tuple(each for each in sections if each is not None),
        lead=f"{contenders}, evaluated alike on {many(len(study.table), 'row')}{of} by {choice.entry.label}: "
        f"{choice.how_judged}. The model below is the recommended one, learned from all rows.",
        foot="Made with Clearwood. This page loads nothing from the network.",
        hints=hints_of(study.table),
        summaries=summaries_of(model, study.table) if isinstance(model, Tree) else (),
    )
    return Report(page_of(page), study)


def _study(choice: ModelChoice, name: str, how: str) -> Study:
    """The recommended model, learned from all rows, judged by what its like did on rows held out."""
    rows = choice.contest.table
    judged = choice[choice.recommendation.name]
    predictions = judged.predictions
    assert predictions is not None
    parts = [predictions.take(predictions.part == part) for part in np.unique(predictions.part)]
    once = counted_once(predictions)
    folds = CrossValidation(
        tuple(with_fitting_intervals(part.evaluation, part) for part in parts),
        judged.sizes,
        "reading size",
        with_fitting_intervals(once.evaluation, once),
        predictions,
        choice.design,
        choice.contest.judged_to_learned,
    )
    return Study(
        name=name,
        table=rows,
        model=choice.model,
        learned_from=rows,
        grown_on=rows,
        training=evaluate(choice.model, rows),
        judged=folds.together,
        folds=folds,
        seed=choice.design.seed,
        how=how,
    )
