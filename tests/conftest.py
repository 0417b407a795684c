"""What all tests share: properties are judged by their answers, never by how busy the machine is."""

from hypothesis import settings

settings.register_profile("clearwood", deadline=None)
settings.load_profile("clearwood")
