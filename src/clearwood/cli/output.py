"""What the program says: answers on standard output, notes and errors on standard error, or JSON; a sign of
life on long work; and files, whose place is checked before the work."""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shlex import join
from threading import Event, Thread
from time import monotonic
from types import EllipsisType
from typing import Any, BinaryIO, Final, TextIO

from clearwood.cli.options import Output, as_option, in_options
from clearwood.cli.process import first_signal_noted
from clearwood.errors import ClearwoodError, ClearwoodWarning, RuleTextError, SettingError, SourceError
from clearwood.files import PICTURE_SUFFIXES, is_stream, whole_file
from clearwood.learners.progress import Progress, watching
from clearwood.registry import imported

# Control characters but line ends and tabs, and the marks that turn the direction of text.
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_COLOUR: Final = re.compile("(\x1b\\[[0-9;]*m)")  # the only sequence that we write ourselves


def answer(
    output: Output,
    of: Any = None,
    *,
    text: Callable[[], str] | None = None,
    data: Callable[[], Mapping[str, Any]] | None = None,
    notes: Iterable[str] | EllipsisType = ...,
    saved: Path | EllipsisType | None = ...,
    then: str = "",
) -> None:
    """The answer as it was asked for: text for a person, or one JSON object with the notes in it; those that
    the result `of` the work has, unless `text` or `data` makes others.

    Notes that a person reads are printed by `note`, as soon as they are known. A command that never has any,
    or never saves, leaves them out here and has no such field. `then` is what to do next, for a person at a
    terminal.
    """
    if output.as_json:
        more = {} if isinstance(notes, EllipsisType) else {"notes": as_options(notes)}
        place = {} if isinstance(saved, EllipsisType) else {"saved": None if saved is None else str(saved)}
        print_json({**(data or of.to_json)(), **more, **place})
        return
    print_line(str(of) if text is None else text())
    if isinstance(saved, Path):
        print_line(f"Saved to {saved}.")
    if then and sys.stdout.isatty() and not output.quiet:
        print_line(f"Next: {then}")


def next_with_model(saved: Path | None, data: str) -> str:
    """What to do with a model that was just learned."""
    if saved is None:
        return "the same with --save model.json, to explain and predict rows by it"
    row = ["--row", "COLUMN=VALUE,…"] if data == "-" else ["--data", data, "--number", "1"]
    return join(["clearwood", "explain", str(saved), *row])


def next_with_changed(saved: Path | None, before: Path) -> str:
    """What to do with a model that another was made of."""
    return "" if saved is None else join(["clearwood", "diff", str(before), str(saved)])


def print_line(text: str = "") -> None:
    """A line of the answer, with no control characters from cells and names, wherever it goes: behind a pipe
    there may be a terminal. Our own colours stay, where there is one."""
    if sys.stdout is not None and colours(sys.stdout):
        parts = _COLOUR.split(text)
        text = "".join(part if _COLOUR.fullmatch(part) else terminal_text(part) for part in parts)
    else:
        text = terminal_text(text)
    print(text)


def print_json(value: Any) -> None:
    """The whole answer, for machines: one object, nothing else on standard output."""
    print(json.dumps(_finite(value), ensure_ascii=False, allow_nan=False))


def as_options(texts: Iterable[str]) -> list[str]:
    """Notes of the library, in the words of a shell."""
    return [in_options(text) for text in texts]


def note(texts: Iterable[str], output: Output | None = None) -> None:
    """What was guessed or done on the user's behalf. Within JSON it is a field, and --quiet wants none."""
    if output is not None and (output.quiet or output.as_json):
        return
    for text in as_options(texts):
        print(_coloured(f"note: {_in_one_line(text)}", "2", sys.stderr), file=sys.stderr)


def print_refusal(wrong: ClearwoodError | str, *, as_json: bool) -> None:
    """What is wrong, and the way out; in JSON also the options that help and the place, as data."""
    error = wrong if isinstance(wrong, ClearwoodError) else ClearwoodError(wrong)
    sentence = in_options(error.sentence)
    if as_json:
        advice = [{**each.to_json(), "typed": as_option(each)} for each in error.advice]
        place = None if error.place is None else error.place.to_json()
        more = {"advice": advice, "place": place}
        print_json({"error": sentence, **{name: value for name, value in more.items() if value}})
    else:
        # Of rules the line itself is shown beneath, with a mark under the place.
        shown = terminal_text(sentence) if isinstance(error, RuleTextError) else _in_one_line(sentence)
        print(f"{_coloured('error:', '1;31', sys.stderr)} {shown}", file=sys.stderr)


def terminal_text(text: str) -> str:
    """The text with what a terminal would obey, not show, written out.

    >>> terminal_text("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return _UNSEEN.sub(lambda unseen: unseen[0].encode("unicode_escape").decode(), text)


def _in_one_line(text: str) -> str:
    """The text with line ends, which only names and cells can have brought in, written out as well."""
    return terminal_text(text).replace("\n", "\\n").replace("\t", "\\t")


@contextmanager
def warnings_as_notes(*, quiet: bool = False) -> Iterator[None]:
    """What the library warns of while the block runs reads as our other notes do; `quiet` wants none."""

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ClearwoodWarning)
        yield
    sentences = (each.message.sentence for each in caught if isinstance(each.message, ClearwoodWarning))
    if not quiet:
        note(dict.fromkeys(sentences))


def colours(stream: TextIO) -> bool:
    """Is this a terminal whose owner wants colour? (no-color.org)"""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _finite(value: Any) -> Any:
    """The answer with null where there is no number: JSON has no NaN."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list | tuple) else value


def _coloured(text: str, code: str, stream: TextIO) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colours(stream) else text


# A sign of life on long work: a spinner, and how far learning is, for a person at a terminal.


PATIENCE: Final = 0.7  # seconds without a sign
AGAIN: Final = 0.2  # seconds until the sign is looked at again


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show `what` with a spinner and a clock while the block runs, if it runs long and someone looks; of
    learners of many members also how many there are, and their score so far."""
    with _watched(_Work(what)):
        yield


@contextmanager
def learning(what: str, *, keep: bool) -> Iterator[None]:
    """The same of a model that an interruption ends: the first one only ends the learning, if it is to `keep`
    what was learned until then; otherwise a sentence says what was lost."""
    if keep:
        with first_signal_noted() as requests, _watched(_Work(what, requests, keeps=True)):
            yield
        return
    work = _Work(what)
    try:
        with _watched(work):
            yield
    except KeyboardInterrupt:
        if work.latest is None:
            print("Interrupted: nothing was learned, and nothing is saved.", file=sys.stderr)
        else:
            print(
                f"Interrupted after {work.latest.so_far}: nothing is kept or saved. "
                "With --keep, what was learned until then is.",
                file=sys.stderr,
            )
        raise


@contextmanager
def trying(what: str) -> Iterator[None]:
    """The same of work in folds, whose end can be foreseen: the first interruption ends it, and what was
    tried until then is kept."""
    with first_signal_noted() as requests, _watched(_Work(what, requests, keeps=True)):
        yield


@dataclass(slots=True)
class _Work:
    """What is being done, how far it is, and the requests to end that came meanwhile."""

    what: str
    requests: list[int] = field(default_factory=list)
    keeps: bool = False
    latest: Progress | None = None
    first: tuple[float, Progress] | None = None  # when it came

    def heed(self, progress: Progress) -> bool:
        self.latest = progress
        if self.first is None or self.first[1].unit != progress.unit:  # folds follow the trees of a forest
            self.first = (monotonic(), progress)
        return bool(self.requests)

    @property
    def left(self) -> str:
        """How long it will take yet, of work in folds, where each takes about as long as the last ones."""
        if self.first is None or self.latest is None or self.latest.unit != "fold":
            return ""
        began, first = self.first
        done = self.latest.done - first.done
        if done <= 0:
            return ""
        return f", {time_left((monotonic() - began) / done * (self.latest.of - self.latest.done))}"

    def __str__(self) -> str:
        far = "" if self.latest is None else f": {self.latest}{self.left}"
        if self.requests:
            return f"{self.what}{far}; ending with these (Ctrl-C again ends at once)"
        return f"{self.what}{far} (Ctrl-C {'keeps these' if self.keeps else 'stops'})"


def time_left(seconds: float) -> str:
    """About how long it will take yet.

    >>> time_left(0.4), time_left(42.3), time_left(200), time_left(9000)
    ('less than 1 s left', 'about 43 s left', 'about 4 min left', 'about 2.5 h left')
    """
    if seconds < 1:
        return "less than 1 s left"
    if seconds < 90:
        return f"about {math.ceil(seconds)} s left"
    return (
        f"about {math.ceil(seconds / 60)} min left"
        if seconds < 5400
        else f"about {seconds / 3600:.1f} h left"
    )


@contextmanager
def _watched(work: _Work) -> Iterator[None]:
    with watching(work.heed):
        if not sys.stderr.isatty():
            yield
            return
        done = Event()
        spinner = Thread(target=_spin, args=(work, done), daemon=True)
        spinner.start()
        try:
            yield
        finally:
            done.set()
            spinner.join()


def _spin(work: _Work, done: Event) -> None:
    if done.wait(PATIENCE):
        return
    from rich.console import Console
    from rich.progress import Progress as Shown
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Shown(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(terminal_text(str(work)), total=None)
        while not done.wait(AGAIN):
            shown.update(task, description=terminal_text(str(work)))


# Where a command may write: checked before the work, and never over what it reads.


def check_place(place: Path | None, *inputs: str | Path | None) -> None:
    """Refuse at once a path that cannot be written, or that would overwrite what is read."""
    if place is None:
        return
    folder = place.absolute().parent
    if place.is_dir():
        raise SourceError(f"{place} is a directory. Name a file in it.")
    if not folder.is_dir():
        raise SourceError(f"Cannot write {place}: there is no directory {place.parent}. Make it first.")
    if not is_stream(place) and not os.access(folder, os.W_OK):
        raise SourceError(f"Cannot write {place}: you may not write in the directory {folder}.")
    for each in inputs:
        if each is not None and place.exists() and Path(each).exists() and place.samefile(each):
            raise SettingError(f"This command reads {place}. Write to another file.")


@contextmanager
def text_file(place: Path | None) -> Iterator[TextIO]:
    """A text file, written whole or not at all, compressed if it ends in .gz; None: standard output."""
    if place is None:
        yield sys.stdout
        sys.stdout.flush()  # before any note says that it is there
        return
    with binary_file(place) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", newline="")
        yield text
        text.detach()  # which flushes, and leaves the closing to whoever opened it


@contextmanager
def lines_file(place: Path | None) -> Iterator[Callable[[bytes | memoryview], object]]:
    """What writes lines of UTF-8 into such a file."""
    if place is None:
        with text_file(None) as text:
            yield lambda lines: text.write(bytes(lines).decode())
        return
    with binary_file(place) as binary:
        yield binary.write


@contextmanager
def binary_file(place: Path) -> Iterator[BinaryIO | gzip.GzipFile]:
    """The bytes of such a file."""
    with whole_file(place) as binary:
        if not is_compressed(place):
            yield binary
            return
        with gzip.GzipFile("", "wb", 6, binary, mtime=0) as packed:
            yield packed


def is_compressed(place: Path) -> bool:
    """Does the name promise a compressed file?"""
    return place.suffix.lower() == ".gz"


def without_gz(place: Path) -> Path:
    """The name that the file has unpacked."""
    return place.with_suffix("") if is_compressed(place) else place


# A chart beside an answer: its place is checked before the work, and a note says what was drawn.


def check_chart(place: Path | None, *inputs: str | Path | None) -> None:
    """Refuse at once a name that promises no form of picture, or a place that cannot be written."""
    if place is not None and place.suffix.lower() not in PICTURE_SUFFIXES:
        raise SettingError(
            f"Cannot draw to {place}: a picture's name ends in one of {', '.join(PICTURE_SUFFIXES)}."
        )
    check_place(place, *inputs)


def save_chart(chart: str, *of: Any, place: Path | None, output: Output) -> None:
    """Where one is asked for, draw this chart of `clearwood.draw.charts`, and describe it in a note."""
    if place is not None:
        drawn = imported(f"clearwood.draw.charts:{chart}")(*of)  # late: not all draw
        drawn.save(place)
        note([f"Drawn to {place}: {drawn.alt}"], output)
