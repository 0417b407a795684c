"""To verify a certificate: are these the file and the model that it is of, and does the proof hold again?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from clearwood.errors import SettingError, SourceError
from clearwood.export import FORMATS
from clearwood.export.exported import Exported
from clearwood.export.proof.certificate import (
    Certificate,
    certificate_from,
    fingerprint_of_bytes,
    fingerprint_of_rows,
)
from clearwood.export.proof.given_rows import rows_given
from clearwood.export.proof.hurting import hurting_rows
from clearwood.export.proof.proof import Proof
from clearwood.export.proof.proving import fingerprint_of_model, proof_of
from clearwood.models.files import load
from clearwood.models.model import Model


def verify(
    certificate: str | Path | Mapping[str, Any] | Certificate,
    file: str | Path,
    model: Model | str | Path,
    rows: Any = None,
) -> Proof:
    """Check that the file and the model are those of the certificate, then run the file again.

    Rows are made from the model as they were then; the rows that were given then must be given again.
    A file, model or rows that are others make the proof fail, and nothing is run.
    """
    written = _read(certificate)
    loaded = load(model) if isinstance(model, str | Path) else model
    exported = _exported(written, file, loaded)
    single = written.precision == "single"
    made = hurting_rows(loaded, most=written.most, seed=written.seed, single=single)
    given = rows_given(loaded, rows)
    because = _other(written, exported, fingerprint_of_rows((*made.rows, *given)), len(given))
    if because:
        certified = replace(
            written, status="failed", because=because, compared=0, different=0, differences=()
        )
        return Proof("failed", (*made.rows, *given), (), certified, because)
    return proof_of(exported, made, given, date=written.date)


def _read(certificate: str | Path | Mapping[str, Any] | Certificate) -> Certificate:
    if isinstance(certificate, Certificate):
        return certificate
    if isinstance(certificate, Mapping):
        return certificate_from(certificate)
    try:
        return certificate_from(json.loads(Path(certificate).read_text(encoding="utf-8")))
    except OSError as error:
        raise SourceError(f"Cannot read {certificate}: {error.strerror or error}.") from None
    except ValueError as error:
        if isinstance(error, SettingError):
            raise
        raise SettingError(
            f"{certificate} is no JSON, as a certificate is. Give what prove(exported).save(path) wrote."
        ) from None


def _exported(written: Certificate, file: str | Path, model: Model) -> Exported:
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise SourceError(f"Cannot read {file}: {error.strerror or error}.") from None
    format = FORMATS.find(written.format)
    content = data.decode("utf-8", "replace") if written.is_text else data
    return Exported(
        format.name,
        content,
        format.suffixes[0] if format.suffixes else "",
        model,
        written.target,
        dict(written.options),
        written.precision,  # type: ignore[arg-type]
        tuple(written.notes),
    )


def _other(written: Certificate, exported: Exported, rows: str, given: int) -> str:
    """What is not that which the certificate is of; empty where all is."""
    if fingerprint_of_model(exported.model) != written.model_fingerprint:
        return "the model is not the one that the certificate is of."
    if fingerprint_of_bytes(exported.data) != written.file_fingerprint:
        return "the file is not the one that the certificate is of: it was changed, or exported again."
    if given != written.given:
        return (
            f"the proof was made with {written.given:,} rows that were given, and now there are {given:,}. "
            "Give the same rows."
        )
    if rows != written.rows_fingerprint:
        return (
            "the rows are not those of the proof: others were given, or another version of Clearwood "
            f"({written.clearwood}) made them."
        )
    return ""
