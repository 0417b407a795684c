"""Files are written whole or not at all; links are followed, and what is not a file is never replaced."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import clearwood as cw
from clearwood.errors import SourceError
from clearwood.files import whole_file, write_whole


def test_a_failure_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "f.txt"
    place.write_text("before")

    def fail() -> None:
        with whole_file(place) as file:
            file.write(b"half of what")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert place.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["f.txt"]


def test_a_new_file_has_the_usual_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    ordinary = tmp_path / "ordinary"
    ordinary.write_text("")
    write_whole(tmp_path / "new", b"x")
    assert (tmp_path / "new").stat().st_mode == ordinary.stat().st_mode
    ordinary.chmod(0o600)
    write_whole(ordinary, b"x")
    assert stat.S_IMODE(ordinary.stat().st_mode) == 0o600


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "real").write_text("before")
    (tmp_path / "link").symlink_to("folder/real")
    (tmp_path / "dangling").symlink_to("folder/new")
    for name in ("link", "dangling"):
        write_whole(tmp_path / name, b"after")
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "folder" / "real").read_text() == "after"
    assert (tmp_path / "folder" / "new").read_text() == "after"


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(SourceError, match="Too many levels of symbolic links"):
        write_whole(tmp_path / "a", b"x")
    assert (tmp_path / "a").is_symlink()


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"through the pipe")
    reader.join(10)
    assert read == [b"through the pipe"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    link = tmp_path / "null"
    link.symlink_to(os.devnull)
    for place in (Path(os.devnull), link):
        assert write_whole(place, b"gone") == place
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)
    assert link.is_symlink()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"Cannot write .*: Is a directory\."):
        write_whole(tmp_path, b"x")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["picture", "report", "model", "schema"])
def test_all_that_is_saved_is_saved_whole(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    model = cw.ID3().learn(table)
    saved = {
        "picture": lambda place: cw.picture(model).save(place.with_suffix(".svg")),
        "report": lambda place: cw.report(table, model=model).save(place.with_suffix(".html")),
        "model": lambda place: cw.save(model, place.with_suffix(".json")),
        "schema": lambda place: cw.save_schema(table.schema, place.with_suffix(".json")),
    }
    place = saved[kind](tmp_path / "f")
    before = place.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(cw.errors.ClearwoodError, match=r"Cannot write .*: No space left on device\."):
        saved[kind](tmp_path / "f")
    assert place.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_the_part_of_a_killed_process_is_swept_and_that_of_a_living_one_is_not(tmp_path: Path) -> None:
    """Who is killed leaves a part, which the next one that writes the same file takes away."""
    place = tmp_path / "m.json"
    code = (
        "import os, signal\nfrom clearwood.files import whole_file\n"
        f"with whole_file({str(place)!r}) as file:\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    (left,) = tmp_path.glob(".m.json.*.part")
    write_whole(place, b"soon")
    assert left.exists()  # as young as this, it may be somebody's who is about to write
    os.utime(left, (0, 0))
    other = tmp_path / ".m.json.mine.part"
    other.write_text("not one of ours")
    os.utime(other, (0, 0))
    with whole_file(place) as file:
        (own,) = (each for each in tmp_path.glob(".m.json.*.part") if each not in (left, other))
        os.utime(own, (0, 0))
        write_whole(place, b"meanwhile")
        file.write(b"at last")
    assert place.read_bytes() == b"at last"
    assert sorted(each.name for each in tmp_path.iterdir()) == [".m.json.mine.part", "m.json"]
