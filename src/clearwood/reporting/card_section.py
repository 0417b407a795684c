"""The model card: what made the model, of what, and what it cannot do; and the model's file to take along."""

from __future__ import annotations

import base64
import gzip
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood import __version__
from clearwood.draw.escaping import escape_xml
from clearwood.learners.training import fingerprint
from clearwood.models.files import to_json
from clearwood.models.in_words import in_words, lineage_by_time, weights_in_full
from clearwood.models.lineage import Done, LearnerAsData, Plain
from clearwood.models.model import how_large
from clearwood.models.predicted import predicted
from clearwood.reporting.evaluation_section import cost_sentence
from clearwood.reporting.markup import bullets, definitions, isolated, name_in_sentence, percentage
from clearwood.reporting.page import Section
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.profiling import profile_of
from clearwood.study.study import Study
from clearwood.words.numbers import amount, many

_LARGE: Final = 50_000  # bytes
_TOO_LARGE: Final = 8_000_000  # bytes


def card_section(study: Study) -> Section:
    """Everything needed to make the model again, and the limits one should know of."""
    model, origin = study.model, study.model.origin
    name = f"{isolated(study.name)}, " if study.name else ""
    answers = ("Predicts", "a number")
    if model.schema.classes:
        answers = ("Classes", ", ".join(map(isolated, model.schema.classes)))
    lines = [
        ("Predicts", isolated(predicted(model))),
        answers,
        ("Learner", f"{isolated(origin.title)}, {how_large(model)}"),
        ("Settings", _settings(origin.settings)),
        *_lineage(origin.after),
        ("Learned from", _learned_from(study)),
        *([("Weights", isolated(weights_in_full(origin.weights_are)))] if origin.weights_are else []),
        ("Evaluated on", _judged_on(study)),
        ("Seed", str(study.seed)),
        ("Table", f"{name}fingerprint <code>{fingerprint(study.table)}</code>"),
        ("Versions", _versions(study)),
        *([("Made by", f"<code>{escape_xml(study.how)}</code>")] if study.how else []),
        ("The model's file", _download(study)),
    ]
    limits = bullets(map(escape_xml, _limits(study)))
    return Section("card", "Model card", f"{definitions(lines)}<h3>Limits</h3>{limits}")


def _lineage(done: Sequence[Done]) -> list[tuple[str, str]]:
    """What was done before learning and after it, each at its time."""
    by_time = lineage_by_time(done)
    parts = (
        ("Before learning", by_time.before),
        ("Learning", by_time.ended),
        ("After learning", by_time.after),
    )
    return [(when, isolated("; ".join(map(in_words, each)))) for when, each in parts if each]


def _settings(settings: Mapping[str, Plain]) -> str:
    texts = (f"{isolated(name)} = {isolated(_plain(value))}" for name, value in settings.items())
    return ", ".join(texts) or "none"


def _plain(value: Plain) -> str:
    """As `clearwood learners` prints defaults."""
    if isinstance(value, LearnerAsData):
        return f"{value.learner} {_plain(value.settings)}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {_plain(each)}" for name, each in value.items()) + "}"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(_plain, value)) or "none" if isinstance(value, tuple) else str(value)


def _learned_from(study: Study) -> str:
    origin = study.model.origin
    rows = many(origin.rows, "row") if origin.rows else "rows that its file does not count"
    mark = f", fingerprint <code>{escape_xml(origin.fingerprint)}</code>" if origin.fingerprint else ""
    if study.saved:
        return f"{rows}{mark}"
    back = 0 if study.learned_from is None else len(study.learned_from) - origin.rows
    beside = f"; {back:,} more were kept back to prune with" if back > 0 else ""
    of = "" if study.held_out is None else f" of {len(study.table):,}"
    return f"{rows}{of}{mark}{beside}"


def _judged_on(study: Study) -> str:
    if study.folds is not None:
        return f"{isolated(study.folds.design_in_words)} of the same rows"
    if study.held_out is None:
        return "no rows but its own"
    how = ", of which it may have seen some" if study.saved else " that it was not learned from"
    return f"{many(len(study.held_out), 'row')}{how}"


def _versions(study: Study) -> str:
    made = study.model.origin.version
    own = f" (the model: {escape_xml(made)})" if made and made != __version__ else ""
    numpy = escape_xml(np.__version__)
    return f"Clearwood {escape_xml(__version__)}{own}, Python {platform.python_version()}, NumPy {numpy}"


def _download(study: Study) -> str:
    """A link that holds the file, compressed where it is large: whoever has the page has the model, unless it
    is of many large trees."""
    model, rows = study.model, study.learned_from if study.grown_on is None else study.grown_on
    if model.profile is None and rows is not None:
        model = replace(model, profile=profile_of(rows))
    content, name, kind = to_json(model).encode("utf-8"), "model.json", "application/json"
    size = len(content)
    if size > _TOO_LARGE:
        writes = "<code>clearwood fit … --save model.json</code> writes it"
        return f"{size / 1e6:,.0f} MB of JSON, too large for a page; {writes}"
    if size > _LARGE:
        content, name, kind = gzip.compress(content, 9, mtime=0), "model.json.gz", "application/gzip"
    held = base64.b64encode(content).decode("ascii")
    return (
        f'<a download="{name}" href="data:{kind};base64,{held}">{name}</a> '
        f"({size / 1000:,.0f} kB of JSON); read it with <code>clearwood show {name}</code>"
    )


def _limits(study: Study) -> list[str]:
    """What the numbers do not show, in plain words."""
    sentences = []
    if study.judged is None:
        sentences.append("How the model does on rows that it has not seen is not known.")
    elif isinstance(study.judged, ClassEvaluation):
        judged = study.judged
        low, high = (percentage(1 - end) for end in judged.interval[::-1])
        answered = " that it predicts" if judged.silent else ""
        sentences.append(
            f"It is wrong for about {percentage(1 - judged.accuracy)} of rows like these{answered} "
            f"(95 % interval {low} to {high}).{cost_sentence(judged)}"
        )
        if judged.silent:
            left = percentage(1 - judged.answered)
            sentences.append(f"It leaves about {left} of such rows without a prediction.")
        known = {name: part for name, part in judged.recall.items() if not math.isnan(part)}
        worst = min(known, key=known.__getitem__, default="")
        if len(known) > 1 and known[worst] < judged.accuracy:
            found = percentage(known[worst])
            sentences.append(f"Of the rows of class {name_in_sentence(worst)} it finds only {found}.")
    else:
        name, value = study.judged.score
        off = f"are off by {amount(value)} ({name})"
        if name == "quantile loss":
            off = f"have a quantile loss of {amount(value)}"
        sentences.append(f"Its predictions {off} on rows like these.")
    sentences.append(
        "Rows that come from elsewhere, or later, may differ from these; then the numbers do not hold."
    )
    sentences.append("It shows what goes together in the table, not what causes what.")
    if (study.model.origin.rows or len(study.rows)) < 100:
        sentences.append(
            "It was learned from few rows: another sample of the same size could give another model."
        )
    return sentences
