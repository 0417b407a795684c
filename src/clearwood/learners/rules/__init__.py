"""Rules: learners of rule lists, each beside its definition; rules read from trees, simplified by tests."""
