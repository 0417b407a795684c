"""Who may ask: the token, and the name by which a server on this machine is called."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import time
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from clearwood.errors import SettingError
from clearwood.serving.exchange import HttpRequest, RefusalError
from clearwood.words.numbers import number

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
                status=403,
                because="origin",
            )
        if self.token is not None:
            given = _given(request.header("authorization"))
            if not hmac.compare_digest(given, self.token.encode()):
                raise RefusalError(
                    "Send the token: Authorization: Bearer TOKEN; or, in a browser, as the password.",
                    status=401,
                    because="token",
                )
        elif self.host is not None and is_local(self.host) and not self._names_us(request):
            raise RefusalError(
                "This server answers on this machine alone, by its own name: localhost or 127.0.0.1.",
                status=421,
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
        f"This takes longer than the {number(seconds)} seconds that a request may take. {way}",
        status=503,
        because="time",
    )
