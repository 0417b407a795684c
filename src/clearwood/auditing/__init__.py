"""Audit: what can be said of a rule list, or of curves, without looking at a single row."""

from clearwood.auditing.auditing import audit
from clearwood.auditing.curves import CurvesAudit, audit_curves
from clearwood.auditing.findings import Audit, Dead, Gap, Impossible, Pair

__all__ = ["Audit", "CurvesAudit", "Dead", "Gap", "Impossible", "Pair", "audit", "audit_curves"]
