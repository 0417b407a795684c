"""Differences of scores as lines of text: one for each pair, with its interval, p and posterior."""

from __future__ import annotations

import math
from collections.abc import Sequence

from clearwood.study.comparing.score_difference import ScoreDifference, score_text
from clearwood.words.columns import in_columns, printable
from clearwood.words.numbers import p_value, percent


def difference_lines(differences: Sequence[ScoreDifference]) -> list[str]:
    """A heading and a line for each; `*` marks a difference that was shown."""
    several = any(each.comparisons > 1 for each in differences)
    bayes = any(each.posterior is not None for each in differences)
    by_folds = any(each.five_by_two is not None for each in differences)
    heading = ["first − second", "difference", "95 % interval", "p"]
    heading += ["adjusted p"] if several else []
    heading += ["5×2 t p", "5×2 F p"] if by_folds else []
    heading += ["first better", "equivalent", "second better"] if bayes else []
    rows = [heading]
    for each in differences:
        low, high = (score_text(each, end) for end in each.interval)
        mark = " *" if each.is_shown else ""
        row = [
            printable(f"{each.first} − {each.second}"),
            score_text(each, each.difference) + mark,
            f"{low} to {high}",
            _p(each.p),
        ]
        row += [_p(each.adjusted_p)] if several else []
        if by_folds:
            folds = each.five_by_two
            row += ["–", "–"] if folds is None else [_p(folds.t_p), _p(folds.f_p)]
        if bayes:
            posterior = each.posterior
            row += (
                ["–"] * 3
                if posterior is None
                else [
                    f"{percent(part)} %" for part in (posterior.first, posterior.equivalent, posterior.second)
                ]
            )
        rows.append(row)
    return in_columns(rows, "figures")


def _p(value: float) -> str:
    return "–" if math.isnan(value) else p_value(value)
