"""Diagrams: what lists of rules give to every row that could be, with equal parts of the space kept once."""
