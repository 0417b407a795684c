"""The validation curve: how good a learner is by one of its settings, on held-out rows and on its own."""

from __future__ import annotations

from typing import Final

from clearwood.draw.charts.score_lines import ScoreLine, lines_panel
from clearwood.draw.charts.setting_axis import SettingAxis, setting_axis
from clearwood.draw.charts.sheet import Spec, drawn, in_sentence
from clearwood.draw.charts.taking import check_drawable
from clearwood.draw.palette import LIGHT, ThemeName
from clearwood.draw.picture import Picture
from clearwood.study.tuning.trials import Trial
from clearwood.study.tuning.validation_curve import ValidationCurve
from clearwood.study.tuning.words import value_in_text
from clearwood.words.numbers import amount

_WIDTH: Final = 430
_HEIGHT: Final = 260


def validation_curve(curve: ValidationCurve, *, theme: ThemeName = "auto") -> Picture:
    """The setting across, the score up: on held-out rows, and dashed on those learned from, each in a band of
    one standard error; the best value is marked.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("hire"), target="Hire")
    >>> curve = cw.validation_curve(cw.CART(), table, "max_depth", range(4), design=cw.Folds(7))
    >>> validation_curve(curve).alt
    'Accuracy by max_depth: on held-out rows from 0.4286 at 0 to 0.7857 at 3, best 0.7857 at 2.'
    """
    check_drawable("validation_curve", curve, ValidationCurve)
    axis = setting_axis(curve.setting, curve.values)
    shown = sorted(
        (each for each in curve.trials if not each.failed),
        key=lambda each: axis.place(each.settings[curve.setting]),
    )
    places = [axis.place(each.settings[curve.setting]) for each in shown]
    of_training = [each.standard_error_on_training for each in shown]
    lines = [
        ScoreLine("training", places, [each.mean_on_training for each in shown], LIGHT.muted, of_training,
                  dashed=True),
        ScoreLine("held out", places, [each.mean for each in shown], LIGHT.accent,
                  [each.standard_error for each in shown]),
    ]  # fmt: skip
    best = curve.best
    value = value_in_text(best.settings[curve.setting])
    label = curve.judging.in_words
    title = in_sentence(f"{label[0].upper()}{label[1:]} by {curve.setting}")
    subtitle = [f"best on held-out rows: {amount(best.mean)} at {curve.setting} = {value}"]
    if curve.folds > 1:
        subtitle.append(f"bands: ± 1 standard error over {curve.design_in_words}")
    panel = lines_panel(
        lines, axis.spec, score=label, width=_WIDTH, height=_HEIGHT, under=[best_rule(axis, best)]
    )
    return drawn(
        panel,
        title=title,
        subtitle=subtitle,
        alt=f"{title}: on held-out rows from {_end(curve, shown[0])} to {_end(curve, shown[-1])}, "
        f"best {amount(best.mean)} at {value}.",
        width=_WIDTH + 90,
        theme=theme,
    )


def best_rule(axis: SettingAxis, trial: Trial, colour: str = LIGHT.accent) -> Spec:
    """A line where a trial stands on the axis."""
    return {
        "data": {"values": [{"place": axis.place(trial.settings[axis.name])}]},
        "mark": {"type": "rule", "color": colour, "strokeWidth": 1.2, "strokeDash": [5, 3]},
        "encoding": {"x": {**axis.spec, "field": "place", "type": "quantitative"}},
    }


def _end(curve: ValidationCurve, trial: Trial) -> str:
    return f"{amount(trial.mean)} at {value_in_text(trial.settings[curve.setting])}"
