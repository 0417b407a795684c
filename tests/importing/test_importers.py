"""Every importer on the list reads its samples, is proven, documented, and refuses damaged files."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from docs import imports

import clearwood as cw
from clearwood.catalogue import IMPORTERS
from clearwood.cli import run
from clearwood.errors import ClearwoodError, ModelFileError, SettingError
from clearwood.importing.asked_origin import AskedOrigin, OwnAnswers
from clearwood.importing.import_model import importer_of, source_of
from clearwood.importing.importer import Importer, ImporterEntry
from tests.importing.samples import SAMPLES, made, samples_of

pytest.importorskip("sklearn")

FILES = [each for samples in SAMPLES.values() for each in samples if isinstance(each, Path)]
WAY_OUT = re.compile(r"Save the model (again|as one of these: )|Load it|load it in Python")
FOREIGN = {
    "nothing": b"",
    "white space": b" \n\n",
    "zeros": bytes(100),
    "a page": b"<!DOCTYPE html><html><body>Not found</body></html>",
    "another document": b"<?xml version='1.0'?><DMN/>",
    "other JSON": b'{"a": [1, 2]}',
    "a list": b"[1, 2]",
    "a table": b"age,pay\n1,2\n",
    "ONNX": b"\x08\x07\x12\x08skl2onnx",
    "an archive": b"PK\x03\x04\x14\x00",
    "a pickle": b"\x80\x04\x95\x05",
}


@pytest.mark.parametrize("name", IMPORTERS)
def test_every_importer_has_samples_of_what_it_says_to_take(name: str) -> None:
    entry, samples = IMPORTERS[name], samples_of(name)
    assert bool(entry.files) == any(isinstance(each, Path) for each in samples)
    assert bool(entry.objects) == any(not isinstance(each, Path) for each in samples)


@pytest.mark.parametrize("name", IMPORTERS)
def test_every_sample_is_known_by_its_importer_and_read(name: str) -> None:
    for sample in samples_of(name):
        try:
            source = source_of(made(sample))
        except ImportError:
            pytest.skip(f"{name} is not installed")
        assert importer_of(source) is IMPORTERS[name].load()
        assert cw.import_model(made(sample)).origin.title.startswith(IMPORTERS[name].program)


@pytest.mark.parametrize(
    "name",
    # An engine beside the origin takes its time to start.
    [pytest.param(name, marks=pytest.mark.prove if each.runs else ()) for name, each in IMPORTERS.items()],
)
def test_every_importer_says_who_is_asked_and_is_proven_by_it(name: str) -> None:
    source = made(samples_of(name)[0])
    proof = cw.prove_import(cw.import_model(source), source, most=60)
    if proof.not_run:
        pytest.skip(proof.not_run)
    assert proof.holds, str(proof)
    assert proof.made > 10
    assert proof.program.startswith(IMPORTERS[name].runs or IMPORTERS[name].program)


@pytest.mark.parametrize("name", IMPORTERS)
def test_the_page_and_the_help_name_every_importer(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    entry, importer = IMPORTERS[name], IMPORTERS[name].load()
    page = imports.on_page_markdown((Path(imports.__file__).parent / "importing.md").read_text("utf-8"))
    assert "<!--" not in page
    assert f"| {entry.program} | {importer.reads[0][0]} | {importer.reads[0][1]} |" in page
    assert all(f"| {what} | {why} |" in page for what, why in (*importer.reads, *importer.refuses))
    assert entry.files in page
    assert entry.objects in page
    if entry.files:
        assert run(["import", "--help"]) == 0
        shown = " ".join(re.sub(r"[│╭╮╰╯─]", " ", capsys.readouterr().out).split())
        assert entry.files in shown
        assert entry.program in shown
        assert entry.runs in shown


def test_the_help_of_imports_loads_no_importer_and_no_numpy() -> None:
    loaded = (
        "import sys; from clearwood.cli import run; run(['import', '--help']); "
        "print('numpy' in sys.modules, 'clearwood.importing.pmml' in sys.modules)"
    )
    completed = subprocess.run([sys.executable, "-c", loaded], check=True, capture_output=True, text=True)
    assert completed.stdout.splitlines()[-1] == "False False"


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.name)
def test_a_file_that_is_cut_off_is_refused_in_a_sentence_with_the_way_out(file: Path, tmp_path: Path) -> None:
    content, place = file.read_bytes(), tmp_path / f"cut{file.suffix}"
    for part in (1, 7, 30, 60, *(len(content) * share // 16 for share in range(1, 16))):
        place.write_bytes(content[:part])
        check_refusal(place)


@pytest.mark.parametrize("what", FOREIGN)
def test_a_foreign_file_is_refused_in_a_sentence_with_the_way_out(what: str, tmp_path: Path) -> None:
    place = tmp_path / "model.bin"
    place.write_bytes(FOREIGN[what])
    check_refusal(place)


def check_refusal(place: Path) -> None:
    with pytest.raises(ModelFileError) as caught:
        cw.import_model(place)
    sentence = str(caught.value)
    assert sentence.startswith(f"{place}: ")
    assert WAY_OUT.search(sentence), sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_another_object_is_refused_with_all_that_can_be_imported() -> None:
    with pytest.raises(SettingError) as caught:
        cw.import_model([1, 2])
    for entry in IMPORTERS.values():
        assert entry.objects in str(caught.value)
        assert entry.files in str(caught.value)


def test_a_program_adds_an_origin_of_its_own_with_who_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = cw.Schema((cw.Nominal("x", ("u", "v")),), cw.Nominal("y", ("a", "b")))
    rules = cw.RuleList(schema, (), cw.Otherwise("a"))
    answer = 0

    def ask(source: Any, model: Any, _: Any) -> AskedOrigin:
        assert (source, model) == (42, rules)
        return AskedOrigin("Mine 1.0", lambda rows: OwnAnswers(None, [answer] * len(rows)))

    mine = Importer(lambda source: source == 42, lambda _, __: rules, ask, (("the number 42", "rules"),))
    monkeypatch.setitem(IMPORTERS, "mine", ImporterEntry(mine, "Mine", objects="the number 42"))
    assert cw.import_model(42) is rules
    assert cw.prove_import(rules, 42).holds
    assert cw.prove_import(rules, 42).program == "Mine 1.0"
    answer = 1
    assert not cw.prove_import(rules, 42).holds
    with pytest.raises(ClearwoodError, match="the number 42"):
        cw.import_model(41)


def test_a_source_that_nobody_knows_cannot_be_proven(tmp_path: Path) -> None:
    place = tmp_path / "model.bin"
    place.write_bytes(b"hello")
    rules = cw.RuleList(cw.Schema((), cw.Nominal("y", ("a", "b"))), (), cw.Otherwise("a"))
    with pytest.raises(ModelFileError, match="not a model file that is known here"):
        cw.prove_import(rules, place)
