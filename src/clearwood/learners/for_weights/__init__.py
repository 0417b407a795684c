"""What logistic regression is made of."""
