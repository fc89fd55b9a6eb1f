"""Papers made by the thousand, and a sandbox in this process in which work on them runs: for trials of scale."""
