"""A picture stands alone: well-formed, named, safe, by day and by night, in every format."""

from __future__ import annotations

import builtins
import xml.etree.ElementTree as ET
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest

from clearwood.draw.lettering import text_width
from clearwood.draw.palette import DARK, LIGHT
from clearwood.draw.picture import Picture, framed
from clearwood.errors import MissingExtraError, SettingError, SourceError

SVG = "{http://www.w3.org/2000/svg}"


def a_square(**more: Any) -> Picture:
    body = f'<rect x="2" y="2" width="6" height="6" fill="{LIGHT.accent}" stroke="#0072b2"/>'
    return framed(body, 10, 10, **{"title": "A square", "alt": "One square.", **more})


def test_a_text_has_the_length_it_was_measured_at_in_any_font() -> None:
    body = (
        '<text x="2" font-size="10px">Wind = Weak</text><text font-weight="bold">a &lt; b</text>'
        "<text><tspan>one</tspan><tspan>two</tspan></text><text>Ἀλφα</text><text> </text>"
    )
    root = ET.fromstring(framed(body, 100, 20, title="Texts", alt="Five texts.").svg)
    lengths = [
        each.attrib.get("textLength") for each in root.iter() if each.tag in (f"{SVG}text", f"{SVG}tspan")
    ]
    expected = [text_width("Wind = Weak", 10), text_width("a < b", 13, True), None]
    expected += [text_width("one", 13), text_width("two", 13), None, None]
    assert [None if each is None else float(each) for each in lengths] == pytest.approx(expected, abs=0.06)


def test_a_picture_is_named_and_described_for_screen_readers() -> None:
    root = ET.fromstring(a_square().svg)
    named = root.attrib["aria-labelledby"].split()
    answers = {each.attrib["id"]: each.text for each in root if "id" in each.attrib}
    assert root.attrib["role"] == "img"
    assert [answers[name] for name in named] == ["A square", "One square."]


def test_different_pictures_in_one_page_have_different_names() -> None:
    names = {ET.fromstring(a_square(alt=alt).svg).attrib["aria-labelledby"] for alt in ("One.", "Two.")}
    assert len(names) == 2


def test_what_is_said_of_a_picture_is_escaped() -> None:
    root = ET.fromstring(a_square(title="<script>alert(1)</script>", alt='"a" & \x00 b').svg)
    assert root.findtext(f"{SVG}title") == "<script>alert(1)</script>"
    assert root.findtext(f"{SVG}desc") == '"a" & \\x00 b'
    assert not list(root.iter(f"{SVG}script"))


def test_an_automatic_picture_is_drawn_by_day_and_carries_the_night_as_style() -> None:
    svg = a_square().svg
    assert f'fill="{LIGHT.accent}"' in svg
    assert "prefers-color-scheme:dark" in svg
    assert all(
        f'[fill="{day}"]{{fill:{night}}}' in svg
        for day, night in zip(astuple(LIGHT), astuple(DARK), strict=True)
    )


def test_a_dark_picture_has_no_daylight_colour_and_keeps_those_of_classes() -> None:
    svg = a_square(theme="dark").svg
    assert not any(day in svg for day in astuple(LIGHT))
    assert f'fill="{DARK.accent}"' in svg
    assert 'stroke="#0072b2"' in svg


def test_a_light_picture_knows_no_night() -> None:
    assert "<style>" not in a_square(theme="light").svg


def test_an_automatic_picture_leaves_a_light_one_in_the_same_page_alone() -> None:
    selectors = {line.split(" [")[0] for line in a_square().svg.splitlines() if line.startswith("svg.")}
    assert selectors == {"svg.clearwood.auto"}
    assert 'class="clearwood"' in a_square(theme="light").svg


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(SettingError, match=r"No theme called 'drak'. Did you mean 'dark'"):
        a_square(theme="drak")


def test_a_picture_saves_by_its_ending(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for ending, start in starts.items():
        place = a_square().save(tmp_path / f"square.{ending}")
        assert place.read_bytes().startswith(start)


def test_png_has_two_pixels_a_unit(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    header = a_square().save(tmp_path / "square.png").read_bytes()[16:24]
    assert (int.from_bytes(header[:4]), int.from_bytes(header[4:])) == (20, 20)


def test_a_picture_too_large_for_pixels_is_refused_and_fits_a_page(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    wide = framed("", 40_000, 4_000, title="A field", alt="Nothing.")
    with pytest.raises(SettingError, match="40,000 × 4,000, too large for a PNG"):
        wide.save(tmp_path / "field.png")
    assert b"14400" in wide.save(tmp_path / "field.pdf").read_bytes()


def test_an_unknown_ending_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"saved as .svg, .png, .pdf, but .*square.gif has '.gif'"):
        a_square().save(tmp_path / "square.gif")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"Cannot write .*nowhere.*: No such file or directory"):
        a_square().save(tmp_path / "nowhere" / "square.svg")


def test_without_the_renderer_the_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    actual = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "vl_convert":
            raise ImportError(name)
        return actual(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"pip install 'clearwood\[pictures\]'"):
        a_square().save("square.png")
