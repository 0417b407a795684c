"""The themes as rules of style: the palette's colours by name, by day, by night and on paper."""

from __future__ import annotations

from dataclasses import asdict

from clearwood.draw.palette import DARK, LIGHT, Theme


def theme_css() -> str:
    """Custom properties `--paper`, `--ink`, …: light, dark where the reader's system is, light in print.

    >>> theme_css().splitlines()[0][:40]
    ':root{--paper:#ffffff;--panel:#f6f4f0;--'
    """
    return (
        f":root{{{_properties(LIGHT)}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{_properties(DARK)}}}}}\n"
    )


def _properties(theme: Theme) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in asdict(theme).items())
