"""Rules as a picture: a table with a bar for each, or a map of the rows that each of them takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, Literal, TypeAlias

from clearwood.draw.legend import caption_marks, legend_marks
from clearwood.draw.marks import Group, Mark, Rectangle
from clearwood.draw.node_bars import BAR, ColourScale, bar_marks
from clearwood.draw.palette import LIGHT, class_colours
from clearwood.draw.picture import Picture, framed
from clearwood.draw.rule_columns import columns_for, heading, line_height, rule_marks
from clearwood.draw.rule_table import rules_summary
from clearwood.draw.rule_words import RuleWords, rule_words
from clearwood.draw.svg import written_as_svg
from clearwood.draw.theming import ThemeName
from clearwood.errors import SettingError, no_such
from clearwood.models.rule_list import RuleList
from clearwood.words.numbers import many

RuleKind: TypeAlias = Literal["table", "icicle"]

_BAR_WIDTH: Final[dict[RuleKind, float]] = {"table": 90.0, "icicle": 380.0}
_STEP: Final = 14.0  # how high a bar of the icicle is
_MARGIN: Final = 20.0
_SET_BACK: Final = 0.45  # what does not answer the case


def rule_picture(
    rules: RuleList,
    *,
    kind: RuleKind = "table",
    row: Mapping[str, Any] | None = None,
    theme: ThemeName = "auto",
) -> Picture:
    """The rules in order. In an "icicle" each bar is as long as the rows its rule takes and begins where the
    rules before it end; rules that vote share rows, and their bars all begin at the left."""
    if kind not in _BAR_WIDTH:
        raise SettingError(no_such("kind of picture called", str(kind), _BAR_WIDTH, plural="kinds"))
    words = rule_words(rules, row)
    columns = columns_for(words, _MARGIN, _BAR_WIDTH[kind])
    target = rules.schema.target.name if rules.schema.target else ""
    colours = class_colours(rules.schema.classes)
    notes = [] if row is None else [_case_sentence(words)]
    marks, y = legend_marks(target, colours, notes, _MARGIN, _MARGIN, columns.width)
    named, y = heading(columns, y)
    marks += named
    scale = _scale(rules, tuple(colours.values()))
    before = _before(rules, words)
    for place, each in enumerate(words):
        middle = y + line_height(each) / 2
        drawn = rule_marks(columns, each, y, scale.colours)
        if kind == "table":
            drawn += (
                bar_marks(each.counts, columns.bar, middle - BAR / 2, _BAR_WIDTH[kind], scale)
                if each.counts
                else []
            )
        else:
            drawn += _step(each, before[place], before[-1], columns.bar, middle - _STEP / 2, scale)
        opacity = 1.0 if row is None or each.chosen else _SET_BACK
        marks.append(Group(drawn, each.full, "rule", place, opacity))
        y += line_height(each)
    written, y = caption_marks([rules_summary(rules)], _MARGIN, y + 8, columns.width)
    return framed(
        written_as_svg([*marks, *written]),
        round(columns.width + 2 * _MARGIN),
        round(y + _MARGIN),
        title=f"Rules for {target}",
        alt=_alt(rules, words, row is not None),
        theme=theme,
    )


def _before(rules: RuleList, words: Sequence[RuleWords]) -> list[float]:
    """The rows taken before each rule, and last all of them."""
    weights = [each.weight for each in words]
    if rules.matching == "vote":
        return [0.0] * len(weights) + [max(weights)]
    return [0.0, *accumulate(weights)]


def _step(each: RuleWords, before: float, whole: float, x: float, y: float, scale: ColourScale) -> list[Mark]:
    """A bar of the icicle: what is left for this rule, and of it what the rule takes, by class."""
    width = _BAR_WIDTH["icicle"]
    if whole <= 0:
        return []
    start = x + width * before / whole
    marks: list[Mark] = [Rectangle(start, y, x + width - start, _STEP, LIGHT.panel)]
    if not scale.colours:
        return [*marks, Rectangle(start, y, width * each.weight / whole, _STEP, LIGHT.muted)]
    for count, colour in zip(each.counts, scale.colours, strict=bool(each.counts)):
        if count > 0:
            part = width * count / whole
            marks.append(Rectangle(start, y, part, _STEP, colour))
            start += part
    return marks


def _scale(rules: RuleList, colours: tuple[str, ...]) -> ColourScale:
    answers = [each.then for each in rules.entries if isinstance(each.then, int | float)]
    return ColourScale(colours, min(answers, default=0.0), max(answers, default=0.0))


def _case_sentence(words: Sequence[RuleWords]) -> str:
    chosen = [each for each in words if each.chosen]
    names = ", ".join(each.number for each in chosen)
    if not names:
        return f"No rule holds for the case: the default rule predicts {chosen[0].answer}."
    return f"Rule {names} decides the case." if len(chosen) == 1 else f"Rules {names} vote on the case."


def _alt(rules: RuleList, words: Sequence[RuleWords], with_case: bool) -> str:
    target = rules.schema.target.name if rules.schema.target else ""
    first = f"; the first says {words[0].full[0]}" if len(words) > 1 else ""
    case = f" {_case_sentence(words)}" if with_case else ""
    return f"{many(len(rules), 'rule', 'rules')} for {target}{first}.{case}"
