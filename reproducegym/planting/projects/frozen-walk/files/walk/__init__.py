"""Q-learning on a pond."""
