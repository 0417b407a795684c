"""What all tests share: a browser; and properties judged by their answers, not by how busy the machine is."""

from hypothesis import settings

from tests.browser import browser

__all__ = ["browser"]

settings.register_profile("clearwood", deadline=None)
settings.load_profile("clearwood")
