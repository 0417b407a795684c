"""What a person at a terminal gets beside the answer: panels, completion, a question, a next step."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clearwood.cli.app import program
from clearwood.cli.commands import COMMANDS, PANELS
from tests.cli.conftest import Command, Outcome


class Typing(io.StringIO):
    """A keyboard, at which these lines are typed."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, clearwood: Command) -> Command:
    """The command line at a terminal, where nothing is typed unless a test does so."""
    monkeypatch.setattr(sys, "stdin", Typing())
    monkeypatch.setenv("NO_COLOR", "1")

    def command(*arguments: object) -> Outcome:
        with monkeypatch.context() as patched:
            patched.setattr(sys.stdout, "isatty", lambda: True)
            patched.setattr(sys.stderr, "isatty", lambda: True)
            return clearwood(*arguments)

    return command


def completed(line: str) -> list[str]:
    """What bash is told to complete behind this line; a blank at its end begins another word."""
    words = len(line.split()) - (not line.endswith(" "))
    environment = {"_CLEARWOOD_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(words)}
    return CliRunner().invoke(program(), [], prog_name="clearwood", env=environment).output.split()


def test_every_command_stands_in_one_of_six_panels(clearwood: Command) -> None:
    assert [*PANELS] == ["Learn", "Look", "Evaluate", "Explain", "Change", "Deliver"]
    assert [name for names in PANELS.values() for name in names] == [*COMMANDS]
    shown = clearwood("--help").out
    places = [shown.index(f"─ {panel} ─") for panel in PANELS]
    assert places == sorted(places)
    assert shown.index("choose, fit, show, evaluate, explain") < places[0]


def test_columns_are_completed_from_the_head_of_the_file(tennis: Path) -> None:
    assert completed(f"clearwood fit {tennis} -t P") == ["PlayTennis"]
    assert completed(f"clearwood fit {tennis} --ignore Wind,Hum") == ["Wind,Humidity"]
    assert completed(f"clearwood fit {tennis} --kind Wi") == ["Wind="]
    assert completed(f"clearwood fit {tennis} --kind Wind=n") == ["Wind=nominal", "Wind=numeric"]


def test_values_and_classes_are_completed_from_the_file_or_the_model(tennis: Path, model: Path) -> None:
    assert completed(f"clearwood fit {tennis} -t PlayTennis --positive ") == ["No", "Yes"]
    assert completed(f"clearwood explain {model} --to ") == ["No", "Yes"]
    assert completed(f"clearwood explain {model} --row Outlook=S") == ["Outlook=Sunny"]
    assert completed(f"clearwood explain {model} --row Outlook=Sunny,W") == ["Outlook=Sunny,Wind="]


@pytest.mark.parametrize("data", ["none.csv", "-", "broken.csv"])
def test_what_cannot_be_read_completes_nothing(data: str, clearwood: Command) -> None:
    assert clearwood("schema", "none.csv").code == 2
    Path("broken.csv").write_bytes(b'a,"b\n\x00')
    assert completed(f"clearwood fit {data} -t ") == []


def test_a_terminal_is_asked_for_the_target(
    terminal: Command, tennis: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Typing("PlayTenis\nWind\n"))
    done = terminal("fit", tennis)
    assert (done.code, "Did you mean 'PlayTennis'?" in done.err) == (0, True), done.err
    assert "[PlayTennis]" in done.err  # the proposal
    named = terminal("fit", tennis, "-t", "Wind")
    assert done.out == named.out


def test_a_column_that_is_named_like_a_target_is_proposed(
    terminal: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("d.csv").write_text("Class,x\n" + "a,1\nb,2\n" * 20)
    monkeypatch.setattr(sys, "stdin", Typing("\n"))
    done = terminal("schema", "d.csv")
    assert "predicted" not in done.err  # a schema needs no target
    done = terminal("fit", "d.csv")
    assert (done.code, "[Class]" in done.err) == (0, True), done.err


def test_who_names_none_is_refused(terminal: Command, tennis: Path) -> None:
    done = terminal("fit", tennis)
    assert (done.code, "Give it: --target COLUMN" in done.err) == (2, True)


@pytest.mark.parametrize("more", [["--json"], []])
def test_a_pipe_is_refused_and_not_asked(clearwood: Command, tennis: Path, more: list[str]) -> None:
    done = clearwood("fit", tennis, *more)
    assert done.code == 2
    assert "Give it: --target COLUMN" in done.out + done.err


def test_a_terminal_is_told_what_comes_next(terminal: Command, tennis: Path) -> None:
    learned = terminal("fit", tennis, "-t", "PlayTennis", "-l", "id3", "--save", "m.json").out
    assert learned.splitlines()[-1] == f"Next: clearwood explain m.json --data {tennis} --number 1"
    assert "Next: the same with --save model.json" in terminal("fit", tennis, "-t", "PlayTennis").out
    found = terminal("look-over", tennis, "-t", "PlayTennis").out
    assert found.splitlines()[-1] == f"Next: clearwood fit {tennis} --target PlayTennis"
    fewer = terminal("prune", "m.json", tennis, "--method", "mdl", "--save", "n.json").out
    assert fewer.splitlines()[-1] == "Next: clearwood diff m.json n.json"


def test_nobody_else_is_told(clearwood: Command, terminal: Command, tennis: Path) -> None:
    assert "Next:" not in terminal("fit", tennis, "-t", "PlayTennis", "-q").out
    assert "Next:" not in terminal("fit", tennis, "-t", "PlayTennis", "--json").out
    assert "Next:" not in clearwood("fit", tennis, "-t", "PlayTennis").out


def test_what_comes_next_is_a_command_that_runs(terminal: Command, tennis: Path) -> None:
    learned = terminal("fit", tennis, "-t", "PlayTennis", "--save", "m.json").out
    command = learned.splitlines()[-1].removeprefix("Next: clearwood ").split()
    assert terminal(*command).code == 0
