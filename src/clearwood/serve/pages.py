"""Pages as they were made: a model's page changes when the model does.

What makes them is imported when the first is asked for: a server starts in half the time without.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from clearwood.serve.served import ServedModel

AT: Final = "<code>curl http://HOST:PORT"  # where a page has the address that its reader has reached it by
_ADDRESS: Final = re.compile(r"[A-Za-z0-9.\-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?")


class Pages:
    """Pages by name and version of their model."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, bool], bytes] = {}

    def form(self, served: ServedModel, all_served: Sequence[ServedModel], address: str = "") -> bytes:
        """The page of one model; `address` is the one that the reader has reached it by."""
        alone = len(all_served) == 1
        key = (served.name, served.version, alone)
        page = self._made.get(key)
        if page is None:
            from clearwood.report.page import page_of
            from clearwood.serve.model_page import page_of_model

            page = self._made[key] = page_of(page_of_model(served, alone=alone)).encode("utf-8")
        if not _ADDRESS.fullmatch(address):
            return page
        # A page is made once for all addresses. In data the mark cannot occur: it has its < escaped.
        return page.replace(AT.encode(), AT.replace("HOST:PORT", address).encode(), 1)

    def index(self, all_served: Sequence[ServedModel]) -> bytes:
        """The list of models, each with a link to its form."""
        from clearwood.report.page import page_of
        from clearwood.serve.model_page import page_of_list

        return page_of(page_of_list(all_served)).encode("utf-8")

    def forget(self, kept: Sequence[ServedModel]) -> None:
        """Drop the pages of models that no longer answer."""
        known = {(each.name, each.version) for each in kept}
        self._made = {key: page for key, page in self._made.items() if key[:2] in known}
