"""Study: a recipe and how it is judged."""
