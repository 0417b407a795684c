"""What shows itself: every kind of model as text, in a notebook and as a picture, by one table of names."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

import clearwood as cw
from clearwood import shown
from clearwood.models.model import Model
from tests.models.test_kinds import MODELS

KINDS = [kind.__name__ for kind in get_args(Model)]


@pytest.mark.parametrize("form", ["text", "html", "svg"])
@pytest.mark.parametrize("kind", get_args(Model))
def test_every_kind_of_model_is_shown_in_every_form(kind: type, form: shown.ShownAs) -> None:
    assert shown.renderer(form, kind) is not None


def test_every_kind_of_model_is_named_among_the_texts() -> None:
    assert set(KINDS) <= shown.RENDERERS["text"].keys()


@pytest.mark.parametrize("form", get_args(shown.ShownAs))
def test_what_is_named_is_there(form: shown.ShownAs) -> None:
    for place in shown.RENDERERS[form].values():
        module, function = place.split(":")
        assert callable(getattr(import_module(module), function))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_shows_itself_through_the_seam(kind: str) -> None:
    model = MODELS[kind]
    assert str(model) == shown.text(model)
    assert model._repr_html_() == shown.html(model)
    assert model._repr_svg_() == shown.svg(model)


def test_what_has_no_renderer_is_named() -> None:
    with pytest.raises(TypeError, match="Nothing shows a Nominal as svg"):
        shown.svg(cw.Nominal("Wind", ("Weak", "Strong")))
