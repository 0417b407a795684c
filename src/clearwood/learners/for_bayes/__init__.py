"""What Naive Bayes counts with."""
