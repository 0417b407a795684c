"""What `draw` does: a model drawn to a file in the form that its ending says."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from clearwood import shown
from clearwood.cli.options import Output
from clearwood.cli.output import note, print_json
from clearwood.cli.rows import notes_on_values, row_given
from clearwood.cli.sources import load_model
from clearwood.cli.writing import check_place
from clearwood.draw.diagrams import to_dot, to_mermaid
from clearwood.draw.folding import Fold
from clearwood.draw.picture import PICTURE_SUFFIXES
from clearwood.draw.pictures import picture
from clearwood.draw.text import draw_tree
from clearwood.errors import SettingError
from clearwood.files import write_whole
from clearwood.models.model import Model, model_in_words
from clearwood.models.tree import Tree

_TEXTS: Final = (".mmd", ".dot", ".txt")
_OPTIONS: Final = {"kind": "as"}


def run(
    model: Path,
    place: Path,
    output: Output,
    *,
    kind: str | None,
    row: list[str] | None,
    fold: str | None,
    direction: str | None,
    theme: str | None,
    schema: Path | None,
) -> None:
    """Draw the model; what the form has no place for is refused."""
    _check_form(place)
    check_place(place, model)
    loaded = load_model(model, schema)
    cells = row_given(row, loaded) if row else None
    notes = notes_on_values(cells or {}, loaded)
    given = {
        "kind": kind,
        "row": cells,
        "direction": None if direction == "auto" else direction,
        "theme": None if theme == "auto" else theme,
    }
    settings = {name: value for name, value in given.items() if value is not None}
    if fold is not None and not isinstance(loaded, Tree):
        raise SettingError(f"--fold is for trees, but {model} holds {model_in_words(loaded)}. Leave it out.")
    shown = _draw(place, loaded, fold_in(fold or "auto"), settings)
    note([*notes, f"Drawn to {place}: {shown}" if shown else f"Drawn to {place}."], output)
    if output.as_json:
        print_json({"saved": str(place), "alt": shown, **({"notes": notes} if notes else {})})


def _check_form(place: Path) -> None:
    """Refuse a name that promises a form there is not."""
    if place.suffix.lower() not in (*PICTURE_SUFFIXES, *_TEXTS):
        forms = ", ".join((*PICTURE_SUFFIXES, *_TEXTS))
        raise SettingError(f"Cannot draw to {place}: a picture's name ends in one of {forms}.")


def _draw(place: Path, model: Model, fold: Fold, settings: dict[str, Any]) -> str:
    """Write the model in the form of the file's name; of a picture, a sentence on what it shows."""
    form = place.suffix.lower()
    if form in PICTURE_SUFFIXES:
        drawn = picture(model, fold=fold, **settings)
        drawn.save(place)
        return drawn.alt
    if settings:
        options = ", ".join(f"--{_OPTIONS.get(name, name)}" for name in settings)
        raise SettingError(
            f"{options} is for pictures ({', '.join(PICTURE_SUFFIXES)}); a {form} file has no place for it."
        )
    write_whole(place, f"{_text(form, model, fold)}\n".encode())
    return ""


def fold_in(text: str) -> Fold:
    """How deep, as a person types it: a number, all or auto.

    >>> fold_in("3"), fold_in("all"), fold_in("auto")
    (3, None, 'auto')
    """
    if text in ("all", "auto"):
        return None if text == "all" else "auto"
    if not text.isdecimal():
        raise SettingError(f"--fold takes a number of levels, all or auto, not '{text}'.")
    return int(text)


def _text(form: str, model: Model, fold: Fold) -> str:
    if form != ".txt":
        if not isinstance(model, Tree):
            raise SettingError(
                f"A {form} file holds a tree, but this is {model_in_words(model)}. Draw it to .svg or .txt."
            )
        deep = None if fold == "auto" else fold
        return to_mermaid(model, fold=deep) if form == ".mmd" else to_dot(model, fold=deep)
    if isinstance(model, Tree):
        return draw_tree(model, max_depth=None if fold == "auto" else fold)
    return shown.text(model)
