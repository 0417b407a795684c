"""The log of requests: one line of JSON for each, without a cell of their rows unless that is asked for."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TextIO

import msgspec

from clearwood.errors import SettingError
from clearwood.serving.exchange import HttpRequest, Reply

_LETTERS: Final = 200  # of a path that nobody serves


class RequestLog:
    """Lines to a file, to standard error (None), or nowhere; opened anew where the file was moved away."""

    def __init__(self, path: Path | None = None, *, quiet: bool = False, with_data: bool = False) -> None:
        self._path = path
        self.quiet = quiet
        self.with_data = with_data
        self._file: TextIO | None = None
        if path is not None:
            self._open(path)

    def request(self, request: HttpRequest, route: str, reply: Reply, seconds: float) -> None:
        """A request and what became of it."""
        if self.quiet:
            return
        about = reply.about
        line: dict[str, Any] = {
            "time": _now(),
            "client": request.client,
            "method": request.method[:16],
            "path": request.path[:_LETTERS],
            "route": route,
            "status": reply.status,
            "ms": round(1000 * seconds, 3),
            "bytes": len(request.body),
        }
        if about.model:
            line |= {"model": about.model, "version": about.version}
        if about.rows:
            line["rows"] = about.rows
        if about.refused:
            line["refused"] = about.refused
        if self.with_data and request.method == "POST":
            line |= {"query": request.query, "sent": _text(request.body), "replied": _text(reply.body)}
        self.write(line)

    def event(self, what: str, **more: object) -> None:
        """Something that is no request: a start, a reload, a stop, a connection that was refused."""
        if not self.quiet:
            self.write({"time": _now(), "event": what, **more})

    def write(self, line: dict[str, Any]) -> None:
        """A line, at once: a server that is killed has written what it did."""
        text = msgspec.json.encode(line).decode() + "\n"
        file = self._file or sys.stderr
        try:
            file.write(text)
            file.flush()
        except (OSError, ValueError) as error:  # a disk that is full keeps nobody from an answer
            if file is not sys.stderr:
                reason = str(getattr(error, "strerror", None) or error).rstrip(".")
                sys.stderr.write(f"The log cannot be written: {reason}.\n")

    def reopen(self) -> None:
        """Open the file by its name again: who rotates logs has moved it away. Where that fails, the one that
        was moved away is written on, and says so."""
        before = self._file
        if self._path is None or before is None:
            return
        try:
            self._open(self._path)
        except SettingError as error:
            self.event("log", outcome="error", error=str(error))
            return
        before.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, path: Path) -> None:
        try:
            self._file = path.open("a", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise SettingError(f"The log cannot be written to {path}: {error.strerror}.") from None


def _now() -> str:
    seconds, rest = divmod(time.time(), 1)
    return f"{_in_words(int(seconds))}.{int(1000 * rest):03}Z"


@lru_cache(maxsize=4)
def _in_words(seconds: int) -> str:
    """Written once for all requests of a second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")
