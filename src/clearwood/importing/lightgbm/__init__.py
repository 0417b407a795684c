"""Models of LightGBM: boosters, their text and their JSON dump."""
