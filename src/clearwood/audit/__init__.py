"""Audit: what can be said of a rule list, or of curves, without looking at a single row."""

from clearwood.audit.auditing import audit
from clearwood.audit.curves import CurvesAudit, audit_curves
from clearwood.audit.findings import Audit, Dead, Gap, Impossible, Pair

__all__ = ["Audit", "CurvesAudit", "Dead", "Gap", "Impossible", "Pair", "audit", "audit_curves"]
