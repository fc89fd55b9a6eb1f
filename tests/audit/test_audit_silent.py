"""Kinds of findings that were wrong on real projects: nothing is said now, and of a true defect beside it still is."""

import pytest

from ml_audit import Repository, findings

LOOP = """import torch

model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""
CORRIDOR = """import random

class Space:
    def __init__(self):
        self.rng = random.Random()

    def seed(self, seed):
        self.rng.seed(seed)

space = Space()
{}
"""
GUARDED = """import numpy as np

class Corridor:
    def __init__(self):
        self.rng = np.random.default_rng({})

    def reset(self, seed=None):
        if seed is not None:
            self.rng = np.random.default_rng(seed)

Corridor().reset(seed=14)
"""
SCANDIR = """import os

def stacked(folder):
    with os.scandir(folder) as entries:
        return {}(e.name for e in entries if e.name.endswith(".tsv"))
"""
IMAGES = """import os

def shrink(image_dir):
    images = os.listdir(image_dir)
    {}
"""
TABLE = """import tomllib
from pathlib import Path

from sklearn.ensemble import IsolationForest

told = tomllib.loads(Path("settings.toml").read_text())
forest = IsolationForest({})
print(told["rows"])
"""
FOREST = """rows = 3

[forest]
n_estimators = 10
random_state = 3
"""
FLAG = """import argparse

parser = argparse.ArgumentParser()
parser.add_argument("command", choices=[{}])
parser.parse_args()
"""
POOL = """from multiprocessing import Pool

def run(pool: Pool, rows, out):
    for i, row in pool.imap_unordered(f, rows):
        {}
"""
RESUMED = (
    LOOP
    + """parser.add_argument("--resume")
for x in rows:
    model(x).backward()
    optimizer.step()
torch.save({}, "m.pt")
"""
)
EVALUATES = """import torch
from torch.autograd import Variable

model = torch.nn.Linear(2, 1)
model.eval()
x = Variable(rows{})
"""
WORKERS = """from torch.utils.data import DataLoader, {0}

DataLoader(rows, sampler={0}(rows), num_workers=4)
"""
CLOCKED = """import numpy as np
import torch

np.random.seed({})
torch.manual_seed(np.random.randint(1, 10000))
torch.nn.Linear(2, 1)
"""
ATARI = """import atari_py

env = atari_py.ALEInterface()
{}
env.reset()
"""
FOLLOWS = (
    LOOP
    + """average = torch.nn.Linear(2, 1)
for x in rows:
    model(x).backward()
    optimizer.step()
    {}.eval()
"""
)
FAST = """import tensorflow as tf
import torch

hparams = tf.contrib.training.HParams(fast={})
torch.backends.cudnn.benchmark = hparams.fast
"""
BRIEFLY = """import argparse
import numpy as np

args = argparse.ArgumentParser()
args.add_argument("--split", default="")
told = args.parse_args()
if told.split:
    state = np.random.get_state()
    np.random.seed(3)
    np.random.shuffle(rows)
    {}
"""
CARD = """import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("--{0}", action="store_true")
args = p.parse_args()
if args.{0}:
    torch.cuda.manual_seed(3)
torch.nn.Linear(2, 1)
"""
SPLIT = """class {}:
    def __getitem__(self, name):
        return hash(f'{{self.root}}/{{name}}')
"""
VERBOSE = (
    LOOP
    + """for x in rows:
    loss = model(x)
    if len(rows) > 3:
        optimizer.step()
    {}
"""
)
EACH = """from torch.utils.data.distributed import DistributedSampler

sampler = DistributedSampler({})
"""

DRAWN_INSTEAD = """import argparse
import random
import torch

p = argparse.ArgumentParser()
p.add_argument("--seed", type=int)
args = p.parse_args()
if args.seed is None:
    args.seed = random.randint(1, 99)
torch.manual_seed(args.seed)
"""

RANKS = """import torch

def write(path):
    torch.save(model, path)

def snapshot(room):
    write(room)

torch.distributed.init_process_group("nccl")
if {}:
    snapshot("out")
"""
TWICE = """import numpy as np

{}

def rays(pytest=False):
    if pytest:
        np.random.seed(0)
    return np.random.rand(3)

rays()
"""
INIT = """import multiprocessing
import random

import torch

def scaled(layer):
    layer.gain = random.random()

pool = {}(net)
pool.apply(scaled)
"""
ISLANDS = """import multiprocessing
import random

def evolve(rows):
    return random.{}.random()

pools = [multiprocessing.Pool(1) for _ in range(2)]
for pool, one in zip(pools, rows):
    pool.apply_async(evolve, one)
"""
LATER = """import torch
from torch.utils.data import DataLoader

{}
loader = DataLoader(rows, shuffle=True, generator=torch.Generator().manual_seed(4))
model = torch.nn.Embedding(3, 2)
{}
"""
EITHER = """from torch.utils.data import DataLoader, RandomSampler, SequentialSampler

if many:
    sampler = DistributedSampler(rows, shuffle=False)
else:
    sampler = {}
DataLoader(rows, sampler=sampler, num_workers=4)
"""
MEASURED = (
    LOOP
    + """average = torch.nn.Linear(2, 1)

def measure(net, rows):
    net.eval()
    return net(rows)

for x in rows:
    model(x).backward()
    optimizer.step()
    measure({}, x)
"""
)
TIMED = """import torch

class Net:
    def __init__(self):
        self.net = torch.nn.Linear(2, 1)
        self.net.load_state_dict(torch.load("w"))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def validate(self):
        return self.net(rows)

    def timing(self):
        return self.net(torch.rand(3, 2))

    def learn(self):
        self.optimizer.step()

net = Net()
net.{}
"""
LOADED = "import torch\n\nmodel = torch.nn.Linear(2, 1)\n{}\nprint(model(rows))\n"

KINDS = [
    ("generator-unseeded", GUARDED.format("0"), GUARDED.format("")),
    ("generator-unseeded", CORRIDOR.format("space.seed(3)"), CORRIDOR.format("space.draw()")),
    (
        "generator-unseeded",
        "import numpy as np\n\nrng = np.random.Generator(np.random.Philox(key=[1, 2]))\n",
        "import numpy as np\n\nrng = np.random.Generator(np.random.SFC64())\n",
    ),
    ("unsorted-listing", SCANDIR.format("sorted"), SCANDIR.format("list")),
    ("unsorted-listing", IMAGES.format("print(len(images))"), IMAGES.format("return images")),
    (
        "unsorted-listing",
        IMAGES.format("for i, image in enumerate(images):\n        print(i)\n        shrunk(image)"),
        IMAGES.format("for i, image in enumerate(images):\n        shrunk(image, i)"),
    ),
    ("setting-unread", TABLE.format('**told["forest"]'), TABLE.format("random_state=3")),
    ("setting-unread", FLAG.format('"replay"'), FLAG.format('"replay", "train"')),
    ("results-as-they-finish", POOL.format("out.put(i, row)"), POOL.format("out.append(row)")),
    ("checkpoint-drops-optimizer", RESUMED.format("[model, optimizer]"), RESUMED.format("model")),
    ("gradients-in-evaluation", EVALUATES.format(", volatile=True"), EVALUATES.format("")),
    ("loader-workers-unseeded", WORKERS.format("SequentialSampler"), WORKERS.format("RandomSampler")),
    ("seed-from-clock", CLOCKED.format("3"), CLOCKED.format("")),
    ("environment-seed-missing", ATARI.format('env.setInt("random_seed", 3)'), ATARI.format("")),
    ("training-mode-not-restored", FOLLOWS.format("average"), FOLLOWS.format("model")),
    ("cudnn-benchmark-on", FAST.format("False"), FAST.format("True")),
    (
        "tensorflow-seed-missing",
        FAST.format("False"),
        "import tensorflow as tf\n\ntf.contrib.layers.fully_connected(x, 2)\n",
    ),
    ("seed-off-by-default", BRIEFLY.format("np.random.set_state(state)"), BRIEFLY.format("pass")),
    ("seed-off-by-default", CARD.format("cuda"), CARD.format("fixed")),
    ("hash-of-text", SPLIT.format("Names"), SPLIT.format("Seeds")),
    (
        "item-in-training-loop",
        VERBOSE.format("if args.loud:\n        print(loss.item())"),
        VERBOSE.format("print(loss.item())"),
    ),
    ("sampler-epoch-unset", EACH.format("valset"), EACH.format("trainset")),
    (
        "action-space-seed-missing",
        "import gym\n\nenv = gym.make('x')\nshape = env.action_space.sample().shape\n",
        "import gym\n\nenv = gym.make('x')\naction = env.action_space.sample()\n",
    ),
    (
        "model-revision-missing",
        "import torchvision\n\nnet = torchvision.models.resnet18()\nnet(True)\n",
        "import torchvision\n\nnet = torchvision.models.resnet18(True)\n",
    ),
    (
        "torch-seed-missing",
        "import torchvision\n\nnet = torchvision.models.vgg19(pretrained=True).features\n",
        "import torchvision\n\nnet = torchvision.models.vgg19()\n",
    ),
    ("absolute-path", 'if os.getcwd() == "/data/rows":\n    run()\n', 'os.chdir("/data/rows")\n'),
    ("seed-off-by-default", TWICE.format("np.random.seed(0)"), TWICE.format("pass")),
    ("pool-workers-unseeded", INIT.format("torch.nn.DataParallel"), INIT.format("multiprocessing.Pool")),
    ("pool-workers-unseeded", ISLANDS.format("Random(3)"), ISLANDS.replace(".{}", "").format()),
    ("seed-after-model", LATER.format("torch.manual_seed(3)", ""), LATER.format("", "torch.manual_seed(3)")),
    ("absolute-path", 'load(room + "/data/rows.csv")\n', 'load(room / "/data/rows.csv")\n'),
    ("model-revision-missing", LOOP + "torch.nn.Embedding.from_pretrained(table)\n", "fetch.cached_download(url)\n"),
    ("model-revision-missing", 'fetch.cached_download(url, md5="0f")\n', "fetch.cached_download(url)\n"),
    ("every-rank-writes", RANKS.format("engine.rank == 0"), RANKS.format("engine.ready")),
    ("loader-workers-unseeded", EITHER.format("SequentialSampler(rows)"), EITHER.format("RandomSampler(rows)")),
    ("training-mode-not-restored", MEASURED.format("average"), MEASURED.format("model")),
    ("torch-seed-missing", LOADED.format('model.load_weights("w")'), LOADED.format("print(model)")),
    ("torch-seed-missing", TIMED.format("validate()"), TIMED.format("timing()")),
    ("checkpoint-drops-optimizer", RESUMED.format("(plot, curve)"), RESUMED.format("(plot, model)")),
    (
        "tensorflow-seed-missing",
        "import tensorflow as tf\n\ntf.keras.initializers.Constant(0.0)\n",
        "import tensorflow as tf\n\ntf.keras.initializers.GlorotUniform()\n",
    ),
    (
        "python-seed-missing",
        "import argparse\nimport random\n\np = argparse.ArgumentParser()\np.add_argument('--seed', default=0)\n"
        "args = p.parse_args()\nif args.seed is None:\n    args.seed = random.randint(1, 99)\nrun(args.seed)\n",
        "import random\n\nprint(random.randint(1, 99))\n",
    ),
]


@pytest.mark.parametrize(("rule", "fine", "faulty"), KINDS)
def test_what_is_fine_is_passed_over_and_what_is_not_is_told(rule: str, fine: str, faulty: str):
    assert told(rule, fine) == 0
    assert told(rule, faulty) == 1


def test_a_seed_that_is_drawn_where_none_was_given_differs_between_runs():
    assert (told("seed-from-clock", DRAWN_INSTEAD), told("seed-off-by-default", DRAWN_INSTEAD)) == (1, 0)


def test_runs_that_a_paper_is_said_to_have_made_are_not_asked_of_the_code():
    head = "# Net\n\n| model | error{} |\n| --- | --- |\n| a | 3.65 (average of 10 runs) |\n"
    for heading, found in ((" (in paper)", 0), ("", 1)):
        files = {"README.md": head.format(heading).encode(), "train.py": LOOP.encode()}
        made = findings(Repository("made", files))
        assert len([f for f in made if f.rule == "repetitions-unbacked"]) == found


def told(rule: str, code: str) -> int:
    """In how many files a rule finds something, in a repository of one program and the settings that it loads."""
    files = {"train.py": code.encode(), "settings.toml": FOREST.encode()}
    return len({f.file for f in findings(Repository("made", files)) if f.rule == rule})
