"""The kinds of files that are read, by suffix. Help names them, so this list needs no NumPy."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from clearwood.registry import Listed

if TYPE_CHECKING:
    from clearwood.table.raw import Raw

Reader: TypeAlias = "Callable[..., Raw]"

_READERS: Final = "clearwood.table.sources"

SOURCES: Final[Listed[Reader]] = Listed(  # by suffix; what a reader takes besides the file are its options
    "kind of file",
    {
        ".parquet": f"{_READERS}.arrow:read_parquet",
        ".pq": f"{_READERS}.arrow:read_parquet",
        ".arrow": f"{_READERS}.arrow:read_arrow",
        ".feather": f"{_READERS}.arrow:read_arrow",
        ".ipc": f"{_READERS}.arrow:read_arrow",
        ".json": f"{_READERS}.json_lines:read_json",
        ".jsonl": f"{_READERS}.json_lines:read_json",
        ".ndjson": f"{_READERS}.json_lines:read_json",
        ".arff": f"{_READERS}.arff:read_arff",
        ".names": f"{_READERS}.c45_names:read_c45",
    },
)  # any other suffix is delimited text
