"""A model drawn to a file: its ending says the form, and a wish that the form cannot keep is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from clearwood import shown
from clearwood.cli.writing import whole_file
from clearwood.draw.dot import to_dot
from clearwood.draw.folding import Fold
from clearwood.draw.mermaid import to_mermaid
from clearwood.draw.picture import FORMATS
from clearwood.draw.pictures import picture
from clearwood.draw.text import draw_tree
from clearwood.errors import SettingError
from clearwood.models.model import Model
from clearwood.models.tree import Tree

_TEXTS: Final = (".mmd", ".dot", ".txt")


def check_form(out: Path) -> None:
    """Refuse a name that promises a form there is not."""
    if out.suffix.lower() not in (*FORMATS, *_TEXTS):
        forms = ", ".join((*FORMATS, *_TEXTS))
        raise SettingError(f"Cannot draw to {out}: a picture's name ends in one of {forms}.")


def draw_to(out: Path, model: Model, fold: Fold, wishes: dict[str, Any]) -> str:
    """Write the model in the form of the file's name; of a picture, a sentence on what it shows."""
    form = out.suffix.lower()
    if form in FORMATS:
        drawn = picture(model, fold=fold, **wishes)
        drawn.save(out)
        return drawn.alt
    if wishes:
        options = ", ".join(f"--{name}" for name in wishes)
        raise SettingError(
            f"{options} is for pictures ({', '.join(FORMATS)}); a {form} file has no place for it."
        )
    with whole_file(out) as file:
        file.write(_text(form, model, fold) + "\n")
    return ""


def fold_in(text: str) -> Fold:
    """How deep, as a person types it: a number, all or auto.

    >>> fold_in("3"), fold_in("all"), fold_in("auto")
    (3, None, 'auto')
    """
    if text in ("all", "auto"):
        return None if text == "all" else "auto"
    if not text.isdecimal():
        raise SettingError(f"--fold takes a number of questions, all or auto, not '{text}'.")
    return int(text)


def _text(form: str, model: Model, fold: Fold) -> str:
    if form != ".txt":
        if not isinstance(model, Tree):
            raise SettingError(f"A {form} file holds a tree, and this is {model!r}. Draw it to .svg or .txt.")
        deep = None if fold == "auto" else fold
        return to_mermaid(model, fold=deep) if form == ".mmd" else to_dot(model, fold=deep)
    if isinstance(model, Tree):
        return draw_tree(model, max_depth=None if fold == "auto" else fold)
    return shown.text(model)
