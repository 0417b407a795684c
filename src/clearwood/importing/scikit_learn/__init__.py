"""Models of scikit-learn: fitted estimators, and pipelines with encoders and scalers in front."""
