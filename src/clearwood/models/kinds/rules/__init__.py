"""Rule lists: IF–THEN rules in order or by votes."""
