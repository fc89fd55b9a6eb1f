"""The forest is better than chance, and its importances add up to one."""

import json
import sys

importances = json.load(open("out/importances.json"))
if len(importances) != 8 or abs(sum(importances) - 1) > 1e-6:
    sys.exit("eight importances that add up to one were expected")
if not 0.6 < json.load(open("out/scores.json"))["accuracy"] <= 1:
    sys.exit("no better than chance")
