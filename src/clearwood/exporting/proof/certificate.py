"""A Proof, whether a target answers as the model does, and its Certificate, as JSON and as text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, assert_never, get_args

from clearwood import __version__
from clearwood.errors import SettingError, no_such
from clearwood.exporting.proof.row_verdicts import RowDifference
from clearwood.exporting.running.runner import REASONED_OUTPUTS
from clearwood.files import is_stream, write_whole
from clearwood.table.raw import Row
from clearwood.words.numbers import many

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
READ_BACK: Final = "table"  # the target of tables, which no program runs


@dataclass(frozen=True)
class Proof:
    """`rows` are all that the target was given; `different` those that it answers otherwise than the model.

    `status` is "passed", "failed" or, where the target is not here, "not run"; `because` says why it was not,
    or what was wrong before anything could be compared, or that a certificate verified was of no run.
    """

    status: ProofStatus
    rows: tuple[Row, ...] = field(repr=False)
    different: tuple[RowDifference, ...] = field(repr=False)
    certificate: Certificate = field(repr=False)
    because: str = ""

    @property
    def passed(self) -> bool:
        """Was it run, and was every answer the same?"""
        return self.status == "passed"

    def save(self, path: str | Path) -> None:
        """Write the certificate: as text if the name ends in .txt, as JSON for `verify` if in .json."""
        check_ending(path)
        text = str(self.certificate)
        if Path(path).suffix.lower() != ".txt":
            text = json.dumps(self.certificate.to_json(), indent=1, ensure_ascii=False)
        write_whole(path, f"{text}\n".encode())

    def __str__(self) -> str:
        # What has passed gives no reason in its certificate, but may have one where it was verified.
        verified = f"\n{self.because}" if self.passed and self.because else ""
        return f"{self.certificate}{verified}"


def check_ending(path: str | Path) -> None:
    """Refuse a name that does not say whether the certificate is to be JSON or text; a stream gets JSON."""
    if Path(path).suffix.lower() not in (".json", ".txt") and not is_stream(Path(path)):
        raise SettingError(
            f"A certificate is JSON or text: name a file that ends in .json or .txt, not {path}."
        )


@dataclass(frozen=True)
class Certificate:
    """All of it is plain; without a `date` the same proof gives the same certificate.

    `scorecard` has the settings of a card that was made of the model, and is empty where the model itself was
    exported. `exporter` is the version of Clearwood that wrote the file, `clearwood` the one that proved it.

    Fingerprints are SHA-256: of the model's text as Clearwood writes it, which is the same however its file
    is laid out or compressed; of the exported file; and of the rows as JSON. `made` says how many rows were
    made of each sort, and `left_out` how many were not taken; `given` rows are the user's own, and
    `respelled` those of them with a value that the model spells otherwise. `changed` are rows that narrower
    numbers answer otherwise, `not_compared` those that were let pass; `outputs_not_compared` is what an
    export may give beside answers and shares, and `no_reasons` says who names no leaf or rule.
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
    scorecard: Mapping[str, Any]
    model_fingerprint: str
    exporter: str
    file_fingerprint: str
    rows: int
    given: int
    respelled: int
    rows_fingerprint: str
    seed: int
    most: int
    made: Mapping[str, int]
    left_out: Mapping[str, int]
    not_reached: tuple[str, ...]
    compared: int
    numeric: bool
    shares_compared: bool
    points_compared: bool
    bound: float
    changed: Mapping[str, int]
    not_compared: Mapping[str, int]
    outputs_not_compared: tuple[str, ...]
    no_reasons: str
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
    given: dict[str, Any] = {name: value for name, value in plain.items() if name != "kind"}
    for name in given:
        if name not in hints:
            raise SettingError(
                f"This certificate is damaged, or of another version: Clearwood {__version__} writes no "
                f"field '{name}'."
            )
    for name in hints:
        if name not in given:
            raise SettingError(
                f"This certificate has no field '{name}': it is damaged, or an earlier version of Clearwood "
                f"wrote it, which {__version__} does not read. Export the model and prove it again."
            )
    for name, hint in hints.items():
        if not isinstance(given[name], _TYPES[hint.partition("[")[0]]):
            raise damaged(name)
    if given["status"] not in get_args(ProofStatus):
        unknown = no_such("status", given["status"], get_args(ProofStatus), plural="statuses")
        raise SettingError(f"This certificate is damaged. {unknown}")
    as_tuples: Any = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    return Certificate(**as_tuples)


def damaged(name: str) -> SettingError:
    """The refusal of a certificate for one of its fields."""
    return SettingError(f"This certificate is damaged: its field '{name}' is not as it was written.")


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
    lines = [
        _verdict(own),
        "",
        f"format    {own.format}{_options(own.options)}",
        f"run by    {_programs(own)}",
        f"model     {own.model}",
        f"          sha256 {own.model_fingerprint}",
        f"file      sha256 {own.file_fingerprint}",
        f"rows      {own.rows:,}: {own.rows - own.given:,} made from the model by seed {own.seed}, "
        f"{own.given:,} given",
        f"          sha256 {own.rows_fingerprint}",
        *(f"  {count:>6,}  {name}" for name, count in own.made.items()),
    ]
    lines += [f"  left out by seed: {count:,} of '{name}'" for name, count in own.left_out.items()]
    lines += [f"  not reached: {each}" for each in own.not_reached]
    if own.respelled:
        lines.append(
            f"  given to the target in the model's spelling: {many(own.respelled, 'row')}. As "
            "they are written, the export may predict otherwise."
        )
    if own.compared:
        lines.append(f"compared  {many(own.compared, 'row')}: {_what_was_compared(own)}")
        if own.outputs_not_compared:
            lines.append(f"  not compared: {', '.join(own.outputs_not_compared)}")
        if own.no_reasons:
            lines.append(f"  {own.no_reasons}")
    lines += [f"  not compared: {many(count, 'row')}, {why}" for why, count in own.not_compared.items()]
    lines += [f"  other in the target: {many(count, 'row')}, {why}" for why, count in own.changed.items()]
    lines += [f"  {each['text']}" for each in own.differences]
    lines += [f"note      {each}" for each in own.notes]
    file_by = "" if own.exporter == own.clearwood else f", the file by Clearwood {own.exporter}"
    lines.append(f"made by   Clearwood {own.clearwood}{file_by}" + (f", {own.date}" if own.date else ""))
    return lines


def _verdict(own: Certificate) -> str:
    match own.status:
        case "passed":
            other, left = sum(own.changed.values()), sum(own.not_compared.values())
            rows = f"{many(own.compared, 'row')}, no differences"
            if other:
                rows = (
                    f"{many(own.compared - other, 'row')} alike, {other:,} other in {own.precision} precision"
                )
            return f"Passed: {rows}{f'; {left:,} not compared' if left else ''}."
        case "failed":
            return f"Failed: {own.because or f'{own.different:,} of {own.compared:,} rows differ.'}"
        case "not run":
            return f"Not run: {own.because}"
        case _:
            assert_never(own.status)


def _what_was_compared(own: Certificate) -> str:
    if own.numeric:
        return f"numbers to {own.bound:g}"
    shares = f", probabilities to {own.bound:g}" if own.shares_compared else ""
    left = [] if own.shares_compared else ["probabilities"]
    left += ["points"] if own.scorecard and not own.points_compared else []
    left_out = f"; {' and '.join(left)} not compared" if left else ""
    points = " and points" if own.points_compared else ""
    return f"predictions{_and_reasons(own)}{points} equal{shares}{left_out}"


def _and_reasons(own: Certificate) -> str:
    compared = [each for each in REASONED_OUTPUTS if each not in own.outputs_not_compared]
    if not compared or own.no_reasons:
        return ""
    return " and reasons" if not own.outputs_not_compared else f" and {compared[0]}"


def _options(options: Mapping[str, Any]) -> str:
    """Those that were chosen, a list of names with blanks between them."""
    listed = ""
    for name, value in options.items():
        text = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        listed += f", {name} {text}" if text and value is not None else ""
    return listed


def _programs(own: Certificate) -> str:
    if own.status == "not run" and not own.versions:
        return "nothing"
    listed = programs_in_words(own.versions) or own.target
    if own.status == "not run":
        return f"{listed}, in place of {own.target}"
    return f"nothing; read back by {listed}" if own.target == READ_BACK else listed


def programs_in_words(versions: Mapping[str, str]) -> str:
    """The programs with their versions; some compilers begin what they say of theirs with their name.

    >>> programs_in_words({"gcc": "gcc (Debian) 12.2.0", "Node": "v20.1.0"})
    'gcc (Debian) 12.2.0, Node v20.1.0'
    """
    return ", ".join(
        version if version.lower().startswith(name.lower()) else f"{name} {version}"
        for name, version in versions.items()
    )
