"""Scoring: truth and answers in, numbers out."""
