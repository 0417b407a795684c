"""The model card: what made the model, of what, and what it cannot do; and the model's file to take along."""

from __future__ import annotations

import base64
import gzip
import platform
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from clearwood import __version__
from clearwood.draw.escaping import escape_xml
from clearwood.learners.training import fingerprint
from clearwood.models.decision_words import weights_in_full
from clearwood.models.files import to_json
from clearwood.models.lineage import Done
from clearwood.models.lineage_words import in_words, lineage_by_time
from clearwood.models.model import how_large
from clearwood.models.plain import LearnerAsData, Plain
from clearwood.models.predicted import predicted
from clearwood.reporting.evaluation_section import cost_sentence
from clearwood.reporting.markup import definitions, isolated, name_in_sentence, percentage
from clearwood.reporting.page import Section
from clearwood.scoring.evaluation import ClassEvaluation
from clearwood.study.profiling import profile_of
from clearwood.study.study import Study
from clearwood.words.numbers import amount, many

_LARGE: Final = 50_000  # bytes
_TOO_LARGE: Final = 8_000_000  # bytes


def card_section(study: Study) -> Section:
    """Everything needed to make the model again, and the limits one should know of."""
    model = study.model
    lines = [
        ("Predicts", isolated(predicted(model))),
        ("Classes", ", ".join(map(isolated, model.schema.classes)))
        if model.schema.classes
        else ("Predicts", "a number"),
        ("Learner", f"{isolated(model.origin.title)}, {how_large(model)}"),
        ("Settings", _settings(model.origin.settings)),
        *_lineage(model.origin.after),
        ("Learned from", _learned_from(study)),
        *(
            [("Weights", isolated(weights_in_full(model.origin.weights_are)))]
            if model.origin.weights_are
            else []
        ),
        ("Evaluated on", _judged_on(study)),
        ("Seed", str(study.seed)),
        (
            "Table",
            f"{isolated(study.name) + ', ' if study.name else ''}fingerprint "
            f"<code>{fingerprint(study.table)}</code>",
        ),
        ("Versions", _versions(study)),
    ]
    if study.how:
        lines.append(("Made by", f"<code>{escape_xml(study.how)}</code>"))
    lines.append(("The model's file", _download(study)))
    limits = "".join(f"<li>{escape_xml(each)}</li>" for each in _limits(study))
    return Section("card", "Model card", f"{definitions(lines)}<h3>Limits</h3><ul>{limits}</ul>")


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
    return (
        ", ".join(f"{isolated(name)} = {isolated(_plain(value))}" for name, value in settings.items())
        or "none"
    )


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
    rows = many(origin.rows, "row", "rows") if origin.rows else "rows that its file does not count"
    mark = f", fingerprint <code>{escape_xml(origin.fingerprint)}</code>" if origin.fingerprint else ""
    back = 0 if study.learned_from is None else len(study.learned_from) - origin.rows
    beside = f"; {back:,} more were kept back to prune with" if back > 0 and not study.saved else ""
    if study.held_out is not None and not study.saved:
        return f"{rows} of {len(study.table):,}{mark}{beside}"
    return f"{rows}{mark}{beside}"


def _judged_on(study: Study) -> str:
    if study.folds is not None:
        return f"{isolated(study.folds.design_in_words)} of the same rows"
    if study.held_out is not None and study.saved:
        return f"{many(len(study.held_out), 'row', 'rows')}, of which it may have seen some"
    if study.held_out is not None:
        return f"{many(len(study.held_out), 'row', 'rows')} that it was not learned from"
    return "no rows but its own"


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
        return (
            f"{size / 1e6:,.0f} MB of JSON, too large for a page; "
            "<code>clearwood fit … --save model.json</code> writes it"
        )
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
        low, high = study.judged.interval
        answered = " that it predicts" if study.judged.silent else ""
        sentences.append(
            f"It is wrong for about {percentage(1 - study.judged.accuracy)} of rows like these{answered} "
            f"(95 % interval {percentage(1 - high)} to {percentage(1 - low)}).{cost_sentence(study.judged)}"
        )
        if study.judged.silent:
            sentences.append(
                f"It leaves about {percentage(1 - study.judged.answered)} of such rows without a prediction."
            )
        weak = {name: part for name, part in study.judged.recall.items() if part == part}
        if (
            len(weak) > 1
            and (worst := min(weak, key=weak.__getitem__))
            and weak[worst] < study.judged.accuracy
        ):
            sentences.append(
                f"Of the rows of class {name_in_sentence(worst)} it finds only {percentage(weak[worst])}."
            )
    else:
        name, value = study.judged.score
        how = "have a quantile loss of" if name == "quantile loss" else "are off by"
        said = amount(value) if name == "quantile loss" else f"{amount(value)} ({name})"
        sentences.append(f"Its predictions {how} {said} on rows like these.")
    sentences.append(
        "Rows that come from elsewhere, or later, may differ from these; then the numbers do not hold."
    )
    sentences.append("It shows what goes together in the table, not what causes what.")
    if (study.model.origin.rows or len(study.rows)) < 100:
        sentences.append(
            "It was learned from few rows: another sample of the same size could give another model."
        )
    return sentences
