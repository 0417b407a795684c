"""Proof: the target itself is run on adversarial rows, and what it answers is compared, row by row."""
