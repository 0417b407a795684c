"""How Bayes tables came about and how they answer: priors, likelihoods, products, posteriors."""
