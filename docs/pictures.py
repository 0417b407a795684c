"""Draws the pictures of docs/pictures.md; a test holds them to what the program draws today.

.venv/bin/python docs/pictures.py
"""

from __future__ import annotations

from pathlib import Path

import clearwood as cw

FOLDER = Path(__file__).parent / "images"


def pictures() -> dict[str, cw.Picture]:
    """Each picture by the name of its file."""
    days = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    tree = cw.ID3().learn(days)
    rules = cw.CN2().learn(days)
    return {
        "tennis-tree.svg": cw.picture(tree),
        "tennis-case.svg": cw.picture(tree, row={"Outlook": "Rainy", "Wind": None}),
        "tennis-right.svg": cw.picture(tree, direction="right"),
        "tennis-icicle.svg": cw.picture(rules, kind="icicle"),
    }


if __name__ == "__main__":
    for name, each in pictures().items():
        each.save(FOLDER / name)
