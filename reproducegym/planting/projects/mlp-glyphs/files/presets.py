PRESETS = {
    "small": {"hidden": (24,), "copies": 1, "rounds": 14, "rows": 700},
    "large": {"hidden": (64, 32), "copies": 3, "rounds": 60, "rows": 1797},
}
