"""Distilling: a tree or rules that answer as another model does."""
