"""A choice in one page: the recommendation, all contenders, and then the recommended model itself."""

from __future__ import annotations

import numpy as np

from clearwood.draw.choice import price_sentence, score_cells
from clearwood.draw.escaping import escape_xml
from clearwood.models.kinds.tree.tree import Tree
from clearwood.reporting.card_section import card_section
from clearwood.reporting.columns_used import summaries_of
from clearwood.reporting.data_section import data_section
from clearwood.reporting.evaluation_section import evaluation_section
from clearwood.reporting.evidence_section import evidence_section
from clearwood.reporting.making import Report, verdict_section
from clearwood.reporting.markup import (
    bullets,
    details,
    isolated,
    name_in_sentence,
    paragraph,
    picture_html,
    table,
)
from clearwood.reporting.model_section import model_section
from clearwood.reporting.page import Page, Section, hints_of, live, page_of
from clearwood.reporting.rules_section import rules_section
from clearwood.scoring.evaluation import evaluate
from clearwood.scoring.intervals import with_fitting_intervals
from clearwood.scoring.predictions import counted_once
from clearwood.study.comparing.score_difference import short_conclusion
from clearwood.study.contest.choice import ModelChoice, size_words
from clearwood.study.contest.planning import in_seconds
from clearwood.study.contest.running import JudgedContender
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


# The section of a choice: which model to take and why, all contenders, who is really better, how judged.


def recommendation_section(choice: ModelChoice) -> Section:
    """Which contender to take, and its reasons; the chart; what the last point costs."""
    lead, *reasons = choice.recommendation.reasons
    html = [
        f"<p><strong>{escape_xml(name_in_sentence(lead))}</strong></p>",
        paragraph(" ".join(reasons)),
        picture_html(choice.chart()),
    ]
    if sentence := price_sentence(choice):
        html.append(paragraph(sentence))
    return Section("choice", "Which model to take", "\n".join(html))


def contenders_section(choice: ModelChoice) -> Section:
    """Every contender: its score, how far it is behind, whether that could be luck; and who was refused."""
    answered = ["predicted"] if choice.table.some_silent else []
    corrected = choice.table.corrected_heads
    heads = [
        "contender",
        choice.entry.label,
        *corrected,
        *answered,
        "behind",
        "p",
        "reading size",
        "time",
        "",
    ]
    lines = [_line(choice, each) for each in choice.judged if not each.refused]
    if not choice.baseline.refused:
        scores = score_cells(choice, choice.baseline, choice.from_baseline, adjusted=False)
        lines.append(("baseline", *scores, "", "", "the same prediction for all"))
    caption = f"Mean and standard error of the {choice.entry.label} over {choice.how_judged}; the best first."
    html = [
        table(heads, lines, numbers=range(1, len(heads) - 1), caption=caption),
        paragraph(
            f"Behind: how far the score lies behind that of {name_in_sentence(choice.reference.name)}, the "
            "best that can be read; with a minus it is ahead. On the frontier: nothing smaller is as good. "
            "Time is for one part."
        ),
    ]
    refused = [f"{name}: {sentence}" for name, sentence in choice.table.refused.items()]
    told = [f"{each.name}: {sentence}" for each in choice.judged for sentence in each.notes]
    if notes := [*refused, *choice.notes, *told]:
        html.append(f"<h3>Notes</h3>{bullets(map(isolated, notes))}")
    pairs = bullets(isolated(short_conclusion(each)) for each in choice.differences)
    html.append(details("What may be concluded, pair by pair", pairs) if choice.differences else "")
    return Section("contenders", "All contenders", "\n".join(html))


def judging_section(choice: ModelChoice) -> Section:
    """How the contenders were judged."""
    rows = many(len(choice.contest.table), "row")
    parts = many(len(choice.contest.parts), "part")
    better = "More is better" if choice.entry.better == "more" else "Less is better"
    costs = choice.contest.stakes.costs
    sentences = [
        f"Every contender learned from the same rows and was tested on the same others: {choice.how_judged} "
        f"of {rows}, {parts} in all.",
        f"The score is the {choice.entry.label}. {choice.entry.about} {better}.",
        "Reading size counts the conditions of all leaves or rules, the cells of tables, the weights, or the "
        "steps of curves and cells of pairs: the median over the parts.",
        "Differences are tested over the parts with the correction for training rows that they share (Nadeau "
        "and Bengio 2003), or over the rows where one part was held out; p is adjusted by Holm.",
    ]
    if choice.table.corrected_heads:
        sentences.append(
            "A bootstrap sample lacks a third of the rows, and models of it are a little worse than one of "
            "all: the .632+ estimate corrects for that (Efron and Tibshirani 1997)."
        )
    if costs is not None:
        named = ", ".join(f"{true} predicted as {called} {cost:g}" for (true, called), cost in costs.items())
        sentences.append(f"Mistakes cost: {named}; others 1. Every contender decides by these costs.")
    sentences.append(f"It took {in_seconds(choice.seconds)}.")
    return Section("judging", "How they were evaluated", "".join(map(paragraph, sentences)))


def _line(choice: ModelChoice, each: JudgedContender) -> tuple[str, ...]:
    is_chosen = each.name == choice.recommendation.name
    found = next((d for d in choice.differences if d.second == each.name), None)
    scores = score_cells(choice, each, found)
    roles = ["recommended"] if is_chosen else []
    if each is choice.reference:
        roles.append("best that can be read")
    elif any(each.name == other.name for other in choice.frontier):
        roles.append("on the frontier")
    name = f"<strong>{isolated(each.name)}</strong>" if is_chosen else isolated(each.name)
    return name, *scores, size_words(each), in_seconds(each.seconds), ", ".join(roles)
