"""Proof: the target itself is run on rows that hurt, and what it answers is compared, row by row."""
