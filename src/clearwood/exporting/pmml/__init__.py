"""PMML 4.4: a model as XML, in elements of its own kind where they say the same, else as derived fields."""
