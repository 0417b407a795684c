"""A certificate is verified wherever it was made, and what is damaged or was changed is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import clearwood as cw
from clearwood.export.proof.proof import Proof
from clearwood.export.sql.dialects import DIALECTS
from tests.export.models_to_export import made_table

pytestmark = pytest.mark.filterwarnings("ignore::clearwood.errors.ClearwoodWarning")

TABLE = made_table()
TREE = cw.CART(max_depth=3).learn(TABLE)


def verified(proof: Proof, exported: Any, folder: Path, model: Any = TREE, **forged: Any) -> Proof:
    """What verify says of the certificate, with these fields forged."""
    exported.save(folder / "export")
    return cw.verify({**proof.certificate.to_json(), **forged}, folder / "export", model)


@pytest.mark.parametrize("form", ["select", "expression"])
@pytest.mark.parametrize("dialect", [each for each in DIALECTS if each != "postgres"])
def test_a_query_is_verified_as_it_was_proven(dialect: str, form: str, tmp_path: Path) -> None:
    check_query(dialect, form, tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("form", ["select", "expression"])
@pytest.mark.parametrize("dialect", ["postgres", "mysql", "spark"])
def test_a_query_in_a_server_is_verified_as_it_was_proven(dialect: str, form: str, tmp_path: Path) -> None:
    check_query(dialect, form, tmp_path)


def check_query(dialect: str, form: str, folder: Path) -> None:
    pytest.importorskip("sqlglot")
    exported = cw.export(TREE, "sql", dialect=dialect, form=form)
    proof = cw.prove(exported, most=20)
    assert proof.status in ("passed", "not run"), proof.because
    again = verified(proof, exported, folder)
    assert (again.status, again.because) == (proof.status, proof.because)
    assert again.certificate == proof.certificate
