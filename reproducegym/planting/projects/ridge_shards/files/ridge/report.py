"""What a run says about its inputs."""

import os
from pathlib import Path


def count_shards(folder: Path) -> int:
    return len([name for name in os.listdir(folder) if name.endswith(".csv")])
