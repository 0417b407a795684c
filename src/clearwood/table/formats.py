"""The kinds of files that are read, by suffix. Help names them, so this list needs no NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from clearwood.records import dataclass
from clearwood.registry import imported, imported_extra

if TYPE_CHECKING:
    from clearwood.table.raw import Raw

Reader: TypeAlias = "Callable[..., Raw]"

_READERS: Final = "clearwood.table.sources"
_JSON: Final = rb'(\xef\xbb\xbf)?\s*(\{\s*["}]|\[\s*\{)'


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of file: its reader, as "module:name", which is imported when it is needed, or the function.

    `library` is what the reader imports that is not always installed, and `extra` the optional dependency of
    Clearwood that installs it. `begins` is a pattern of the first bytes, by which an open file is known whose
    name says nothing. A reader `of_paths` needs the path, since it reads another file beside it.
    """

    home: str | Reader
    library: str = ""
    extra: str = ""
    begins: bytes = b""
    of_paths: bool = False

    def load(self, what: str) -> Reader:
        """The reader of a file called so; an error that says what to install, where that is lacking."""
        if self.library:
            imported_extra(self.library, self.extra, f"To read {what}")
        reader: Reader = imported(self.home) if isinstance(self.home, str) else self.home
        return reader


_PARQUET: Final = Source(f"{_READERS}.arrow:read_parquet", "pyarrow", "arrow", rb"PAR1")
_ARROW: Final = Source(f"{_READERS}.arrow:read_arrow", "pyarrow", "arrow", rb"ARROW1|\xff\xff\xff\xff")
_RECORDS: Final = Source(f"{_READERS}.json_lines:read_json", begins=_JSON)

SOURCES: Final[dict[str, Source]] = {  # by suffix; what a reader takes besides the file are its options
    ".parquet": _PARQUET,
    ".pq": _PARQUET,
    ".arrow": _ARROW,
    ".feather": _ARROW,
    ".ipc": _ARROW,
    ".json": _RECORDS,
    ".jsonl": _RECORDS,
    ".ndjson": _RECORDS,
    ".arff": Source(f"{_READERS}.arff:read_arff", begins=rb"(\s|%.*\n)*(?i:@relation)\b"),
    ".names": Source(f"{_READERS}.c45_names:read_c45", of_paths=True),
}  # any other suffix is delimited text
