"""Every chart: it stands alone, says in words what it shows, opens in Altair, and survives any name."""

from __future__ import annotations

import ast
import json
import re
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import clearwood as cw
from clearwood.draw.palette import DARK, LIGHT
from clearwood.draw.picture import Picture
from clearwood.errors import MissingExtraError
from tests.judging import judged
from tests.source_code import parsed_sources
from tests.typed import mistyped

LONG = 'a class whose name goes on and on and on until nobody reads it, "quoted" & <b>bold</b>'
CLASSES = ("<script>alert(1)</script>", "مرحبا بالعالم", "高い値", LONG)
VALUES = ("$x_1$ | pipe", "שלום (עולם) 12", "two\nlines\x00", "x" * 80, "</svg>", "'; datum.value; '")
COLUMN, NUMBER = 'the <column> & "name"', "ширина"


@cache
def hostile() -> cw.Table:
    """120 rows whose names are all that names can be."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, len(CLASSES), 120)
    values = (codes + rng.integers(0, 3, 120)) % len(VALUES)
    numbers = (codes + rng.normal(size=120)).round(2)
    rows = {
        COLUMN: [VALUES[i] for i in values],
        NUMBER: numbers.tolist(),
        "klasse": [CLASSES[i] for i in codes],
    }
    return cw.read_table(rows, target="klasse")


@cache
def measured() -> cw.Table:
    rows = hostile()
    return cw.read_table(
        {COLUMN: [VALUES[i] for i in rows.columns[COLUMN]], NUMBER: rows.columns[NUMBER].tolist()},
        target=NUMBER,
    )


@cache
def of_values() -> cw.Table:
    """The same names as the values of two columns."""
    rows = hostile()
    values = [VALUES[i] for i in rows.columns[COLUMN]]
    return cw.read_table({COLUMN: values, "klasse": [CLASSES[i] for i in rows.columns["klasse"]]})


@cache
def bayes() -> cw.BayesTables:
    return cw.NaiveBayes().learn(hostile())


@cache
def logistic() -> cw.LinearModel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cw.Logistic().learn(hostile())


@cache
def additive() -> cw.AdditiveModel:
    return cw.GAM(bags=2, rounds=10, pairs=1).learn(hostile())


CHARTS: dict[str, Callable[..., Picture]] = {
    "choice": lambda **to: cw.charts.choice(
        cw.choose(hostile(), {COLUMN: cw.CART(max_depth=1), NUMBER: cw.NaiveBayes()}, design=cw.Folds(3)),
        **to,
    ),
    "tuning": lambda **to: cw.charts.tuning(
        cw.tune(cw.CART(), hostile(), {"max_depth": (1, 2)}, design=cw.Folds(3)), **to
    ),
    "validation_curve": lambda **to: cw.charts.validation_curve(
        cw.validation_curve(cw.CART(), hostile(), "max_depth", (1, 2), design=cw.Folds(3)), **to
    ),
    "bias_variance": lambda **to: cw.charts.bias_variance(
        cw.bias_variance({COLUMN: cw.CART(max_depth=1), NUMBER: cw.CART(min_rows=40)}, hostile(), samples=3),
        **to,
    ),
    "calibration": lambda **to: cw.charts.calibration(cw.calibration(bayes(), hostile()), **to),
    "class_shares": lambda **to: cw.charts.class_shares(hostile(), **to),
    "components": lambda **to: cw.charts.components(cw.mca(of_values()), **to),
    "confusion": lambda **to: cw.charts.confusion(judged(bayes(), hostile()), **to),
    "cost_complexity": lambda **to: cw.charts.cost_complexity(
        cw.cross_validated_alpha(cw.CART(min_rows=40), hostile(), folds=3), **to
    ),
    "coverage": lambda **to: cw.charts.coverage(cw.coverage(bayes(), hostile()), **to),
    "cutoffs": lambda **to: cw.charts.cutoffs(cw.cutoffs(bayes(), hostile(), CLASSES[0]), **to),
    "groups": lambda **to: cw.charts.groups(
        cw.by_group(bayes(), hostile(), COLUMN, positive=CLASSES[0], favourable=CLASSES[1]), **to
    ),
    "recalibration": lambda **to: cw.charts.recalibration(
        cw.recalibration(cw.calibrate(bayes(), hostile().take(np.arange(0, 120, 2))), hostile()), **to
    ),
    "critical_difference": lambda **to: cw.charts.critical_difference(
        cw.compare_over_tables(
            {name: [0.9 - 0.1 * k, 0.8, 0.7 + 0.02 * k] for k, name in enumerate((*CLASSES, VALUES[2]))}
        ),
        **to,
    ),
    "curve": lambda **to: cw.charts.curve(additive(), NUMBER, **to),
    "curves": lambda **to: cw.charts.curves(additive(), **to),
    "cuts": lambda **to: cw.charts.cuts(cw.cut_curve(hostile(), NUMBER), **to),
    "dependence": lambda **to: cw.charts.dependence(cw.partial_dependence(bayes(), hostile(), COLUMN), **to),
    "differences": lambda **to: cw.charts.differences(
        cw.compare_models(
            {CLASSES[0]: bayes(), CLASSES[3]: cw.CART(max_depth=1).learn(hostile())}, hostile()
        ),
        **to,
    ),
    "distribution": lambda **to: cw.charts.distribution(hostile(), COLUMN, **to),
    "evidence": lambda **to: cw.charts.evidence(cw.evidence(bayes(), {COLUMN: VALUES[2], NUMBER: 1.0}), **to),
    "explained": lambda **to: cw.charts.explained(cw.mca(of_values()), **to),
    "gains": lambda **to: cw.charts.gains(cw.roc(bayes(), hostile()), **to),
    "kolmogorov_smirnov": lambda **to: cw.charts.kolmogorov_smirnov(cw.roc(bayes(), hostile()), **to),
    "lift": lambda **to: cw.charts.lift(cw.roc(bayes(), hostile()), **to),
    "learning": lambda **to: cw.charts.learning(cw.Forest(trees=5).learn(hostile()), **to),
    "learning_curve": lambda **to: cw.charts.learning_curve(
        cw.learning_curve({COLUMN: cw.CART(max_depth=1), NUMBER: cw.NaiveBayes()}, hostile(), sizes=3), **to
    ),
    "mosaic": lambda **to: cw.charts.mosaic(hostile(), COLUMN, **to),
    "nomogram": lambda **to: cw.charts.nomogram(cw.nomogram(bayes(), *CLASSES[:2]), **to),
    "shap": lambda **to: cw.charts.shap(
        cw.shap_values(cw.Forest(trees=3).learn(hostile()), hostile()), hostile(), COLUMN, **to
    ),
    "overfitting": lambda **to: cw.charts.overfitting(
        cw.overfitting(cw.CART(min_rows=40), hostile(), folds=3), **to
    ),
    "overfitting_by_noise": lambda **to: cw.charts.overfitting_by_noise(
        cw.overfitting_by_noise(cw.CART(min_rows=40), hostile(), folds=3), **to
    ),
    "pair": lambda **to: cw.charts.pair(additive(), COLUMN, NUMBER, **to),
    "precision_recall": lambda **to: cw.charts.precision_recall(cw.roc(bayes(), hostile()), **to),
    "ranking": lambda **to: cw.charts.ranking(cw.rank_columns(hostile(), "relieff", keep=1), **to),
    "roc": lambda **to: cw.charts.roc(cw.roc(bayes(), hostile()), **to),
    "selection_stability": lambda **to: cw.charts.selection_stability(
        cw.selection_stability(hostile(), cw.Selection("gain", 1), cw.Folds(3)), **to
    ),
    "stability": lambda **to: cw.charts.stability(
        cw.stability(cw.CART(min_rows=40), hostile(), samples=4), **to
    ),
    "true_and_predicted": lambda **to: cw.charts.true_and_predicted(
        cw.true_and_predicted(cw.CART().learn(measured()), measured()), **to
    ),
    "weights": lambda **to: cw.charts.weights(logistic(), **to),
}


# Of the scope of the module: all questions about one chart are asked one after another, and it is drawn once.
OF_EVERY_CHART = pytest.mark.parametrize("name", CHARTS, scope="module")


@cache
def drawn(name: str) -> Picture:
    return CHARTS[name]()


def test_marks_and_axes_are_written_by_the_builders_alone() -> None:
    written = {
        path.name
        for path, tree in parsed_sources()
        if path.parent.name == "charts"
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant) and key.value in ("mark", "encoding", "layer", "transform")
    }
    assert written == {"builders.py"}


def test_the_list_is_complete() -> None:
    assert sorted(CHARTS) == sorted(cw.charts.__all__)


@pytest.mark.slow
@OF_EVERY_CHART
def test_a_chart_is_well_formed_and_runs_nothing(name: str) -> None:
    root = ElementTree.fromstring(drawn(name).svg)
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not kinds & {"script", "foreignObject", "image", "a", "b", "use"}
    assert not any(key.startswith("on") for element in root.iter() for key in element.attrib)
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", drawn(name).svg)


@pytest.mark.slow
@OF_EVERY_CHART
def test_a_chart_has_a_sentence_for_those_who_cannot_see_it(name: str) -> None:
    picture = drawn(name)
    root = ElementTree.fromstring(picture.svg)
    texts = {element.tag.rpartition("}")[2]: element.text for element in root}
    assert texts["title"]
    assert picture.alt.endswith(".")
    assert texts["desc"]
    assert picture.spec is not None
    assert picture.spec["description"] in (picture.alt, texts["desc"])


@pytest.mark.slow
@OF_EVERY_CHART
def test_altair_opens_a_specification(name: str) -> None:
    altair = pytest.importorskip("altair")
    spec = drawn(name).spec
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec
    altair.Chart.from_dict(spec)


@pytest.mark.slow
@OF_EVERY_CHART
def test_night_changes_ink_and_paper_only(name: str) -> None:
    day, night = drawn(name), CHARTS[name](theme="dark")
    assert (night.width, night.height) == (day.width, day.height)
    assert DARK.ink in night.svg
    assert LIGHT.ink not in night.svg
    assert f'fill="{LIGHT.paper}"' not in night.svg
    texts = [re.findall(r">([^<>]+)</text>", picture.svg) for picture in (day, night)]
    assert texts[0] == texts[1]


@OF_EVERY_CHART
def test_no_colour_is_none_of_ours(name: str) -> None:
    """Vega's own greys and blues would not turn at night."""
    ours = {*cw_colours(), "none", "white", "black", "transparent"}
    actual = set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawn(name).svg))
    assert {colour for colour in actual if not colour.startswith("url(")} <= ours


def cw_colours() -> set[str]:
    from dataclasses import astuple

    from clearwood.draw.palette import class_colours

    return {*astuple(LIGHT), *class_colours(CLASSES).values()}


@pytest.mark.parametrize("name", sorted({"confusion", "class_shares", "distribution", "roc", "mosaic"}))
def test_every_class_is_named_in_full(name: str) -> None:
    """Long names are broken into lines, never cut."""
    picture = drawn(name)
    root = ElementTree.fromstring(picture.svg)
    answers = "".join("".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text"))
    squeezed = re.sub(r"[\s\u200e\u200f]", "", answers)
    if name == "mosaic":
        names: tuple[str, ...] = CLASSES
    elif name == "distribution":
        names = (*CLASSES, "x" * 80, "</svg>", r"two\nlines\x00")
    else:
        names = CLASSES
    for each in names:
        assert re.sub(r"\s", "", each) in squeezed


def test_two_charts_in_one_page_share_no_names() -> None:
    names = [re.findall(r' id="([^"]+)"', drawn(name).svg) for name in CHARTS]
    every = [each for actual in names for each in actual]
    assert len(every) == len(set(every))


def test_a_theme_that_is_not_there_is_refused() -> None:
    with pytest.raises(cw.errors.SettingError, match="No theme called 'night'"):
        cw.charts.class_shares(hostile(), theme=mistyped("night"))


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(MissingExtraError, match=r"To draw a chart, install .*clearwood\[pictures\]"):
        cw.charts.class_shares(hostile())


def test_charts_fetch_nothing() -> None:
    from clearwood.draw.picture import chart_svg

    spec: dict[str, Any] = {"data": {"url": "https://example.org/rows.json"}, "mark": "point", "encoding": {}}
    with pytest.raises(ValueError, match="not allowed"):
        chart_svg(json.dumps(spec))
