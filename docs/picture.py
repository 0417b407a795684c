"""Draws docs/images/tree.svg, the README's picture: `clearwood fit` in a terminal, as it really prints.

.venv/bin/python docs/picture.py
"""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import clearwood as cw
from clearwood.cli.scores import phrase
from clearwood.draw.text import draw_tree

INK = (222, 221, 214)
PAPER = (24, 26, 31)
RED, GREEN, YELLOW = (235, 111, 100), (138, 190, 120), (229, 184, 92)
BLUE, MAGENTA, CYAN = (110, 160, 220), (190, 140, 210), (104, 190, 182)
THEME = TerminalTheme(PAPER, INK, [PAPER, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, INK])


def main() -> None:
    table = cw.read_table(cw.datasets.path("tennis_numeric"), target="Play")
    tree = cw.C45().learn(table)
    prompt = Text.assemble(("$ ", "green"), ("clearwood fit tennis_numeric.csv --target Play", "bold"))
    console = Console(record=True, width=84, file=StringIO(), force_terminal=True)
    console.print(prompt, end="\n\n")
    console.print(Text.from_ansi(draw_tree(tree, colour=True)), end="\n\n")
    console.print(f"training  {phrase(cw.evaluate(tree, table))}", highlight=False, end="\n\n")
    place = Path(__file__).parent / "images" / "tree.svg"
    place.parent.mkdir(exist_ok=True)
    # Rich's own form fetches a font from the web; a picture should stand alone.
    form = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    form = form.replace(
        "Fira Code, monospace", "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
    )
    console.save_svg(str(place), title="clearwood", theme=THEME, code_format=form, unique_id="clearwood")


if __name__ == "__main__":
    main()
