"""What no file or text may make us do: start a program, open a connection, load a pickle, write a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_FORBIDDEN: Final = (
    *("os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "subprocess.Popen"),
    *("socket.connect", "socket.bind", "pickle.find_class", "os.remove", "os.rename", "os.rmdir", "os.mkdir"),
    *("shutil.rmtree", "ctypes.dlopen"),
)
_watched: list[list[str]] = []


@contextmanager
def nothing_is_run() -> Iterator[None]:
    """A failure where the block does any of it. A hook hears of it from Python, and stays."""
    if not _hooked:
        sys.addaudithook(_hear)
        _hooked.append(True)
    seen: list[str] = []
    _watched.append(seen)
    try:
        yield
    finally:
        _watched.pop()
        assert not seen, f"it did: {', '.join(seen)}"


_hooked: list[bool] = []


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watched:
        return
    if event in _FORBIDDEN or (event == "open" and _writes(arguments)):
        _watched[-1].append(f"{event}{arguments!r}"[:200])


def _writes(arguments: tuple[Any, ...]) -> bool:
    path, mode, *_ = arguments
    # Modules that are loaded late are compiled, and kept beside their source.
    return isinstance(mode, str) and bool(set("wax+") & set(mode)) and "__pycache__" not in str(path)
