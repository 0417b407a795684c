"""Audit: what can be said of a rule list without looking at a single row."""

from clearwood.audit.auditing import audit
from clearwood.audit.findings import Audit, Dead, Gap, Impossible, Pair

__all__ = ["Audit", "Dead", "Gap", "Impossible", "Pair", "audit"]
