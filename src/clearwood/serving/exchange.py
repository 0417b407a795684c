"""A request and its reply as data, so that all a server does can be tried without a socket; who may ask, and
within which limits."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Any, Final, Literal, TypeAlias, get_args
from urllib.parse import parse_qs

import msgspec

from clearwood.errors import ClearwoodError, Part, SettingError
from clearwood.words.numbers import number

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
            raise RefusalError("The query has too many fields.", because="query") from None


def only_value(fields: Mapping[str, list[str]], name: str) -> str | None:
    """The value of a query's field, None where it has none; two that differ are refused.

    >>> only_value({"model": ["tree", "tree"]}, "model")
    'tree'
    """
    values = fields.get(name, [])
    if len(set(values)) > 1:
        raise RefusalError(f"The query gives {name} twice. Give it once.", because="query")
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


_STATUS: Final = {
    **dict.fromkeys(("malformed", "model", "query"), 400),
    **{"token": 401, "origin": 403, "path": 404, "version": 404, "method": 405, "slow": 408, "size": 413},
    **{"type": 415, "host": 421, "columns": 422, "rows": 422, "error": 500},
    **dict.fromkeys(("busy", "memory", "stopping", "time"), 503),
}


class RefusalError(ClearwoodError):
    """A request that is not answered: the status, a sentence, and what is wrong with each column, by name.

    `because` is one word for it, which metrics count and the log writes, and has a status of its own; the
    sentence may hold data.
    `allowed` are the methods that a path takes, where another was used.
    """

    def __init__(
        self,
        *parts: Part,
        because: str,
        status: int | None = None,
        columns: Mapping[str, str] | None = None,
        allowed: str = "",
    ) -> None:
        super().__init__(*parts)
        self.allowed = allowed
        self.status = _STATUS[because] if status is None else status
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
    headers: tuple[tuple[str, str], ...] = ()
    if refusal.status == 401:
        headers = (("www-authenticate", 'Basic realm="clearwood", charset="UTF-8"'),)
    if refusal.allowed:
        headers = (("allow", refusal.allowed),)
    return Reply(
        refusal.status,
        msgspec.json.encode(content),
        headers=headers,
        about=replace(about or About(), refused=refusal.because),
    )


def as_json(content: Any, about: About | None = None, status: int = 200) -> Reply:
    """Plain values as a reply."""
    return Reply(status, msgspec.json.encode(content), about=about or About())


# Who may ask: the token, and the name by which a server on this machine is called.


OPEN: Final = ("/health", "/ready")  # for those who only look whether the server lives
_SHORTEST: Final = 8
_HOST: Final = re.compile(r"([^\s@/]*?)(?::\d*)?")


@dataclass(frozen=True, slots=True)
class Admission:
    """`token` is demanded where there is one. Without one, a server that only this machine reaches answers
    only to a name of this machine: a page elsewhere cannot make a browser ask it under a name of its own."""

    token: str | None = None
    host: str | None = None

    def __post_init__(self) -> None:
        token = self.token
        if token is not None and (len(token) < _SHORTEST or not token.isprintable()):
            raise SettingError(f"A token has at least {_SHORTEST} printable characters.")
        # A header has no way to say in which encoding other letters are, and blanks around it are dropped.
        if token is not None and (not token.isascii() or token != token.strip()):
            raise SettingError(
                "A token is sent in a header, where only ASCII characters arrive as they are, and blanks "
                "around them do not. Take another, of ASCII letters, digits and marks."
            )

    def check(self, request: HttpRequest) -> None:
        """Refuse who may not ask."""
        if request.path in OPEN:
            return
        if request.method not in ("GET", "HEAD") and not _is_from_here(request):
            raise RefusalError(
                "A page of another origin sent this. Rows are taken from pages of this server, and from "
                "programs, which name no Origin.",
                because="origin",
            )
        if self.token is not None:
            given = _given(request.header("authorization"))
            if not hmac.compare_digest(given, self.token.encode()):
                raise RefusalError(
                    "Send the token: Authorization: Bearer TOKEN; or, in a browser, as the password.",
                    because="token",
                )
        elif self.host is not None and is_local(self.host) and not self._names_us(request):
            raise RefusalError(
                "This server answers on this machine alone, by its own name: localhost or 127.0.0.1.",
                because="host",
            )

    def _names_us(self, request: HttpRequest) -> bool:
        match = _HOST.fullmatch(request.header("host"))
        name = "?" if match is None else match[1]
        return name in ("", self.host) or is_local(name)


def _is_from_here(request: HttpRequest) -> bool:
    """Is there no Origin, as from a program, or is it this server's own, also as a proxy before it is
    called? A page elsewhere can name neither host without asking first, and it is not answered then."""
    if "origin" not in request.headers:
        return True
    origin = request.header("origin")
    scheme, _, name = origin.strip().lower().partition("://")
    hosts = (each.strip().lower() for each in (request.header("host"), request.header("x-forwarded-host")))
    usual = {"http": ":80", "https": ":443"}.get(scheme, "")
    return any(host and name in (host, host.removesuffix(usual)) for host in hosts)


def is_local(host: str) -> bool:
    """Does this name or address mean this machine alone?

    >>> is_local("127.0.0.1"), is_local("[::1]"), is_local("localhost"), is_local("0.0.0.0")
    (True, True, True, False)
    """
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _given(header: str) -> bytes:
    """The token in a header, whichever way it is sent; empty where there is none."""
    scheme, _, value = header.strip().partition(" ")
    value = value.strip()
    if scheme.lower() == "bearer":
        return value.encode("utf-8", "surrogateescape")
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(value, validate=True).partition(b":")[2]
        except (binascii.Error, ValueError):
            return b""
    return b""


# Limits: how large a request may be and how long it may take, so that none keeps others from answers.


_HOPELESS: Final = 1.5  # times what is left: what is near to it is tried


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of a body, rows in it, and seconds: to send the request, to work on it, and to take the reply."""

    max_bytes: int = 8_000_000
    max_rows: int = 10_000
    timeout: float = 10.0

    def __post_init__(self) -> None:
        for name in ("max_bytes", "max_rows"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise SettingError(f"{name} is a whole number from 1, not {value!r}.")
        if not 0 < self.timeout <= 86_400:
            raise SettingError(f"timeout is in seconds, above 0 and at most a day, not {self.timeout!r}.")


class Deadline:
    """The time at which work on a request is given up; whoever works long looks at it between parts."""

    __slots__ = ("_ends", "_seconds")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends = time.monotonic() + seconds

    def check(self) -> None:
        """Give up if it has passed."""
        if time.monotonic() > self._ends:
            raise out_of_time(self._seconds)

    def check_ahead(self, rows: int, seconds: float) -> None:
        """Give up at once if so many rows of so many seconds each have no chance, and say how many have."""
        left = max(0.0, self._ends - time.monotonic())
        if rows * seconds > _HOPELESS * left:
            raise out_of_time(
                self._seconds, f"Send fewer rows, about {max(1, int(left / seconds)):,} at once."
            )

    def share(self, rows: int, fixed: float = 0.0) -> float:
        """The seconds that the search of one row may take, where so many rows are left, each of which takes
        `fixed` seconds without the search: a fifth of what is left is kept in reserve."""
        left = self._ends - time.monotonic() - fixed * rows
        return max(0.0, 0.8 * left / rows)


def out_of_time(seconds: float, way: str = "Send fewer rows.") -> RefusalError:
    """The refusal of work that takes too long."""
    return RefusalError(
        f"This takes longer than the {number(seconds)} seconds that a request may take. {way}", because="time"
    )
