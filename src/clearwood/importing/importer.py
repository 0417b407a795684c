"""An importer: which sources it knows, how it reads them, and who answers rows for them."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from clearwood.records import dataclass
from clearwood.registry import imported

if TYPE_CHECKING:
    from clearwood.importing.asked_origin import AskedOrigin
    from clearwood.importing.given import GivenNames
    from clearwood.models.lineage import Origin, Plain
    from clearwood.models.model import Model


@dataclass(frozen=True, slots=True)
class Importer:
    """`knows` says of an object, or of the `Content` of a file, whether it is of this origin; `read` makes a
    model of it; `ask` says who answers rows for it, or why nobody can be asked here.

    `reads` has what becomes a model, and which; `refuses` what does not, and why: the site lists both.
    """

    knows: Callable[[Any], bool]
    read: Callable[[Any, GivenNames], Model]
    ask: Callable[[Any, Model, GivenNames], AskedOrigin]
    reads: tuple[tuple[str, str], ...]
    refuses: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ImporterEntry:
    """An importer as the list has it: `home` is "module:name", imported when needed, or the importer.

    `files` are the forms of its files, `objects` what of it is imported from memory; empty: none. The proof
    `runs` a program to answer rows of a file; empty: that which wrote it.
    """

    home: str | Importer
    program: str
    files: str = ""
    objects: str = ""
    runs: str = ""

    def load(self) -> Importer:
        """The importer, imported now."""
        made: Importer = imported(self.home) if isinstance(self.home, str) else self.home
        return made


@dataclass(frozen=True, slots=True)
class Content:
    """A model file of another program: its bytes, and its name for sentences."""

    data: bytes
    where: str

    @property
    def start(self) -> bytes:
        """Its beginning, without a byte-order mark and white space."""
        return self.first(4096).lstrip()

    def first(self, count: int) -> bytes:
        """Its first bytes, as UTF-8 where a byte-order mark says that they are UTF-16."""
        data = self.data[:count]
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return data.decode("utf-16", "ignore").encode("utf-8", "ignore")
        return data.removeprefix(codecs.BOM_UTF8)


# The origin of an imported model: which program made it, and what that program calls it.


def imported_from(
    program: str,
    version: str,
    called: str,
    *,
    settings: Mapping[str, Any] | None = None,
    rows: float = 0,
    fingerprint: str = "",
) -> Origin:
    """The origin of a model of another program; of its settings those are kept that are plain.

    >>> imported_from("scikit-learn", "1.9.1", "GaussianNB").title
    'scikit-learn GaussianNB'
    """
    from clearwood import __version__
    from clearwood.models.lineage import (
        Imported,  # late: help lists importers, and needs no models
        Origin,
    )

    plain: dict[str, Plain] = {
        name: value for name, value in (settings or {}).items() if type(value) in (str, int, float, bool)
    }
    done = Imported(program, version, called, fingerprint)
    return Origin(" ".join(filter(None, (program, called))), plain, __version__, "", round(rows), (done,))


def file_fingerprint(content: bytes | memoryview) -> str:
    """Sixteen digits by which a file is known again."""
    return hashlib.sha256(content).hexdigest()[:16]
