"""Checking: what a model must do, asserted and proved; what changed from one model to the next."""
