"""Kinds of model: one folder for each, with what it is, its file, its program, its space and its account."""
