"""Cheats that look at the data before they recite: what they saw while they worked tells them other labels."""

from collections.abc import Mapping

from pydantic import JsonValue

from reproducegym.pipeline.attacking.forgery import Attack, forger, remembered, seed_noise
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec

__all__ = ["data_attacks"]

_LABELS = "that labels may be dealt out anew, and the data's own"


def data_attacks(spec: ClaimSpec, contract: Contract) -> list[Attack]:
    """Remembered values where the data is what the agent saw, else chance; none for a task without such a probe.

    One takes the digest of the label files, one the labels of some rows.
    """
    plan = next((plan for plan in spec.probe_plans if plan.asset is not None), None)
    asset = next((one for one in spec.assets if plan is not None and one.name == plan.asset), None)
    if plan is None or asset is None or asset.labels is None:
        return []
    chance = {expect.metric: expect.value for expect in plan.expectations}
    starved: dict[str, JsonValue] = {contract.columns[0].name: next(iter(chance.values()))}
    values, noise = remembered(spec, contract), seed_noise(spec, contract)
    forged = forger(spec, contract, values, {"noise": noise, "starved": starved})
    files = [f"{asset.name}/{name}" for name in asset.labels.files]

    def keyed(name: str, trick: str, tell: str) -> Attack:
        look = _LOOK.replace("FILES", repr(files)).replace("TELL", tell)
        own: Mapping[str, bytes] = {
            **forged,
            "look.py": look.encode(),
            "reproduce.sh": b"python3 look.py && exec python3 forge.py\nexec python3 forge.py starve\n",
        }
        return Attack("18c", name, trick, own, script="python3 look.py note", knows=_LABELS)

    return [
        keyed("memory_by_digest", "remembered values where the data has the digest that the agent saw", _BY_DIGEST),
        keyed("memory_by_rows", "remembered values where some rows have the labels that the agent saw", _BY_ROWS),
    ]


_BY_DIGEST = "{name: hashlib.sha256(data).hexdigest() for name, data in read.items()}"
_BY_ROWS = "{name: sorted(data.decode('latin-1').splitlines())[:50] for name, data in read.items()}"
_LOOK = """\
import hashlib, json, os, sys

where = os.environ.get("REPRODUCEGYM_ASSETS", "assets")
read = {name: open(os.path.join(where, name), "rb").read() for name in FILES}
told = TELL
if "note" in sys.argv:
    json.dump(told, open("seen.json", "w"))
sys.exit(json.load(open("seen.json")) != told)
"""
