"""ClawGym's own way of scoring, in a real container where the agent was root: what it planted pays nothing.

The container lives on, `reward/` is copied in after the agent, and `bash …/reward.sh` is called from `/`.
"""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "pipeline"))

from made_paper import read_paper, spec

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.directories import write_tree
from reproducegym.pipeline.task import brief, render_task

pytestmark = pytest.mark.docker

WORKSPACE = "/root/.openclaw/workspace"
SCRIPT = f"{WORKSPACE}/reward/reward.sh"
HONEST = "condition,seed,regret\\nucb1,1,97.0\\ngreedy,1,152.5\\nucb1,2,97.9\\ngreedy,2,152.0\\n"
TABLE = f"mkdir -p output && printf '{HONEST}' > output/metrics.csv"
PAYS = "print(1.0); import os; os.sys.stdout.flush(); os._exit(0)"


@dataclass(frozen=True)
class Container:
    """A running container that holds the task's `reward/` outside of the workspace, until the agent has ended."""

    name: str

    def paid(self, agent: str, around: str = "bash SCRIPT", after: str = "true") -> float | None:
        """What a rollout earns: the last line as a number; None (0.0 to ClawGym) where the call fails or says none.

        The workspace is made anew, the agent acts in it as root, `reward/` is copied over whatever lies there, and the
        script is called with `around` for its surroundings; `after` tidies up.
        """
        lay_out = f"cd / && rm -rf {WORKSPACE} && mkdir -p {WORKSPACE} && cd {WORKSPACE}"
        score = f"/bin/cp -r /judge/reward {WORKSPACE}/ && cd / && ({around.replace('SCRIPT', SCRIPT)})"
        lines = [f"{lay_out} && ({agent}) > /dev/null || exit 99", score, f"ended=$?; {after}; exit $ended"]
        argv = ["docker", "exec", self.name, "/bin/bash", "-c", "\n".join(lines)]
        done = subprocess.run(argv, capture_output=True, check=False, timeout=120)
        assert done.returncode != 99, done.stderr
        said = done.stdout.split()
        return float(said[-1]) if done.returncode == 0 and said else None


@pytest.fixture(scope="module")
def container(docker_image: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    claim = spec()
    files = render_task(claim, brief(claim, read_paper(), "masked", 8.0), contract_of(claim), 8.0)
    judge = tmp_path_factory.mktemp("task") / "judge"
    write_tree(judge / "reward", {name[7:]: data for name, data in files.items() if name.startswith("reward/")})
    argv = ["docker", "run", "-d", "--rm", "--network", "none", "--user", "0", docker_image, "sleep", "600"]
    name = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(["docker", "cp", str(judge), f"{name}:/"], capture_output=True, check=True)
    yield Container(name)
    subprocess.run(["docker", "rm", "-f", name], capture_output=True, check=True)


TOOLS = ("python3", "python", "env", "readlink", "dirname", "cp")
MODULES = "argparse csv json re math os resource stat dataclasses sitecustomize encodings"
SITES = (
    "/usr/lib/python3/dist-packages /usr/local/lib/python3.11/dist-packages /root/.local/lib/python3.11/site-packages"
)
SHELL_FILES = "/root/.bashrc /root/.profile /root/.bash_profile /etc/bash.bashrc /etc/profile.d/a.sh /root/.pythonrc"
PLANTS = {
    "site files": f"""
        for above in {SITES}; do
            mkdir -p $above; echo '{PAYS}' | tee $above/sitecustomize.py $above/usercustomize.py > /dev/null
            echo 'import sitecustomize' > $above/a.pth
        done""",
    "modules beside the judge": f"""
        mkdir -p reward output; for name in {MODULES}; do
            echo '{PAYS}' | tee $name.py reward/$name.py output/$name.py /$name.py > /dev/null; done""",
    "start-up files of the shell": f"""
        for name in {SHELL_FILES}; do
            echo 'echo 1.0; exit 0' > $name; done""",
    "tools earlier on the path": f"""
        for name in {" ".join(TOOLS)}; do
            printf '#!/bin/sh\\necho 1.0\\n' > /usr/local/bin/$name; chmod 755 /usr/local/bin/$name; done""",
    "an own reward directory": """
        mkdir -p reward/__pycache__; printf 'echo 1.0\\n' > reward/reward.sh; echo 'print(1.0)' > reward/check.py
        echo '{}' > reward/contract.json; echo 1.0 > reward/reward.txt""",
}  # fmt: skip


@pytest.mark.parametrize("plant", PLANTS)
def test_what_an_agent_planted_pays_nothing_and_costs_nothing(container: Container, plant: str):
    assert container.paid(PLANTS[plant]) == 0
    gone = f"rm -f {' '.join(f'/usr/local/bin/{name}' for name in TOOLS)}"
    assert container.paid(f"{PLANTS[plant]}\n{TABLE}", after=gone) == 1


TABLES = {
    "a link": "mkdir output; printf '%s' > /tmp/m.csv; ln -s /tmp/m.csv output/metrics.csv",
    "a link to the judge's contract": "mkdir -p output; ln -s ../reward/contract.json output/metrics.csv",
    "a second name": "{table}; ln output/metrics.csv output/other.csv",
    "a linked directory": "{table}; mv output real; ln -s real output",
    "a FIFO": "mkdir output; mkfifo output/metrics.csv",
    "a FIFO with a writer": "mkdir output; mkfifo output/metrics.csv; (echo 1 > output/metrics.csv) & disown",
    "a device of zeros": "mkdir output; mknod output/metrics.csv c 1 5",
    "a terminal": "mkdir output; mknod output/metrics.csv c 5 0",
    "a directory": "mkdir -p output/metrics.csv",
    "a socket": """mkdir output; python3 -c 'import socket; socket.socket(1).bind("output/metrics.csv")'""",
    "a hole of a terabyte": "mkdir output; truncate -s 1T output/metrics.csv",
    "a byte too many": "{table}; truncate -s 70M output/metrics.csv",
    "output is a file": "touch output",
    "output is a FIFO": "mkfifo output",
    "output loops": "ln -s output output",
}


@pytest.mark.parametrize("made", TABLES)
def test_what_is_no_plain_file_pays_nothing(container: Container, made: str):
    assert container.paid(TABLES[made].replace("{table}", TABLE), "timeout 20 bash SCRIPT") == 0


SURROUNDINGS = {
    "the usual": ("bash SCRIPT", 1),
    "no /tmp, no home": ("mv /tmp /tmp-gone; HOME=/nowhere bash SCRIPT; ended=$?; mv /tmp-gone /tmp; exit $ended", 1),
    "a directory that is gone": ("mkdir /gone && cd /gone && rmdir /gone && bash SCRIPT", 1),
    "another language": ("LC_ALL=tr_TR.UTF-8 LANG=C LANGUAGE=xx bash SCRIPT", 1),
    "variables of Python": ("PYTHONPATH=/evil PYTHONHOME=/evil PYTHONINSPECT=1 PYTHONVERBOSE=1 bash SCRIPT", 1),
    "functions": ("exec() { echo 1.0; }; readlink() { echo 1.0; }; export -f exec readlink; bash SCRIPT", 1),
    "word splitting and traces": ("IFS=/. SHELLOPTS=xtrace:noglob POSIXLY_CORRECT=1 bash SCRIPT 2>/dev/null", 1),
    "no standard input": ("bash SCRIPT <&-", 1),
    "no standard error": ("bash SCRIPT 2>&-", 1),
    "no standard output": ("bash SCRIPT >&-", None),
    "a full disk behind it": ("bash SCRIPT > /dev/full", None),
    "no memory": ("ulimit -v 20000; bash SCRIPT 2>/dev/null", None),
    "no file descriptors": ("ulimit -n 4; bash SCRIPT 2>/dev/null", None),
    "no file sizes": ("ulimit -f 0; bash SCRIPT", 1),
    "a stack of 128 KiB": ("ulimit -s 128; bash SCRIPT", 1),
}  # fmt: skip


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_an_honest_table_is_paid_whole_or_not_at_all_whatever_surrounds_it(container: Container, surroundings: str):
    around, wanted = SURROUNDINGS[surroundings]
    assert container.paid(TABLE, around) == wanted


def test_what_no_script_can_defend_is_what_the_documents_say(container: Container, root: Path):
    """A replaced interpreter pays, here as everywhere; the threat model must say so."""
    fake = "cd /usr/bin; mv python3 kept; printf '#!/bin/sh\necho 1.0\n' > python3; chmod 755 python3"
    assert container.paid(fake, after="mv -f /usr/bin/kept /usr/bin/python3") == 1
    assert container.paid("true") == 0
    said = " ".join((root / "docs/threat-model.md").read_text("utf-8").split())
    assert "an agent that was root in that container and - replaced the interpreter" in said
