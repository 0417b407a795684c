"""Walking: from boxes of rows to the parts in which models answer alike, without looking at a single row."""
