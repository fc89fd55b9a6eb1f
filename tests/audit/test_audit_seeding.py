"""Seeded on every path, on some, off by default, too late, in tests only, elsewhere, by a framework."""

import pytest
from repositories import asked, report_on, rules_found

LOOP = """
def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.zeros(1, 2)).sum().backward()
    optimizer.step()


"""
MAIN = "if __name__ == '__main__':\n"


def program(seeding: str, head: str = "") -> str:
    return f"import torch\n{head}\n{LOOP}{MAIN}    {seeding}\n    train(torch.nn.Linear(2, 2))\n"


def test_seeded_on_every_path():
    assert asked({"train.py": program("torch.manual_seed(0)")})["seed_torch"] == "yes"


def test_seeded_on_some_paths_only():
    files = {"train.py": program("torch.manual_seed(0)"), "finetune.py": program("pass")}
    assert asked(files)["seed_torch"] == "partial"
    found = [f for f in report_on(files).findings if f.rule == "seed-on-some-paths"]
    assert [f.file for f in found] == ["finetune.py"]


@pytest.mark.parametrize(
    ("flag", "guard", "value"),
    [
        ("default=None", "if args.seed is not None:\n        ", "partial"),
        ("default=0", "if args.seed:\n        ", "partial"),
        ("default=-1", "if args.seed >= 0:\n        ", "partial"),
        ("default=-1", "if args.seed > -1:\n        ", "partial"),
        ("default=0", "if args.seed != 0:\n        ", "partial"),
        ("default=7", "if args.seed is not None:\n        ", "yes"),
        ("default=7", "", "yes"),
        ("required=True", "", "yes"),
    ],
)
def test_defaults_of_flags_decide_conditions(flag: str, guard: str, value: str):
    head = "import argparse\nparser = argparse.ArgumentParser()\n"
    head += f"parser.add_argument('--seed', type=int, {flag})\nargs = parser.parse_args()\n"
    assert asked({"train.py": program(f"{guard}torch.manual_seed(args.seed)", head)})["seed_torch"] == value


@pytest.mark.parametrize(("setting", "value"), [("SEED: -1", "partial"), ("SEED: null", "partial"), ("SEED: 3", "yes")])
def test_settings_files_decide_conditions(setting: str, value: str):
    head = "from settings import cfg\n"
    code = "if cfg.SEED is not None and cfg.SEED >= 0:\n        torch.manual_seed(cfg.SEED)"
    files = {"train.py": program(code, head), "configs/base.yaml": f"MODEL:\n  DIM: 4\n{setting}\n"}
    assert asked(files)["seed_torch"] == value


def test_a_dataclass_with_a_default_is_read():
    head = "from dataclasses import dataclass\nimport tyro\n\n@dataclass\nclass Args:\n    seed: int = 1\n"
    code = "args = tyro.cli(Args)\n    torch.manual_seed(args.seed)"
    assert asked({"train.py": program(code, head)})["seed_torch"] == "yes"


def test_seeded_after_the_model_is_made():
    text = f"import torch\n{LOOP}{MAIN}    model = torch.nn.Linear(2, 2)\n    torch.manual_seed(0)\n    train(model)\n"
    assert "seed-after-model" in rules_found({"train.py": text})
    assert "seed-after-model" not in rules_found({"train.py": program("torch.manual_seed(0)")})


def test_seeded_after_adapters_are_made_in_another_function():
    text = """
import torch
from peft import get_peft_model
from transformers import AutoModelForCausalLM, Trainer, set_seed


def build(args):
    return get_peft_model(AutoModelForCausalLM.from_pretrained(args.name), args.lora)


def train(args):
    model = build(args)
    set_seed(args.seed)
    Trainer(model=model).train()


if __name__ == "__main__":
    train(None)
"""
    assert "seed-after-model" in rules_found({"train.py": text})


def test_seeded_only_in_a_test():
    files = {
        "train.py": program("pass"),
        "tests/test_train.py": "import torch\n\n\ndef test_it():\n    torch.manual_seed(0)\n    assert torch.rand(1)\n",
    }
    assert asked(files)["seed_torch"] == "no"
    assert "torch-seed-missing" in rules_found(files)


def test_seeded_by_a_helper_of_another_file():
    files = {
        "train.py": program("set_seed(3)", "from lib.seeding import set_seed"),
        "lib/__init__.py": "",
        "lib/seeding.py": "import torch\n\n\ndef set_seed(seed):\n    torch.manual_seed(seed)\n",
    }
    assert asked(files)["seed_torch"] == "yes"
    assert report_on(files).signals["seed_torch"].evidence[0].file == "lib/seeding.py"


def test_a_helper_that_nobody_calls_seeds_nothing():
    files = {
        "train.py": program("pass"),
        "seeding.py": "import torch\n\n\ndef set_seed(s):\n    torch.manual_seed(s)\n",
    }
    assert asked(files)["seed_torch"] == "no"


@pytest.mark.parametrize(
    "line",
    [
        "import pytorch_lightning as pl\npl.seed_everything(1)",
        "from lightning.pytorch import seed_everything\nseed_everything(1)",
        "from transformers import set_seed\nset_seed(1)",
        "from accelerate.utils import set_seed\nset_seed(1)",
    ],
)
def test_frameworks_seed_all_generators(line: str):
    text = f"import torch\nimport random\nimport numpy as np\n{line}\n"
    files = {"train.py": text + "random.random()\nnp.random.rand()\ntorch.rand(1)\n"}
    found = asked(files)
    assert [found[f"seed_{g}"] for g in ("python", "numpy", "torch", "cuda")] == ["yes"] * 4


def test_a_generator_that_nobody_draws_from_is_not_asked_for():
    found = asked({"train.py": "import random\nimport numpy as np\n\nprint(np.zeros(3))\n"})
    assert (found["seed_python"], found["seed_numpy"], found["seed_torch"]) == ("na", "na", "na")


def test_the_random_of_jax_is_not_the_random_of_python():
    text = "from jax import random\n\nkey = random.PRNGKey(0)\nprint(random.normal(key, (2,)))\n"
    found = asked({"train.py": text})
    assert (found["seed_python"], found["seed_jax"]) == ("na", "yes")


def test_a_seed_from_the_clock_is_not_fixed():
    files = {
        "train.py": "import time\nimport numpy as np\n\nnp.random.seed(int(time.time()))\nprint(np.random.rand())\n"
    }
    assert asked(files)["seed_numpy"] == "partial"
    assert "seed-from-clock" in rules_found(files)


def test_environments_seed_themselves_and_their_actions():
    text = "import gymnasium as gym\n\nenv = gym.make('a')\nenv.reset(seed=1)\nenv.action_space.sample()\n"
    assert asked({"run.py": text})["seed_env"] == "yes"
    assert "action-space-seed-missing" in rules_found({"run.py": text})
    assert asked({"run.py": text.replace("seed=1", "")})["seed_env"] == "no"


def test_jax_keys_in_branches_and_loops_are_not_reused():
    good = """
import jax


def draw(key, flag):
    if flag:
        return jax.random.normal(key, (2,))
    else:
        return jax.random.uniform(key, (2,))


def many(key):
    for _ in range(3):
        key, one = jax.random.split(key)
        print(jax.random.normal(one, (2,)))
"""
    assert "jax-key-reused" not in rules_found({"a.py": good})
    bad = "import jax\n\n\ndef f(key):\n    one, two = jax.random.split(key)\n"
    bad += "    return jax.random.normal(key, (2,)), one, two\n"
    assert "jax-key-reused" in rules_found({"a.py": bad})


def test_what_settings_name_is_run_by_who_instantiates_it():
    files = {
        "train.py": "import hydra\n\n\ndef main(cfg):\n    hydra.utils.instantiate(cfg.agent)\n\n\nmain(0)\n",
        "agent.py": "import torch\n\n\nclass Agent:\n    def __init__(self):\n        torch.nn.Linear(1, 1)\n",
        "config.yaml": "agent:\n  _target_: agent.Agent\n",
    }
    found = [f for f in report_on(files).findings if f.rule == "torch-seed-missing"]
    assert [f.message.endswith("started from train.py") for f in found] == [True]


def test_a_generator_of_its_own_is_not_the_global_one():
    code = "torch.utils.data.random_split([1], [1], generator=torch.Generator().manual_seed(4))"
    files = {"train.py": program(code)}
    assert asked(files)["seed_torch"] == "partial"
    assert "seed-on-some-paths" in rules_found(files)
