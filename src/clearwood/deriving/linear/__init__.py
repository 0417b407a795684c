"""How the weights of a linear model came about and how they answer: iterations, odds ratios, scores."""
