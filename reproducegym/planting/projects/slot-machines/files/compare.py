import argparse
import json
import logging
import os

import numpy as np

from arms import REGISTRY, Machine

log = logging.getLogger("compare")


def play(name, plan, seeds):
    machine_rng, policy_rng = (np.random.default_rng(s) for s in seeds)
    machine = Machine(plan["means"], machine_rng)
    chooser = REGISTRY[name](len(plan["means"]), policy_rng)
    for t in range(plan["pulls"]):
        arm = chooser.choose(t)
        chooser.learn(arm, machine.pull(arm))
    return machine.regret, chooser.value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plan", required=True)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--out", default="out")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    log.info("process %d", os.getpid())

    with open(args.plan) as handle:
        plan = json.load(handle)
    unknown = set(plan["policies"]) - set(REGISTRY)
    if unknown:
        parser.error("unknown policies: %s" % ", ".join(sorted(unknown)))
    seed = args.seed if args.seed is not None else plan["seed"]

    regrets, values = {}, {}
    for number, name in enumerate(plan["policies"]):
        runs = [play(name, plan, np.random.SeedSequence([seed, number, r]).spawn(2)) for r in range(plan["runs"])]
        regrets[name] = float(np.mean([r for r, _ in runs]))
        values[name] = np.mean([v for _, v in runs], axis=0).tolist()
        log.info("%-10s %7.2f", name, regrets[name])

    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "values.json"), "w") as handle:
        json.dump(values, handle, indent=1)
    with open(os.path.join(args.out, "metrics.json"), "w") as handle:
        json.dump({"regret": regrets, "best_regret": min(regrets.values()), "seed": seed}, handle, indent=1)


if __name__ == "__main__":
    main()
