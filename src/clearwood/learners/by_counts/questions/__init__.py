"""Ways to split: one branch per value, a cut, two groups of values, groups merged by test."""
