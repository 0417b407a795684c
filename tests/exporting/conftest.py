"""Servers that take seconds to start are left to `make prove`."""

from __future__ import annotations

import pytest

from clearwood.exporting.running import databases, servers


@pytest.fixture(autouse=True)
def no_slow_servers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.node.get_closest_marker("prove") is None:
        monkeypatch.setattr(servers, "mariadb_is_here", lambda: False)
        monkeypatch.setattr(databases, "spark_is_here", lambda: False)
