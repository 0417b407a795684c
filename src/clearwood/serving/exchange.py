"""A request and its reply as data, so that all a server does can be tried without a socket."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args
from urllib.parse import parse_qs

import msgspec

from clearwood.advice import Part
from clearwood.errors import ClearwoodError

JSON: Final = "application/json"
HTML: Final = "text/html; charset=utf-8"
PLAIN: Final = "text/plain; charset=utf-8"

# The headers that are read. What carries requests keeps these and drops all others, so that none can be asked
# for that does not arrive.
Header: TypeAlias = Literal[
    "accept",
    "authorization",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "origin",
    "x-forwarded-host",
]
HEADERS: Final[tuple[Header, ...]] = get_args(Header)
_MOST_FIELDS: Final = 1000  # of a query


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What a client sends. Names of headers are in lower case; `client` is its address."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    client: str = ""

    def header(self, name: Header, otherwise: str = "") -> str:
        """What this header says, or `otherwise` where there is none."""
        return self.headers.get(name, otherwise)

    def fields(self) -> dict[str, list[str]]:
        """The query's fields, each with its values in order."""
        if not self.query:
            return {}
        try:
            return parse_qs(self.query, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
        except ValueError:
            raise RefusalError("The query has too many fields.", status=400, because="query") from None


def only_value(fields: Mapping[str, list[str]], name: str) -> str | None:
    """The value of a query's field, None where it has none; two that differ are refused.

    >>> only_value({"model": ["tree", "tree"]}, "model")
    'tree'
    """
    values = fields.get(name, [])
    if len(set(values)) > 1:
        raise RefusalError(f"The query gives {name} twice. Give it once.", status=400, because="query")
    return values[0] if values else None


@dataclass(frozen=True, slots=True)
class About:
    """What the log and the metrics say of a reply; no cell of a row is in it."""

    model: str = ""
    version: str = ""
    rows: int = 0
    refused: str = ""  # a word for why, empty of an answer


@dataclass(frozen=True, slots=True)
class Reply:
    """What a client gets."""

    status: int
    body: bytes
    kind: str = JSON
    headers: tuple[tuple[str, str], ...] = ()
    about: About = About()


class RefusalError(ClearwoodError):
    """A request that is not answered: the status, a sentence, and what is wrong with each column, by name.

    `because` is one word for it, which metrics count and the log writes; the sentence may hold data.
    `allowed` are the methods that a path takes, where another was used.
    """

    def __init__(
        self,
        *parts: Part,
        status: int,
        because: str,
        columns: Mapping[str, str] | None = None,
        allowed: str = "",
    ) -> None:
        super().__init__(*parts)
        self.allowed = allowed
        self.status = status
        self.because = because
        self.columns = dict(columns or {})


def refused(refusal: RefusalError, about: About | None = None) -> Reply:
    """The reply to a request that is not answered.

    >>> refused(RefusalError("No such page.", status=404, because="path")).body
    b'{"error":"No such page."}'
    """
    content: dict[str, Any] = {"error": str(refusal)}
    if refusal.columns:
        content["columns"] = refusal.columns
    known = about or About()
    headers: tuple[tuple[str, str], ...] = ()
    if refusal.status == 401:
        headers = (("www-authenticate", 'Basic realm="clearwood", charset="UTF-8"'),)
    if refusal.allowed:
        headers = (("allow", refusal.allowed),)
    return Reply(
        refusal.status,
        msgspec.json.encode(content),
        headers=headers,
        about=About(known.model, known.version, known.rows, refusal.because),
    )


def as_json(content: Any, about: About | None = None, status: int = 200) -> Reply:
    """Plain values as a reply."""
    return Reply(status, msgspec.json.encode(content), about=about or About())
