"""Any model as a picture: a tree by its branches, rules line by line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, assert_never

from clearwood.draw.folding import Fold
from clearwood.draw.picture import Picture
from clearwood.draw.rule_picture import rule_picture
from clearwood.draw.theming import ThemeName
from clearwood.draw.tree_picture import tree_picture
from clearwood.errors import SettingError, no_such
from clearwood.models.bayes_tables import BayesTables
from clearwood.models.kinds import check_kind
from clearwood.models.linear_model import LinearModel
from clearwood.models.model import Model
from clearwood.models.rule_list import RuleList
from clearwood.models.tree import Tree


def picture(
    model: Model,
    *,
    kind: Literal["tree", "table", "icicle"] | None = None,
    row: Mapping[str, Any] | None = None,
    direction: Literal["auto", "down", "right"] = "auto",
    fold: Fold = "auto",
    theme: ThemeName = "auto",
) -> Picture:
    """The model as SVG that a browser, a notebook and `save` show; no program beside us is needed.

    `row` is a case, whose way is made plain; columns it does not name are missing. Rules stand in a "table"
    or as an "icicle", whose bars are as long as the rows each rule takes. A tree grows in a `direction`, and
    is drawn `fold` questions deep (None: all of it; "auto": as much as a page holds). `theme` is "light",
    "dark", or "auto" for what the reader's screen has.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> picture(cw.ID3().learn(table), row={"Outlook": "Overcast"}).alt
    'A decision tree for PlayTennis with 5 leaves; it first asks Outlook. The case Outlook = Overcast is \
answered Yes.'
    """
    check_kind("picture", model)
    if not isinstance(model, Tree) and (direction, fold) != ("auto", "auto"):
        raise SettingError(f"direction and fold are for trees, not for {model!r}. Leave them out.")
    match model:
        case Tree():
            _check_kind(kind, ("tree",), model)
            return tree_picture(model, row=row, direction=direction, fold=fold, theme=theme)
        case RuleList():
            _check_kind(kind, ("table", "icicle"), model)
            return rule_picture(model, kind="icicle" if kind == "icicle" else "table", row=row, theme=theme)
        case BayesTables() | LinearModel():
            raise SettingError(f"There is no picture of {model!r} yet: print it, or ask for its nomogram.")
        case _:
            assert_never(model)


def _check_kind(kind: str | None, kinds: tuple[str, ...], model: Model) -> None:
    if kind is not None and kind not in kinds:
        raise SettingError(no_such(f"picture of {model!r} called", str(kind), kinds, plural="kinds"))
