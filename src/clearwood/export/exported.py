"""An Exported model: what was written, of which model, and what is to be known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from clearwood.errors import SettingError
from clearwood.export.exportable import Exportable
from clearwood.export.writer_version import writer_version
from clearwood.files import write_whole

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
