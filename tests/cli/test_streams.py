"""Whatever the shell does with standard input, output and error, the program ends with a sentence."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from clearwood import datasets
from tests.cli.conftest import Command

pytestmark = pytest.mark.slow


TENNIS = shlex.quote(str(datasets.path("tennis")))
FIT = f"fit {TENNIS} -t PlayTennis"


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line in bash, where `clearwood` is this program."""
    program = f'clearwood() {{ "{sys.executable}" -m clearwood "$@"; }}\n'
    return subprocess.run(
        ["bash", "-c", program + line],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=60,
        errors="replace",
    )


@pytest.mark.parametrize(
    "command",
    [
        "learners",
        "fit --help",
        FIT,
        f"{FIT} --json",
        f"predict m.json {TENNIS}",
        f"predict m.json {TENNIS} -o /dev/stdout",
    ],
)
def test_a_reader_who_has_gone_is_exit_code_141_and_no_word(
    command: str, model: Path, tmp_path: Path
) -> None:
    assert model.exists()
    # The reader closes the pipe before anything is written.
    line = f"(sleep 0.1; clearwood {command}; echo $? > code) | true"
    done = shell(line, tmp_path)
    assert done.stderr == ""
    assert (tmp_path / "code").read_text().strip() == "141"


def test_a_reader_who_goes_amid_the_answer_is_exit_code_141_too(tmp_path: Path) -> None:
    done = shell("clearwood learners | head -1; echo ${PIPESTATUS[0]}", tmp_path)
    assert done.stdout.splitlines()[0].startswith("id3:")
    assert done.stdout.splitlines()[-1] in ("141", "0")  # 0 where all of it fitted into the pipe
    assert done.stderr == ""


def test_what_the_system_refuses_is_a_sentence(
    clearwood: Command, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "m.json")

    monkeypatch.setattr("clearwood.cli.commands.show.load_model", refused)
    done = clearwood("show", model)
    assert (done.code, done.out) == (2, "")
    assert done.err == "error: The system does not allow it: Permission denied (m.json).\n"


@pytest.mark.parametrize("more", ["", " --json"])
def test_a_full_disk_under_the_answer_is_a_sentence(more: str, tmp_path: Path) -> None:
    done = shell(f"clearwood {FIT}{more} > /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: Cannot write the output: No space left on device.")
    assert len(done.stderr.splitlines()) == 1


def test_a_closed_output_is_a_sentence(tmp_path: Path) -> None:
    done = shell(f"clearwood {FIT} >&-", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: Cannot write the output: standard output is closed.")
    assert len(done.stderr.splitlines()) == 1


def test_a_long_answer_that_goes_nowhere_is_refused_once(model: Path, tmp_path: Path) -> None:
    assert model.exists()
    rows = datasets.path("tennis").read_text().splitlines(keepends=True)
    (tmp_path / "long.csv").write_text(rows[0] + "".join(rows[1:] * 1000))
    done = shell("clearwood predict m.json long.csv >&-", tmp_path)
    assert done.returncode == 2
    assert [line[:31] for line in done.stderr.splitlines()] == ["error: Cannot write the output:"]


def test_charts_are_drawn_where_standard_input_is_closed(tmp_path: Path) -> None:
    done = shell(f"clearwood report {TENNIS} -t PlayTennis -q -o page.html <&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "page.html").read_text().rstrip().endswith("</html>")


def test_a_closed_input_is_a_sentence(tmp_path: Path) -> None:
    done = shell("clearwood fit - -t y <&-", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: Standard input is closed")


def test_with_errors_closed_the_answer_stays_the_answer(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("id,x,y\n" + "".join(f"{i},{i % 3},{'ab'[i % 2]}\n" for i in range(30)))
    line = "clearwood fit d.csv -t y"
    with_notes, without = shell(line, tmp_path), shell(f"{line} 2>&-", tmp_path)
    assert "note: " in with_notes.stderr
    assert (without.returncode, without.stdout) == (0, with_notes.stdout)
    refused = shell("clearwood fit gone.csv -t y 2>&-", tmp_path)
    assert (refused.returncode, refused.stdout) == (2, "")


@pytest.mark.parametrize(
    "line",
    [
        r"clearwood fit $'caf\xe9.csv' -t y",
        r"clearwood fit d.csv -t $'\xff'",
        r"clearwood $'\xfe'",
        r"clearwood fit d.csv --$'\xfd'",
    ],
)
def test_arguments_that_are_not_utf8_are_a_sentence(line: str, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,y\na,b\n")
    done = shell(line, tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not UTF-8 text." in done.stderr
    assert len(done.stderr.splitlines()) == 1


EVIL = "\x1b[2J\x1b]0;owned\x07\x9b"


def test_what_a_terminal_would_obey_is_written_out_in_errors(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text(f"x,{EVIL}y\n" + "a,no\nb,yes\n" * 4, encoding="utf-8")
    for arguments in (("-t", "y"), ("-t", EVIL), (f"--{EVIL}",), ("-t", "y", "--seed", EVIL)):
        done = clearwood("fit", "d.csv", *arguments)
        assert done.code == 2
        assert not {"\x1b", "\x07", "\x9b"} & set(done.err)
    assert "\\x1b[2J" in clearwood("fit", "d.csv", "-t", "y").err


def test_what_a_terminal_would_obey_is_written_out_in_notes(clearwood: Command, tmp_path: Path) -> None:
    rows = "".join(f"k{i},{'ab'[i % 2]},{'no' if i % 2 else 'yes'}\n" for i in range(30))
    (tmp_path / "d.csv").write_text(f"{EVIL},x,y\n{rows}", encoding="utf-8")
    done = clearwood("fit", "d.csv", "-t", "y")
    assert done.code == 0
    assert "note: Column '\\x1b[2J\\x1b]0;owned\\x07\\x9b' is left out" in done.err


def test_a_terminal_gets_our_colours_and_no_others_in_answers(
    clearwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d.csv").write_text(f"x{EVIL},y\n" + "a,no\nb,yes\n" * 4, encoding="utf-8")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shown = clearwood("fit", "d.csv", "-t", "y").out
    assert "\x1b[2J" not in shown
    assert "\x1b[" in shown


def test_nothing_that_a_terminal_would_obey_goes_behind_a_pipe(clearwood: Command, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("x,y\n" + f"a,no{EVIL}\nb,yes\n" * 4, encoding="utf-8")
    for arguments in (("fit",), ("fit", "--rules"), ("evaluate",)):
        done = clearwood(arguments[0], "d.csv", "-t", "y", "-l", "c45", *arguments[1:])
        assert not {"\x1b", "\x07", "\x9b"} & set(done.out)


def test_devices_pipes_and_links_that_are_outputs_stay_what_they_are(clearwood: Command, model: Path) -> None:
    tennis = datasets.path("tennis")
    assert clearwood("predict", model, tennis, "-o", os.devnull).code == 0
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    for command, name in (("draw", "link.svg"), ("fit", "link.json"), ("predict", "link.csv")):
        Path(f"real-{name}").write_text("before")
        Path(name).symlink_to(f"real-{name}")
        arguments: tuple[object, ...] = {
            "draw": ("draw", model, "-o", name),
            "fit": ("fit", tennis, "-t", "PlayTennis", "--save", name),
            "predict": ("predict", model, tennis, "-o", name),
        }[command]
        assert clearwood(*arguments).code == 0
        assert Path(name).is_symlink()
        assert Path(f"real-{name}").read_text() != "before"


def test_rows_and_pages_go_into_pipes(model: Path, tmp_path: Path) -> None:
    assert model.exists()
    readers = "mkfifo p.csv p.html; cat p.csv > rows & cat p.html > page &"
    line = f"{readers} clearwood predict m.json {TENNIS} -o p.csv"
    done = shell(
        f"{line} && clearwood report {TENNIS} -m m.json -o p.html; wait; test -p p.csv -a -p p.html", tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "rows").read_text().startswith("Outlook,")
    assert (tmp_path / "page").read_text().startswith("<!doctype html>")


def test_what_is_appended_to_is_not_replaced(model: Path, tmp_path: Path) -> None:
    assert model.exists()
    done = shell(f"echo before > all; clearwood predict m.json {TENNIS} -o /dev/stdout -q >> all", tmp_path)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "all").read_text().splitlines()
    assert lines[0] == "before"
    assert lines[1].startswith("Outlook,")


@pytest.mark.parametrize(
    "arguments", [("fit",), ("nothing",), ("fit", "d.csv", "--json=yes"), ("fit", "gone.csv", "-t", "y")]
)
def test_every_error_is_json_where_json_is_asked_for(clearwood: Command, arguments: tuple[str, ...]) -> None:
    done = clearwood(*arguments, *(() if "--json=yes" in arguments else ("--json",)))
    assert done.code == 2
    assert list(json.loads(done.out)) == ["error"]
    assert done.err == ""


@pytest.fixture
def spreadsheet(clearwood: Command, tmp_path: Path) -> Path:
    """A table whose texts a spreadsheet would run, and a model of it."""
    (tmp_path / "d.csv").write_text("x,n,y\n" + "=1+1,-3,@no\n-b,+4,yes\n" * 4)
    assert clearwood("fit", "d.csv", "-t", "y", "--kind", "n=numeric", "--save", "m.json").code == 0
    return tmp_path / "d.csv"


def test_texts_that_a_spreadsheet_would_run_are_noted(clearwood: Command, spreadsheet: Path) -> None:
    done = clearwood("predict", "m.json", spreadsheet)
    assert done.out.splitlines()[1] == "=1+1,-3,@no,@no"
    assert "A spreadsheet would run '-b' and other texts as a formula." in done.err
    assert "--escape-formulas" in done.err


def test_texts_that_a_spreadsheet_would_run_are_escaped_if_asked(
    clearwood: Command, spreadsheet: Path
) -> None:
    done = clearwood("predict", "m.json", spreadsheet, "--escape-formulas")
    assert done.out.splitlines()[1:3] == ["'=1+1,-3,'@no,'@no", "'-b,+4,yes,yes"]
    assert "spreadsheet" not in done.err
