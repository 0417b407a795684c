"""A comparison over many tables as text: mean ranks, every pair, and what may be concluded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from clearwood.study.comparing.rank_comparison import RankComparison
from clearwood.words.columns import in_columns, printable, wrapped
from clearwood.words.lists import with_and
from clearwood.words.numbers import many, p_value, percent

_WIDTH: Final = 100


def draw_rank_comparison(comparison: RankComparison) -> str:
    """For a terminal."""
    return "\n".join(_lines(comparison))


def _lines(comparison: RankComparison) -> Iterator[str]:
    names = with_and(map(printable, comparison.learners))
    way = "larger" if comparison.better == "more" else "smaller"
    yield from wrapped(f"{names} on {many(len(comparison.tables), 'table')} ({way} is better)", _WIDTH)
    yield ""
    means = dict(zip(comparison.learners, comparison.scores.mean(axis=0).tolist(), strict=True))
    rows = [["", "mean rank", "mean score"]]
    rows += [
        [printable(name), f"{rank:.3f}", f"{means[name]:.4g}"] for name, rank in comparison.mean_ranks.items()
    ]
    yield from in_columns(rows, "figures")
    yield f"critical difference of mean ranks {comparison.critical_difference:.2f} (Nemenyi)"
    yield ""
    yield from _pairs(comparison)
    yield ""
    for sentence in comparison.conclusions:
        yield from wrapped(sentence, _WIDTH)
    for note in comparison.notes:
        yield ""
        yield from wrapped(note, _WIDTH)


def _pairs(comparison: RankComparison) -> list[str]:
    rope = f"± {comparison.differences[0].posterior.rope:g}"
    heading = ["first, second", "wins–ties–losses", "Nemenyi p", "Wilcoxon p"]
    heading += ["adjusted p", "first better", rope, "second better"]
    rows = [heading]
    for each in comparison.differences:
        posterior = each.posterior
        rows.append(
            [
                printable(f"{each.first}, {each.second}"),
                f"{each.wins}–{each.ties}–{each.losses}",
                p_value(each.nemenyi_p),
                p_value(each.signed_ranks.p),
                p_value(each.adjusted_p),
                *(f"{percent(part)} %" for part in (posterior.first, posterior.equivalent, posterior.second)),
            ]
        )
    return in_columns(rows, "figures")
