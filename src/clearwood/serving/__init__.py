"""Models behind HTTP: rows in, answers with their reasons out, on this machine unless told otherwise."""
