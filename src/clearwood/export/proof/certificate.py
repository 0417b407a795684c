"""A Certificate: what was proven of which file and model, by which rows and programs; as JSON and as text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, TypeAlias

from clearwood.errors import SettingError
from clearwood.table.row import Row

ProofStatus: TypeAlias = Literal["passed", "failed", "not run"]
KIND: Final = "clearwood certificate"
_TYPES: Final[Mapping[str, Any]] = {  # what a field's hint is in JSON
    "ProofStatus": str,
    "str": str,
    "int": int,
    "bool": bool,
    "float": float,
    "str | None": str | None,
    "Mapping": dict,
    "tuple": list,
}
MOST_LISTED: Final = 20  # differences in full


@dataclass(frozen=True)
class Certificate:
    """All of it is plain; without a `date` the same proof gives the same certificate.

    Fingerprints are SHA-256: of the model's file, of the exported file, and of the rows as JSON. `made` says
    how many rows were made of each sort, and `left_out` how many were not taken; `given` rows are the user's
    own. `changed` are rows that narrower numbers answer otherwise, `not_compared` those that were let pass.
    """

    status: ProofStatus
    because: str
    clearwood: str
    format: str
    target: str
    versions: Mapping[str, str]
    precision: str
    options: Mapping[str, Any]
    is_text: bool
    notes: tuple[str, ...]
    model: str
    model_fingerprint: str
    file_fingerprint: str
    rows: int
    given: int
    rows_fingerprint: str
    seed: int
    most: int
    made: Mapping[str, int]
    left_out: Mapping[str, int]
    not_reached: tuple[str, ...]
    compared: int
    shares_compared: bool
    bound: float
    changed: Mapping[str, int]
    not_compared: Mapping[str, int]
    different: int
    differences: tuple[Mapping[str, Any], ...] = ()
    date: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As plain data, with what it is."""
        plain: dict[str, Any] = json.loads(json.dumps({"kind": KIND, **asdict(self)}, default=str))
        return plain

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def certificate_from(plain: Any) -> Certificate:
    """The certificate that JSON holds; what is none is refused."""
    if not isinstance(plain, Mapping) or plain.get("kind") != KIND:
        raise SettingError("This is no certificate of Clearwood. Make one: prove(exported).save(path).")
    hints = {each.name: str(each.type) for each in fields(Certificate)}
    given: dict[str, Any] = {name: value for name, value in plain.items() if name in hints}
    for name, hint in hints.items():
        if name not in given or not isinstance(given[name], _TYPES[hint.partition("[")[0]]):
            raise SettingError(f"This certificate is damaged: its field '{name}' is not as it was written.")
    as_tuples: Any = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    return Certificate(**as_tuples)


def fingerprint_of_bytes(data: bytes) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(data).hexdigest()


def fingerprint_of_rows(rows: Sequence[Row]) -> str:
    """The SHA-256 of rows, one JSON object to a line."""
    digest = hashlib.sha256()
    for row in rows:
        digest.update(json.dumps(dict(row), ensure_ascii=True).encode() + b"\n")
    return digest.hexdigest()


def _lines(own: Certificate) -> list[str]:
    target = ", ".join(f"{name} {version}" for name, version in own.versions.items()) or own.target
    head = {
        "passed": f"Passed: {own.compared:,} rows, no differences.",
        "failed": f"Failed: {own.because or f'{own.different:,} of {own.compared:,} rows differ.'}",
        "not run": f"Not run: {own.because}",
    }[own.status]
    sorts = [f"  {count:>6,}  {name}" for name, count in own.made.items()]
    lines = [
        head,
        "",
        f"format    {own.format}" + "".join(f", {name} {value}" for name, value in own.options.items()),
        f"run by    {target if own.status != 'not run' else 'nothing'}",
        f"model     {own.model}",
        f"          sha256 {own.model_fingerprint}",
        f"file      sha256 {own.file_fingerprint}",
        f"rows      {own.rows:,}: {own.rows - own.given:,} made from the model by seed {own.seed}, "
        f"{own.given:,} given",
        f"          sha256 {own.rows_fingerprint}",
        *sorts,
    ]
    lines += [f"  left out by seed: {count:,} of '{name}'" for name, count in own.left_out.items()]
    lines += [f"  not reached: {each}" for each in own.not_reached]
    if own.status != "not run" and own.compared:
        what = "answers equal" + (
            f", shares to {own.bound:g}" if own.shares_compared else f", numbers to {own.bound:g}"
        )
        lines.append(f"compared  {own.compared:,} rows: {what}")
    lines += [f"  not compared: {count:,} rows, {why}" for why, count in own.not_compared.items()]
    lines += [f"  other in the target: {count:,} rows, {why}" for why, count in own.changed.items()]
    lines += [f"  {each['text']}" for each in own.differences]
    lines += [f"note      {each}" for each in own.notes]
    lines.append(f"made by   Clearwood {own.clearwood}" + (f", {own.date}" if own.date else ""))
    return lines
