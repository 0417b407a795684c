"""An Exported model: what was written, of which model, and what is to be known of it."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from clearwood import __version__
from clearwood.errors import SettingError
from clearwood.exporting.exportable import (
    Exportable,
    cells_to_prepare,
    export_title,
    fingerprint_of,
    gives_points,
)
from clearwood.files import write_whole

# The version of Clearwood that an export names as its writer: ours, or an earlier one.


# No character of these ends a comment, a text or a line in any language: a version comes from a certificate,
# and stands in a file that is run.
_VERSION: Final = re.compile(r"[0-9][0-9a-z.+]{0,39}")
_named: Final = ContextVar[str | None]("_named", default=None)


def writer_version() -> str:
    """The version that headings name.

    >>> with as_written_by("0.0.9"):
    ...     writer_version()
    '0.0.9'
    """
    return _named.get() or __version__


@contextmanager
def as_written_by(version: str) -> Iterator[None]:
    """What is exported within names this version as its writer; nothing else changes."""
    if not _VERSION.fullmatch(version):
        raise SettingError(f"'{version}' is no version of Clearwood, such as {__version__}.")
    before = _named.set(version)
    try:
        yield
    finally:
        _named.reset(before)


Precision: TypeAlias = Literal["double", "single", "fifteen digits"]


@dataclass(frozen=True)
class Exported:
    """A model in another format.

    `target` names the runner that proves it (`RUNNERS`), or is empty where nothing here runs it. `precision`
    is that of its numbers: shares are compared to 1e-12 ("double"), or to what the format can hold.
    `exporter` is the version of Clearwood that wrote it.
    """

    format: str
    content: str | bytes
    suffix: str
    model: Exportable = field(repr=False)
    target: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    precision: Precision = "double"
    notes: tuple[str, ...] = ()
    exporter: str = field(default_factory=writer_version)

    @property
    def text(self) -> str:
        """What was written, where it is text."""
        if isinstance(self.content, bytes):
            raise SettingError(f"An export to {self.format} is no text. Save it: exported.save(path).")
        return self.content

    @property
    def data(self) -> bytes:
        """What was written, as bytes; text in UTF-8."""
        return self.content if isinstance(self.content, bytes) else self.content.encode()

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        write_whole(path, self.data)

    def __str__(self) -> str:
        return self.text if isinstance(self.content, str) else repr(self)


# What stands at the top of an exported file: what it predicts, by which model, and how it is known again.


def heading_of(model: Exportable) -> tuple[str, str]:
    """Two sentences without line breaks: what it is, and what wrote it of which model.

    >>> import clearwood as cw
    >>> table = cw.read_table(cw.datasets.path("tennis"), target="PlayTennis")
    >>> heading_of(cw.ID3().learn(table))[0]
    'Predict PlayTennis: ID3, 5 leaves.'
    """
    target = "" if model.schema.target is None else model.schema.target.name
    what = one_line(f"Predict {target}: {export_title(model)}.")
    kind = "scorecard" if gives_points(model) else "model"
    written = f"Written by Clearwood {writer_version()} from the {kind} {fingerprint_of(model)[:16]}."
    return what, one_line(f"{written} {cells_to_prepare(model)}".strip())


# Comments: a text on one line that neither ends its comment nor becomes code, in each language.
#
# A rule stands in one beside the place where it ends, no longer than helps.


_MOST: Final = 100
_VALUES: Final = 3


def one_line(text: str) -> str:
    r"""What stands behind `#`, `//` or `--`: no line break of any kind, control character or half of a pair.

    >>> one_line("a\nb\u2028c \0d")
    'a b c �d'
    """
    spaced = " ".join(text.split())
    return "".join("�" if unicodedata.category(each) in ("Cc", "Cs") else each for each in spaced)


def comment_in_c(text: str) -> str:
    r"""What stands between `/*` and `*/`: it ends no comment, begins none, and joins no lines.

    >>> print(comment_in_c("a */ b \\"))
    a * / b \\
    """
    plain = one_line(text).replace("*/", "* /").replace("/*", "/ *")
    return plain.replace("\\", "\\\\")


def comment_in_java(text: str) -> str:
    r"""What stands behind `//` in ASCII. Java reads `\u` as an escape even there, so a blank divides it.

    >>> print(comment_in_java("C:\\users größe"))
    C:\ users gru+00f6u+00dfe
    """
    plain = "".join(each if each.isascii() else f"u+{ord(each):04x}" for each in one_line(text))
    return re.sub(r"\\(?=u)", r"\\ ", plain)


def in_brief(rule: str) -> str:
    """A rule on one line; long lists of values lose their end and long rules their beginning, which stands
    in the conditions around it.

    >>> in_brief("IF size in {S, M, L, XL, XXL} AND age > 3 THEN yes")
    'IF size in {S, M, L, … 2 more} AND age > 3 THEN yes'
    """
    line = re.sub(r"\{([^{}]*)\}", _fewer, one_line(rule))
    conditions = line.removeprefix("IF ").split(" AND ")
    while len(conditions) > 1 and sum(len(each) + 5 for each in conditions) > _MOST:
        conditions = conditions[1:]
        line = "IF … AND " + " AND ".join(conditions)
    return line


def _fewer(found: re.Match[str]) -> str:
    values = found[1].split(", ")
    if len(values) <= _VALUES + 1:
        return found[0]
    return f"{{{', '.join(values[:_VALUES])}, … {len(values) - _VALUES} more}}"


# Files by templates: what is the same for every model is written as it will be read.


def filled_in(template: str, **parts: str | Iterable[str]) -> str:
    """A template with its parts: `$name` or `${name}` is a text, or on a line of its own any number of lines.

    >>> filled_in("def $name():\\n$body\\n$end\\n", name="one", body=["    x = 1", "    return x"], end=[])
    'def one():\\n    x = 1\\n    return x\\n'
    """

    def part(found: re.Match[str]) -> str:
        given = parts[found[1] or found[2] or found[3]]
        if isinstance(given, str):
            return given + found[0].rpartition("\n")[1]
        return "".join(f"{line}\n" for line in given)

    return re.sub(r"^\$(\w+)\n|\$(\w+)|\$\{(\w+)\}", part, template, flags=re.MULTILINE)


# A Format: another language or file that models are written in.


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """What the list of formats knows of one.

    `write` takes a model and the format's own options by name, and makes the export. `refuses` says in a
    sentence why it cannot say a model, with the way out; None: it can. `suffixes` are the endings of files
    that are taken for this format, the usual one first.
    """

    name: str
    about: str
    suffixes: tuple[str, ...]
    write: Callable[..., Exported]
    refuses: Callable[[Exportable], str | None]
