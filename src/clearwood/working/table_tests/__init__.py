"""Tests of tables, as figures: do the rows of a table differ by more than chance explains?"""
