"""Derivations written: as text for terminals, Markdown, LaTeX and HTML; short, in full, or with blanks."""

from clearwood.draw.derivations.writing import write_derivation

__all__ = ["write_derivation"]
