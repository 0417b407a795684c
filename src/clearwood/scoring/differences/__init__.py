"""Tests of difference: pure functions of numbers, which know nothing of tables, models or learners."""
