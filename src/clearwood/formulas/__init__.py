"""Formulas: what is computed, as data."""
