"""How a learner behaves when its rows are fewer, noisy or drawn anew: curves, bias, variance, stability."""
