"""Any model as a picture, and as notebooks show it: a tree by its branches, rules line by line, tables."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias, assert_never

from clearwood.draw.escaping import escape_latex, escape_xml
from clearwood.draw.folding import Fold
from clearwood.draw.linear import contrast_sums
from clearwood.draw.palette import ThemeName
from clearwood.draw.picture import Picture
from clearwood.draw.rules import rule_picture, rule_words
from clearwood.draw.tree_picture import tree_picture
from clearwood.errors import Advice, ClearwoodError, SettingError, check_known
from clearwood.explaining.evidence import evidence
from clearwood.explaining.nomogram import nomogram
from clearwood.models.kinds.additive.additive_model import AdditiveModel
from clearwood.models.kinds.bayes.bayes_tables import BayesTables
from clearwood.models.kinds.ensemble.ensemble import Ensemble
from clearwood.models.kinds.linear.linear_model import LinearModel
from clearwood.models.kinds.rules.rule_list import RuleList
from clearwood.models.kinds.tree.tree import Tree
from clearwood.models.model import Model, check_kind, model_in_words
from clearwood.words.numbers import many


def html_of(model: Model) -> str:
    """The picture in HTML; where there is none (no renderer for charts, nothing to draw) the text."""
    try:
        return picture(model)._repr_html_()
    except ClearwoodError:
        return preformatted(model)


def preformatted(thing: object) -> str:
    """The text, line by line."""
    lines = "\n".join(map(escape_xml, str(thing).split("\n")))
    return f"<pre>{lines}</pre>"


def svg_of(model: Model) -> str | None:
    """The picture; None, which a notebook passes over, where there is none."""
    try:
        return picture(model).svg
    except ClearwoodError:
        return None


def equation_latex_of(model: LinearModel) -> str:
    r"""The sums that a linear model's answers come from, one line per contrast.

    >>> import clearwood as cw
    >>> table = cw.read_table({"x": [1, 2, 3, 4, 5, 6], "y": list("aababb")}, target="y")
    >>> print(equation_latex_of(cw.Logistic().learn(table)).splitlines()[1])
    \text{log odds of y = b against a} &= -4.2491 + 1.214 \cdot \text{x} \\
    """
    lines = []
    for compared, intercept, terms in contrast_sums(model):
        added = "".join(rf" {sign} {size} \cdot {_text(factor)}" for sign, size, factor in terms)
        lines.append(rf"{_text(compared)} &= {intercept}{added} \\".replace("−", "-"))
    return "\n".join((r"$$\begin{aligned}", *lines, r"\end{aligned}$$"))


def latex_of(rules: RuleList) -> str:
    r"""The rules as an array: number, conditions, answer and rows.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> print(latex_of(cw.CN2().learn(table)).splitlines()[1])
    1 & \text{IF Outlook in \{Overcast, Rainy\} AND Wind = Weak} & \text{Yes} & 5 \\
    """
    lines = [
        rf"{each.number} & {_text(' '.join(each.when))} & {_text(each.answer)} & {each.rows} \\"
        for each in rule_words(rules)
    ]
    return "\n".join((r"$$\begin{array}{rllr}", *lines, r"\end{array}$$"))


def _text(words: str) -> str:
    return rf"\text{{{escape_latex(words)}}}"


# Any model as a picture: a tree by its branches, rules line by line, Bayes tables and weights as charts.


PictureKind: TypeAlias = Literal["tree", "table", "icicle", "nomogram", "weights", "curves", "evidence"]


def picture(
    model: Model,
    *,
    kind: PictureKind | None = None,
    row: Mapping[str, Any] | None = None,
    direction: Literal["auto", "down", "right"] = "auto",
    fold: Fold = "auto",
    theme: ThemeName = "auto",
) -> Picture:
    """The model as SVG that a browser, a notebook and `save` show; no other program is needed.

    `row` is a case, whose path is highlighted; columns it does not name are missing. Of each model there are
    several kinds, the first of which is drawn unless another is named, or a `row` asks for "evidence":

    - a tree: "tree", which grows in a `direction` and is drawn `fold` questions deep (None: all of it;
      "auto": as much as a page holds);
    - rules: "table", or "icicle", whose bars are as long as the rows each rule takes;
    - Bayes tables: "nomogram" (of more than two classes: the two most common), "evidence";
    - a linear model: "weights", "evidence";
    - an additive model: "curves" (of its weightiest columns), "nomogram", "evidence";
    - an ensemble: those of its first member, which is drawn.

    `theme` is "light", "dark", or "auto" for what the reader's screen has.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> picture(cw.ID3().learn(table), row={"Outlook": "Overcast"}).alt
    'A decision tree for PlayTennis with 5 leaves; its first split is on Outlook. The case Outlook = \
Overcast is predicted as Yes.'
    """
    check_kind("picture", model)
    if not isinstance(model, Tree) and (direction, fold) != ("auto", "auto"):
        raise SettingError(
            f"direction and fold are for trees, not for {model_in_words(model)}. Leave them out."
        )
    if row is not None and isinstance(model, Ensemble):
        raise SettingError(
            "A picture of an ensemble is that of its first member, whose prediction need not be the "
            "ensemble's. Leave the row out; explain tells why the ensemble predicts what it does."
        )
    pictures = _pictures_of(model, direction, fold)
    return pictures[_chosen(kind, model, tuple(pictures), row)](row, theme)


Drawing: TypeAlias = Callable[[Mapping[str, Any] | None, ThemeName], Picture]


def _pictures_of(
    model: Model, direction: Literal["auto", "down", "right"], fold: Fold
) -> dict[PictureKind, Drawing]:
    """The pictures that there are of a model, the usual one first."""
    match model:
        case Tree():
            return {
                "tree": lambda row, theme: tree_picture(
                    model, row=row, direction=direction, fold=fold, theme=theme
                )
            }
        case RuleList():
            return {
                "table": lambda row, theme: rule_picture(model, kind="table", row=row, theme=theme),
                "icicle": lambda row, theme: rule_picture(model, kind="icicle", row=row, theme=theme),
            }
        case BayesTables():
            return {"nomogram": partial(_nomogram, model), "evidence": partial(_evidence, model)}
        case LinearModel():
            return {
                "weights": lambda _, theme: _charts().weights(model, theme=theme),
                "evidence": partial(_evidence, model),
            }
        case Ensemble():
            whole = f"The first of {many(model.size, 'member', 'members')}."
            first = _pictures_of(model.members[0], direction, fold)
            return {kind: partial(_of_first, whole, drawing) for kind, drawing in first.items()}
        case AdditiveModel():
            curves: dict[PictureKind, Drawing] = {
                "curves": lambda _, theme: _charts().curves(model, theme=theme)
            }
            if model.is_numeric:
                return curves
            return curves | {"nomogram": partial(_nomogram, model), "evidence": partial(_evidence, model)}
        case _:
            assert_never(model)


def _charts() -> Any:
    from clearwood.draw import charts  # trees and rules need none of them

    return charts


def _nomogram(model: BayesTables | AdditiveModel, _: Mapping[str, Any] | None, theme: ThemeName) -> Picture:
    chart: Picture = _charts().nomogram(nomogram(model, *commonest_two(model)), theme=theme)
    return chart


def _evidence(
    model: BayesTables | LinearModel | AdditiveModel, row: Mapping[str, Any] | None, theme: ThemeName
) -> Picture:
    if row is None:
        raise SettingError("Evidence is what the cells of a case say. Give the case: ", Advice("row"), ".")
    chart: Picture = _charts().evidence(evidence(model, row), theme=theme)
    return chart


def _of_first(whole: str, drawing: Drawing, row: Mapping[str, Any] | None, theme: ThemeName) -> Picture:
    first = drawing(row, theme)
    return replace(first, alt=f"{whole} {first.alt}")


def commonest_two(model: BayesTables | AdditiveModel) -> list[str]:
    """Of more than two classes the two with the most rows, which a nomogram can set against each other."""
    sizes = model.classes if isinstance(model, BayesTables) else model.base  # by rows, or by the score
    named = list(zip(sizes, model.schema.classes, strict=False))
    return (
        [name for _, name in sorted(named, key=lambda each: -each[0])[:2]]
        if len(model.schema.classes) > 2
        else []
    )


def _chosen(
    kind: PictureKind | None,
    model: Model,
    kinds: tuple[PictureKind, ...],
    row: Mapping[str, Any] | None,
) -> PictureKind:
    """The requested kind, if the model has it; else the first, or evidence where there is a case."""
    if kind is None:
        return "evidence" if row is not None and "evidence" in kinds else kinds[0]
    check_known(f"picture of {model_in_words(model)} called", kind, kinds, plural="kinds")
    return kind
