"""Pictures of trees as text, for those who lay them out themselves; no program runs them."""
