"""The host's score and the one that a rendered task prints are the same, to the byte, whatever was submitted."""

import random
import subprocess
from pathlib import Path

import pytest
from judge_program import answers_of_program
from made_paper import read_paper, spec

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.directories import write_tree
from reproducegym.pipeline.task import brief, render_task
from reproducegym.verifier.contract import Contract, load_contract
from reproducegym.verifier.score import score_artifact

SUBMISSIONS = 400
STARTED = 4


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    claim = spec()
    files = render_task(claim, brief(claim, read_paper(), "masked", 8.0), contract_of(claim), 8.0)
    place = tmp_path_factory.mktemp("task")
    write_tree(place, files)
    return place


def submission(number: int, contract: Contract) -> bytes:
    """Near the target or far from it, whole or damaged, in any order and spelling."""
    draw = random.Random(number)
    names = ["condition", "seed", *(column.name for column in contract.columns)]
    draw.shuffle(names)
    low, high = draw.choice(((90, 160), (95, 100), (-5, 5), (0, 1e6)))
    rows, apart = [], draw.uniform(45, 65)
    for condition in contract.conditions:
        for seed in range(1, contract.seeds + 1):
            cells = {"condition": condition.label, "seed": str(seed)}
            mean = 97.5 + apart * (condition is not contract.conditions[0])
            for column in contract.columns:
                value = draw.gauss(mean, 0.2) if number % 4 else draw.uniform(low, high)
                cells[column.name] = draw.choice((repr(value), f"{value:.2f}", f"{value:e}", f"{value:g}"))
            rows.append([cells[name] for name in names])
    draw.shuffle(rows)
    text = draw.choice(("\n", "\r\n")).join(",".join(row) for row in [names, *rows])
    data = bytearray(text.encode() + draw.choice((b"", b"\n")))
    for _ in range(draw.choice((0, 0, 0, 1, 3))):
        at = draw.randrange(len(data))
        data[at : at + draw.randrange(3)] = draw.choice((b"", b",", b"\n", b"9", b"nan", b"-", draw.randbytes(2)))
    return bytes(data)


def test_host_and_task_say_the_same_of_many_submissions(task: Path, tmp_path: Path):
    contract_file = task / "reward" / "contract.json"
    contract = load_contract(contract_file.read_bytes())
    files, wanted = [], []
    for number in range(SUBMISSIONS):
        data = submission(number, contract)
        (tmp_path / f"{number}.csv").write_bytes(data)
        files.append((str(contract_file), str(tmp_path / f"{number}.csv")))
        wanted.append(score_artifact(contract, data))
    assert answers_of_program(task / "reward" / "check.py", files) == [
        f"{one.to_json()}{one.reward}\n" for one in wanted
    ]
    assert len({one.reward for one in wanted}) > 20
    assert len({problem.partition(":")[0] for one in wanted for problem in one.problems}) > 4


@pytest.mark.parametrize("number", range(STARTED))
def test_reward_sh_prints_the_score_of_the_host(task: Path, number: int):
    contract = load_contract((task / "reward" / "contract.json").read_bytes())
    (task / "output").mkdir(exist_ok=True)
    (task / "output" / "metrics.csv").write_bytes(submission(number, contract))
    done = subprocess.run(["bash", str(task / "reward" / "reward.sh")], cwd="/", capture_output=True, check=True)
    assert done.stdout.decode() == f"{score_artifact(contract, submission(number, contract)).reward}\n"
    assert done.stderr == b""
