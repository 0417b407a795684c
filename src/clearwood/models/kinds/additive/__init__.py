"""Additive models: a curve for each column, added up."""
