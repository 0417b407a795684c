"""Checking: what a model must do, asserted and proved; what changed from one model to the next."""

from clearwood.checking.checking_a_model import check_model as check

__all__ = ["check"]
