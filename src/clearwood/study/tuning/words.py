"""Tuning in words: a table of what was tried, what was chosen and why, and which score may be quoted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, Final

from clearwood.records import finite_or_none, plain_values
from clearwood.words.columns import in_columns
from clearwood.words.numbers import amount, many

if TYPE_CHECKING:
    from clearwood.study.tuning.trials import Trial
    from clearwood.study.tuning.tuner import NestedEstimate, Tuning

_MOST: Final = 20  # trials shown; the others are in the JSON


def tuning_in_text(tuning: Tuning) -> str:
    """The trials from the best on, what was chosen, and what its score is worth."""
    return "\n".join([*trials_in_text(tuning), "", *sentences(tuning)])


def trials_in_text(tuning: Tuning) -> list[str]:
    """One line for each trial, the best first, up to twenty and those chosen; then those that failed."""
    entry = tuning.entry
    judged = [each for each in tuning.trials if not each.failed]
    judged.sort(key=lambda each: -entry.goodness(each.mean) if not math.isnan(each.mean) else math.inf)
    shown = judged[:_MOST] + [each for each in judged[_MOST:] if each is tuning.chosen]
    names = list(tuning.tuner.grid.over)
    rows = [[*names, entry.label, "± 1 s.e.", "size", ""]]
    for each in shown:
        figures = score_in_text(each.mean), score_in_text(each.standard_error), amount(each.size)
        marked = (("best", tuning.best), ("chosen", tuning.chosen))
        marks = ", ".join(name for name, trial in marked if trial is each)
        rows.append([*(value_in_text(each.settings[name]) for name in names), *figures, marks])
    lines = in_columns(rows)
    if len(judged) > len(shown):
        lines.append(f"… and {len(judged) - len(shown):,} more, none of them better")
    failed = [each for each in tuning.trials if each.failed]
    return lines + [f"{settings_in_text(each.settings)}: {each.failed}" for each in failed[:_MOST]]


def sentences(tuning: Tuning) -> list[str]:
    """What was chosen and why, and which score may be quoted; of a single setting nothing is chosen, and so
    nothing is too good to be quoted."""
    chosen, best, label = tuning.chosen, tuning.best, tuning.judging.in_words
    failed = sum(bool(each.failed) for each in tuning.trials)
    settings = settings_in_text(chosen.settings)
    own = f"{_capital(label)} {_with_error(chosen.mean, chosen.standard_error)} over {tuning.design_in_words}"
    lines = [f"Tuning was {tuning.ended}."] if tuning.ended else []
    nested = [nested_in_text(tuning.nested, label)] if tuning.nested else []
    if len(tuning.trials) - failed == 1:
        others = f" ({many(failed, 'other')} failed)" if failed else ""
        lines.append(f"There was nothing to choose: one setting was tried{others}, {settings}.")
        return [*lines, f"{own}, whose rows chose nothing, may be quoted.", *nested]
    tried = f"{many(len(tuning.trials), 'setting')} tried{f' ({failed} of which failed)' if failed else ''}"
    if chosen is best:
        simpler = ", and none within one standard error is simpler" if tuning.tuner.one_se else ""
        why = f"the best of {tried}{simpler}"
    else:
        why = (
            f"the simplest of {tried} within one standard error of the best "
            f"({settings_in_text(best.settings)}, {_with_error(best.mean, best.standard_error)}, "
            f"size {amount(best.size)})"
        )
    lines.append(f"Chosen: {settings}; {why}.")
    lines.append(f"{own} is optimistic: these folds chose the settings. Do not quote it.")
    advice = "For a score to quote, tune within outer folds as well, or evaluate on rows kept apart."
    return [*lines, *(nested or [advice])]


def nested_in_text(nested: NestedEstimate, label: str) -> str:
    """The score that may be quoted, and how steady the choice was."""
    kinds = Counter(map(settings_in_text, nested.chosen))
    ((common, times),) = kinds.most_common(1)
    steady = f"{times} of {len(nested.chosen)} chose {common}" if times > 1 else "each chose other settings"
    if len(kinds) == 1:
        steady = f"all of them chose {common}"
    return (
        f"{_capital(label)} {_with_error(nested.mean, nested.standard_error)} over {nested.design_in_words}, "
        f"whose rows chose nothing, may be quoted for the learner tuned so; {steady}."
    )


def tuning_to_json(tuning: Tuning) -> dict[str, Any]:
    """All trials in the order of the grid, and what follows from them."""
    places = {id(each): place for place, each in enumerate(tuning.trials)}
    positive, nested = tuning.judging.stakes.positive, tuning.nested
    trials = [
        {
            "settings": _plain_settings(each.settings),
            **plain_values(**_figures(each), size=each.size),
            **({"failed": each.failed} if each.failed else {}),
        }
        for each in tuning.trials
    ]
    outer = nested and {
        "design": nested.design_in_words,
        **plain_values(**_figures(nested)),
        "chosen": list(map(_plain_settings, nested.chosen)),
        "may_be_quoted": True,
    }
    return {
        "learner": tuning.model.origin.learner,
        "score": tuning.judging.by,
        "better": tuning.entry.better,
        **({"positive": positive} if positive else {}),
        "design": tuning.design_in_words,
        "trials": trials,
        "best": places[id(tuning.best)],
        "chosen": places[id(tuning.chosen)],
        "one_standard_error": tuning.tuner.one_se,
        "optimistic": {
            "mean": finite_or_none(tuning.chosen.mean),
            "may_be_quoted": sum(not each.failed for each in tuning.trials) == 1,
        },
        "nested": outer,
        **({"ended": tuning.ended} if tuning.ended else {}),
    }


def _figures(scored: Trial | NestedEstimate) -> dict[str, Any]:
    return {"mean": scored.mean, "standard_error": scored.standard_error, "scores": scored.scores}


def _plain_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in settings.items()}


def settings_in_text(settings: Mapping[str, Any]) -> str:
    """Settings in a sentence.

    >>> settings_in_text({"max_depth": 3, "min_leaf": 0.25})
    'max_depth = 3, min_leaf = 0.25'
    """
    return ", ".join(f"{name} = {value_in_text(value)}" for name, value in settings.items())


def value_in_text(value: Any) -> str:
    """A value as a person writes it: a learner by its name and what is not its default."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if is_dataclass(value) and not isinstance(value, type):
        usual = type(value)()
        own = {
            name: each
            for name in value.__dataclass_fields__
            if (each := getattr(value, name)) != getattr(usual, name)
        }
        return f"{type(value).__name__}({', '.join(f'{name}={each!r}' for name, each in own.items())})"
    return str(value)


def score_in_text(value: float) -> str:
    """A mean score in four decimals, a large one in four digits.

    >>> score_in_text(0.72), score_in_text(123.4567), score_in_text(math.nan)
    ('0.7200', '123.5', '–')
    """
    return "–" if math.isnan(value) else f"{value:.4g}" if abs(value) >= 10 else f"{value:.4f}"


def _with_error(mean: float, error: float) -> str:
    return score_in_text(mean) if math.isnan(error) else f"{score_in_text(mean)} ± {score_in_text(error)}"


def _capital(label: str) -> str:
    return f"{label[0].upper()}{label[1:]}"


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return [_plain(each) for each in value] if isinstance(value, Sequence) else value_in_text(value)
