"""`clearwood draw`: a saved model as a picture, in the form that the file's name asks for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from clearwood import shown
from clearwood.cli.options import REQUIRED, ModelPath, Output, RowOption, SchemaOfRules, option, options
from clearwood.cli.output import check_place, note, print_json
from clearwood.cli.sources import load_model
from clearwood.errors import SettingError
from clearwood.files import PICTURE_SUFFIXES, write_whole

if TYPE_CHECKING:
    from clearwood.draw.folding import Fold
    from clearwood.models.model import Model

_TEXTS: Final = (".mmd", ".dot", ".txt")
_OPTIONS: Final = {"kind": "as"}


@options()
class DrawOptions:
    """What `clearwood draw` takes."""

    model: ModelPath
    picture: Path = option(
        "FILE",
        ".svg, .png or .pdf; of a tree also .mmd (Mermaid) and .dot (Graphviz); .txt.",
        default=REQUIRED,
        name="--output",
        short="-o",
        show_default=False,
    )
    kind: str | None = option(
        "NAME",
        "Of rules: table or icicle; of Bayes and curves: nomogram or evidence; of weights: evidence.",
        name="--as",
    )
    row: RowOption = None
    fold: str | None = option(
        "N", "Draw a tree down to depth N, or all of it; by default as much as a page holds."
    )
    direction: str | None = option(
        "WAY", "Direction of a tree: down or right; by default chosen by its size."
    )
    theme: str | None = option("NAME", "light or dark; by default that of the reader's screen.")
    schema: SchemaOfRules = None
    output: Output


def run(asked: DrawOptions) -> None:
    """Draw the model; what the form has no place for is refused."""
    from clearwood.cli.rows import notes_on_values, row_given
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.models.model import model_in_words

    _check_form(asked.picture)
    check_place(asked.picture, asked.model)
    loaded = load_model(asked.model, asked.schema)
    cells = row_given(asked.row, loaded) if asked.row else None
    notes = notes_on_values(cells or {}, loaded)
    given = {
        "kind": asked.kind,
        "row": cells,
        "direction": None if asked.direction == "auto" else asked.direction,
        "theme": None if asked.theme == "auto" else asked.theme,
    }
    settings = {name: value for name, value in given.items() if value is not None}
    if asked.fold is not None and not isinstance(loaded, Tree):
        raise SettingError(
            f"--fold is for trees, but {asked.model} holds {model_in_words(loaded)}. Leave it out."
        )
    shown = _draw(asked.picture, loaded, fold_in(asked.fold or "auto"), settings)
    note(
        [*notes, f"Drawn to {asked.picture}: {shown}" if shown else f"Drawn to {asked.picture}."],
        asked.output,
    )
    if asked.output.as_json:
        print_json({"saved": str(asked.picture), "alt": shown, **({"notes": notes} if notes else {})})


def _check_form(place: Path) -> None:
    """Refuse a name that promises a form there is not."""

    if place.suffix.lower() not in (*PICTURE_SUFFIXES, *_TEXTS):
        forms = ", ".join((*PICTURE_SUFFIXES, *_TEXTS))
        raise SettingError(f"Cannot draw to {place}: a picture's name ends in one of {forms}.")


def _draw(place: Path, model: Model, fold: Fold, settings: dict[str, Any]) -> str:
    """Write the model in the form of the file's name; of a picture, a sentence on what it shows."""
    from clearwood.draw.pictures import picture

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
    from clearwood.draw.diagrams import to_dot, to_mermaid
    from clearwood.draw.text import draw_tree
    from clearwood.models.kinds.tree.tree import Tree
    from clearwood.models.model import model_in_words

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
