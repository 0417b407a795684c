"""What all tests share: a browser; Ctrl-C; properties judged by answers, not by how busy the machine is."""

import gc
import os
import signal

import pytest
from hypothesis import settings

from tests.browser import browser

__all__ = ["browser"]

# scikit-learn's checks leave one out unless scipy, which reads it when it is loaded, has been told so.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# Everyday runs try the same examples each time, so that a failure is due to the change; make search others.
settings.register_profile("clearwood", deadline=None, derandomize=True)
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("search", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("CLEARWOOD_PROFILE", "clearwood"))

# A shell leaves SIGINT ignored in what it starts in the background, and children inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


_APART = ("long", "prove")  # marks of tests that are run only when they are asked for


def pytest_addoption(parser: pytest.Parser) -> None:
    for name in _APART:
        parser.addoption(f"--{name}", action="store_true", help=f"run the tests marked {name}, and no others")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
    asked = {name for name in _APART if config.getoption(f"--{name}")}
    chosen: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        marked = {name for name in _APART if item.get_closest_marker(name) is not None}
        (chosen if marked & asked or not (marked or asked) else left_out).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = chosen


def pytest_collection_finish() -> None:
    """What all tests have in common stays to the end: garbage is not looked for in it after every test."""
    gc.collect()
    gc.freeze()
