"""Models in PMML 4: trees, rule sets, ensembles of trees, regression of classes and Naive Bayes."""
