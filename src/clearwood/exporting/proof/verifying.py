"""To verify a certificate: are these the file and the model that it is of, and does the proof hold again?"""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from clearwood import __version__
from clearwood.errors import ClearwoodError, SettingError, SourceError
from clearwood.exporting.exportable import Exportable, card_again, fingerprint_of
from clearwood.exporting.exported import Exported, as_written_by
from clearwood.exporting.exporting import export
from clearwood.exporting.proof.adversarial import rows_to_prove
from clearwood.exporting.proof.certificate import (
    Certificate,
    Proof,
    ProofStatus,
    certificate_from,
    damaged,
    fingerprint_of_bytes,
    fingerprint_of_rows,
)
from clearwood.exporting.proof.proving import proof_of, rows_given
from clearwood.models.files import load
from clearwood.models.model import AdditiveModel, LinearModel

_OF_THE_DAY: Final = {"clearwood", "versions", "date"}  # may be others when a proof is made again
_OF_THE_RUN: Final = {
    "status",
    "because",
    "compared",
    "shares_compared",
    "points_compared",
    "changed",
    "not_compared",
    "outputs_not_compared",
    "no_reasons",
    "different",
    "differences",
}


def verify(
    certificate: str | Path | Mapping[str, Any] | Certificate,
    file: str | Path,
    model: Exportable | str | Path,
    rows: Any = None,
) -> Proof:
    """Check that the file and the model are those of the certificate, then run the file again.

    `model` may be a scorecard, or the model that it was made of. Rows are made from it as they were then; the
    rows that were given then must be given again.
    A file, model or rows that are others make the proof fail, and nothing is run. Nor is a file run that is
    not, byte for byte, what exporting the model again writes, but for the version that its heading names: it
    could be any program. Everything else that the certificate says is determined again, from the model and by
    running, and what it says otherwise makes the proof fail; only the versions of programs, what stood in for
    a target, and the date may be others. A target that was there one of the two times only is no fault of the
    certificate, and `because` says so.
    """
    written = _read(certificate)
    loaded = _card_or_model(written, load(model) if isinstance(model, str | Path) else model)
    if isinstance(loaded, str):
        return _failed(written, loaded)
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise SourceError(f"Cannot read {file}: {error.strerror or error}.") from None
    because = _other_sources(written, loaded, data)
    if because:
        return _failed(written, because)
    exported = _exported_again(written, loaded)
    if exported.data != data:
        return _not_as_written(written)
    made = rows_to_prove(exported, most=written.most, seed=written.seed)
    given = rows_given(loaded, rows)
    because = _other_rows(written, fingerprint_of_rows((*made.rows, *given.rows)), len(given.rows))
    if because:
        return _failed(written, because)
    proof = proof_of(exported, made, given.rows, respelled=given.respelled, date=written.date)
    because = _other_fields(written, proof.certificate)
    if because:
        return _with(proof, "failed", because)
    return _beside_then(written, proof)


def _card_or_model(written: Certificate, model: Exportable) -> Exportable | str:
    """What the certificate is of: the model, or the scorecard that was made of it; or why there is none."""
    if not isinstance(model, LinearModel | AdditiveModel):
        return model
    try:
        return card_again(model, written.scorecard)
    except ClearwoodError as error:
        return f"the certificate is damaged, or of a scorecard that cannot be made of this model: {error}"
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        raise damaged("scorecard") from None


def _with(proof: Proof, status: ProofStatus, because: str) -> Proof:
    certified = replace(proof.certificate, status=status, because=because)
    return replace(proof, status=status, certificate=certified, because=because)


def _beside_then(written: Certificate, proof: Proof) -> Proof:
    """The proof, with a word on its status where one of the two times the target was not there."""
    match written.status, proof.status:
        case "not run", "passed":
            return replace(proof, because="It was not run then, and has passed now.")
        case (("passed" | "failed"), "not run"):
            because = f"it cannot be run here, and what was found then is not confirmed: {proof.because}"
            return _with(proof, "not run", because)
        case _:
            return proof


def _failed(written: Certificate, because: str) -> Proof:
    """Nothing was run, so that nothing was compared."""
    certified = replace(written, status="failed", because=because, compared=0, different=0, differences=())
    return Proof("failed", (), (), certified, because)


def _read(certificate: str | Path | Mapping[str, Any] | Certificate) -> Certificate:
    if isinstance(certificate, Certificate):
        return certificate_from(certificate.to_json())
    if isinstance(certificate, Mapping):
        return certificate_from(certificate)
    try:
        text = Path(certificate).read_text(encoding="utf-8")
        return certificate_from(json.loads(text))
    except OSError as error:
        raise SourceError(f"Cannot read {certificate}: {error.strerror or error}.") from None
    except ValueError as error:
        if isinstance(error, SettingError):
            raise
        raise SettingError(
            f"{certificate} is no JSON, and verify needs the .json certificate: what "
            "prove(exported).save('proof.json') wrote."
        ) from None


def _exported_again(written: Certificate, model: Exportable) -> Exported:
    """The model exported by the options of the certificate, and as of the version that wrote the file."""
    try:
        with as_written_by(written.exporter):
            return export(model, written.format, **written.options)
    except (TypeError, AttributeError):
        raise damaged("options") from None


def _not_as_written(written: Certificate) -> Proof:
    """The proof of a file that is not run, because it could be any program: the exporter did not write it."""
    if written.exporter == __version__:
        return _failed(
            written,
            "the file was not run, because it is not what Clearwood writes of this model with these options: "
            "it was changed before it was proven.",
        )
    because = (
        f"the file was not run, because Clearwood {__version__} writes another of this model than Clearwood "
        f"{written.exporter} did, or it was changed before it was proven. Verify it with Clearwood "
        f"{written.exporter}, or export and prove it again."
    )
    return _with(_failed(replace(written, versions={}), because), "not run", because)


def _other_sources(written: Certificate, model: Exportable, data: bytes) -> str:
    """Which of model and file is not the one that the certificate is of; empty: both are."""
    if fingerprint_of(model) != written.model_fingerprint:
        return "the model is not the one that the certificate is of."
    if fingerprint_of_bytes(data) != written.file_fingerprint:
        return "the file is not the one that the certificate is of: it was changed, or exported again."
    return ""


def _other_rows(written: Certificate, rows: str, given: int) -> str:
    """Why the rows are not those of the certificate; empty: they are."""
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


def _other_fields(written: Certificate, fresh: Certificate) -> str:
    """The first field of which the certificate says something else than the proof made again; empty: none.

    Where the file could not be run now, could not be run then, or fails, what running shows is not held
    against the certificate; nor where something else stood in for the target, which is as another version.
    """
    compares_runs = fresh.status in ("passed", written.status)
    if "not run" in (fresh.status, written.status):
        compares_runs = (fresh.status, fresh.because) == (written.status, written.because)
    now = fresh.to_json()
    for name, then in written.to_json().items():
        if name in _OF_THE_DAY or (name in _OF_THE_RUN and not compares_runs):
            continue
        if then != now[name]:
            return (
                f"the certificate says of '{name}' {_shown(then)}, and the proof made again says "
                f"{_shown(now[name])}: it was changed, or another version of Clearwood wrote it."
            )
    return ""


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"
