"""Marks: what a picture is made of, in the light theme's colours, before it is written in any format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from clearwood.draw.palette import LIGHT

Anchor: TypeAlias = Literal["start", "middle", "end"]


@dataclass(slots=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    thickness: float = 1.0
    radius: float = 0.0
    dashed: bool = False


@dataclass(slots=True)
class Curve:
    """A line along one axis that bends over to its end within a stretch of that axis."""

    start: tuple[float, float]
    end: tuple[float, float]
    axis: Literal["x", "y"]
    bend: tuple[float, float]
    stroke: str = LIGHT.muted
    thickness: float = 1.0
    dashed: bool = False


@dataclass(slots=True)
class TextLine:
    """One line of text; `y` is where its letters stand."""

    x: float
    y: float
    text: str
    size: float = 13.0
    fill: str = LIGHT.ink
    bold: bool = False
    anchor: Anchor = "start"


@dataclass(slots=True)
class Group:
    """Marks that belong together; `title` says in full, in lines, what they show."""

    marks: list[Mark]
    title: Sequence[str] = ()
    kind: str = ""  # the name of the group for a page's style and scripts: node, edge
    number: int | None = None  # which one
    opacity: float = 1.0


Mark: TypeAlias = Rectangle | Curve | TextLine | Group
