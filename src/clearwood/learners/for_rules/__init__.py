"""What the learners of rules share."""
