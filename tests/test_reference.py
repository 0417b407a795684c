"""The reference is made from the code: no public name is left out, and none says nothing."""

from __future__ import annotations

import inspect

from docs import reference

import clearwood as cw


def test_every_public_name_stands_in_the_reference() -> None:
    page = reference.on_page_markdown("<!-- reference: names -->")
    names = [name for name in cw.__all__ if name != "__version__" and not inspect.ismodule(getattr(cw, name))]
    assert len(names) > 100
    assert [name for name in names if f"### `{name}`" not in page] == []


def test_every_public_function_and_class_says_what_it_is() -> None:
    for names in reference.public_names().values():
        for name, each in names.items():
            if inspect.isclass(each) or inspect.isfunction(each):
                assert inspect.getdoc(each), name


def test_the_table_of_kinds_is_made_from_the_hints() -> None:
    table = reference.on_page_markdown("<!-- reference: kinds -->")
    assert "| `predict` | ✓ | ✓ | ✓ | ✓ |" in table
    assert "| `rules_of` | ✓ |  |  |  |" in table
