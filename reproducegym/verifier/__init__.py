"""The judge: turns what a re-run wrote into a reward; standard library only, because it travels inside every task."""
