"""`clearwood export`: a saved model in another language or format, proven if asked."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from clearwood.cli.commands.scorecard import CardOptions, load_for_card
from clearwood.cli.evaluation_options import note_on_positive
from clearwood.cli.options import (
    ModelPath,
    Output,
    SchemaOfRules,
    argument,
    flag,
    option,
    options,
    refuse_given,
)
from clearwood.cli.output import check_place, note, print_json, print_line, working
from clearwood.cli.process import DIFFERS, NOT_RUN
from clearwood.cli.settings import parsed_value
from clearwood.cli.sources import Reading, load_model, pairs, raw_in
from clearwood.errors import SettingError, check_known
from clearwood.exporting import FORMATS
from clearwood.registry import Setting, members
from clearwood.words.numbers import many

if TYPE_CHECKING:
    from clearwood.exporting.exportable import Exportable
    from clearwood.exporting.exported import Exported, ExportFormat
    from clearwood.exporting.proof.certificate import Proof

_LAID_OUT = ", ".join(FORMATS)


@options()
class ExportOptions:
    """What `clearwood export` takes."""

    model: ModelPath
    rows: str | None = argument(
        "[ROWS]", "With --prove: rows of your own, any file that fit reads.", default=None
    )
    file: Path | None = option(
        "FILE", "Write it here; its ending says the format (stdout without it).", name="--output", short="-o"
    )
    format: str | None = option("NAME", f"The format, whatever the ending: {_LAID_OUT}.", short="-f")
    dialect: str | None = option("NAME", "Of SQL: the database that it is for.")
    settings: list[str] | None = option(
        "NAME=VALUE", "An option of the format, may be repeated.", name="--set", short="-s"
    )
    prove: bool = flag(
        "Run it in its target on adversarial rows, and on ROWS; compare every prediction. Exit status 1 "
        "if one differs, 3 if nothing here can run it."
    )
    certificate: Path | None = option(
        "FILE", "Where to write the proof, .json or .txt; by default beside the output.", show_default=False
    )
    scorecard: bool = flag("Export the model's scorecard: whole points that add up to its probability.")
    points: CardOptions
    reading: Reading
    schema: SchemaOfRules = None
    output: Output


def run(asked: ExportOptions) -> None:
    """Write the export of the model, or by `points` of its scorecard, then prove it.

    One that answers otherwise ends with status 1, one that nothing could run with 3: a pipeline that asks for
    a proof must not go on without one unawares.
    """
    from clearwood.exporting.exporting import export
    from clearwood.exporting.proof.proving import prove

    if not asked.scorecard:
        refuse_given("is for a scorecard. Give also --scorecard, or leave it out.", asked.points)
    points = asked.points if asked.scorecard else None
    _check(asked)
    format = _format(asked)
    check_place(asked.file, asked.model, asked.rows)
    certificate = asked.certificate or (
        asked.file.with_name(f"{asked.file.name}.certificate.json")
        if asked.prove and asked.file is not None
        else None
    )
    check_place(certificate, asked.model, asked.rows, asked.file)
    settings = _settings(format, asked)
    if points is not None and asked.schema is not None:
        raise SettingError(
            "--schema is for rules by hand; a scorecard is made of weights or curves. Leave it out."
        )
    of: Exportable
    if points is None:
        of = load_model(asked.model, asked.schema)
    else:
        loaded = load_for_card(asked.model)
        note(note_on_positive(loaded, points.positive, "Points are"), asked.output)
        of = points.card(loaded)
    exported = export(of, format.name, **settings)
    if asked.file is None and isinstance(exported.content, bytes):
        raise SettingError(
            f"An export to {format.name} is no text. Name a file for it: -o model{exported.suffix}."
        )
    given = None if asked.rows is None else raw_in(asked.rows, asked.reading)
    # Written before the proof: an error in it does not lose the export.
    notes = _write(exported, asked.file, asked.output)
    proof = None
    if asked.prove:
        with working(f"Proving {format.name}"):
            proof = prove(exported, given)
    _report(exported, proof, asked.file, certificate, notes, asked.output)
    if proof is not None and not proof.passed:
        raise typer.Exit(DIFFERS if proof.status == "failed" else NOT_RUN)


def _check(asked: ExportOptions) -> None:
    from clearwood.exporting.proof.certificate import check_ending

    if asked.rows is not None and not asked.prove:
        raise SettingError(f"{asked.rows} is read only to prove the export on its rows. Give also --prove.")
    if asked.certificate is not None and not asked.prove:
        raise SettingError("--certificate is for what --prove finds out. Give also --prove.")
    if asked.certificate is not None:
        check_ending(asked.certificate)
    if asked.rows is None:
        because = "is for reading rows, and none are given. Leave it out, or name rows after --prove."
        refuse_given(because, asked.reading)


def _format(asked: ExportOptions) -> ExportFormat:
    from clearwood.exporting.exporting import format_by_suffix

    if asked.format is not None:
        return FORMATS.find(asked.format)
    if asked.file is None:
        raise SettingError(
            "In which format? Name a file for it, -o model.py, or the format: --format NAME. "
            f"Formats: {', '.join(FORMATS)}."
        )
    if not asked.file.suffix:
        raise SettingError(
            f"The name {asked.file} has no ending that says the format. Give it one, -o {asked.file}.py, "
            f"or name the format: --format NAME. Formats: {', '.join(FORMATS)}."
        )
    return format_by_suffix(asked.file.suffix)


def _settings(format: ExportFormat, asked: ExportOptions) -> dict[str, Any]:
    """The options of the format, read by the types that it declares."""
    from clearwood.exporting.exporting import options_of

    texts = pairs("--set", asked.settings, "NAME=VALUE")
    known = options_of(format)
    if asked.dialect is not None:
        if "dialect" not in known:
            raise SettingError(f"--dialect is for SQL; {format.name} has none. Leave it out.")
        if "dialect" in texts:
            raise SettingError("The dialect is given twice, by --dialect and by --set. Give it once.")
        texts["dialect"] = asked.dialect
    for name in texts:
        if not known:
            raise SettingError(f"{format.name} has no options, so that '{name}' cannot be one. Leave it out.")
        check_known(f"option of {format.name} called", name, known, plural="options")
    return {name: _value(format, name, text) for name, text in texts.items()}


def _value(format: ExportFormat, name: str, text: str) -> Any:

    declared = inspect.signature(format.write, eval_str=True).parameters[name]
    kinds = (str,) if declared.annotation is inspect.Parameter.empty else members(declared.annotation)
    return parsed_value(Setting(name, kinds), text)


def _write(exported: Exported, file: Path | None, output: Output) -> list[str]:
    """Write the export, and give what is to be known of it."""
    notes = list(exported.notes)
    if file is not None:
        exported.save(file)
        notes.append(f"Written to {file} as {exported.format}: {many(len(exported.data), 'byte')}.")
    if not output.as_json:
        if file is None:
            sys.stdout.write(exported.text)
            sys.stdout.flush()
        note(notes, output)
    return notes


def _report(
    exported: Exported,
    proof: Proof | None,
    file: Path | None,
    certificate: Path | None,
    notes: list[str],
    output: Output,
) -> None:
    """Write the certificate, and print what the proof showed."""
    certified = []
    if proof is not None and certificate is not None:
        proof.save(certificate)
        certified.append(f"The certificate is in {certificate}.")
    if output.as_json:
        print_json(
            {
                "format": exported.format,
                "saved": None if file is None else str(file),
                "content": exported.text if file is None else None,
                "proof": None if proof is None else proof.certificate.to_json(),
                "certificate": None if certificate is None else str(certificate),
                "notes": notes + certified,
            }
        )
        return
    note(certified, output)
    if proof is None:
        return
    lines = str(proof).splitlines()
    if file is not None:
        print_line(str(proof))
    else:
        # Standard output is the export; the verdict was asked for, and is no remark that --quiet leaves out.
        note(lines[:1])
        note(lines[1:], output)
