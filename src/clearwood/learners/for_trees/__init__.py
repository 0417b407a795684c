"""What the learners of trees share."""
