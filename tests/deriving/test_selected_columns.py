"""A model of selected columns is derived from the table it was selected from."""

from __future__ import annotations

import clearwood as cw


def test_the_whole_table_is_taken_and_the_columns_left_out_are_not_asked() -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    recipe = cw.Recipe(cw.ID3(), before=(cw.Selection("gain", keep=2),))
    model = recipe.learn(table)
    derivation = cw.derive(model, table)
    assert "Outlook" in str(derivation)
    assert "Wind" not in str(derivation)
    assert "cannot be shown here" not in cw.report(table, learner=recipe).html
