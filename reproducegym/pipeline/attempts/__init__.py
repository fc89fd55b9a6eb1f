"""Many attempts: which are missing, how one is made until it counts, and what they will take."""
