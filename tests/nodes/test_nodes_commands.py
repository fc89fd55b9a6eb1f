"""A sandbox here that is lent a node: what goes through the door, what stays out, and what a lost link costs."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from own_node import OwnNode, entry

from reproducegym.errors import InfrastructureError
from reproducegym.nodes.door import NodeLimits
from reproducegym.nodes.equipped import equipped
from reproducegym.nodes.ssh import Connection, connected
from reproducegym.ports import AgentTask, ExecOutcome, SandboxBox, SandboxSpec
from reproducegym.sandbox.namespaces import NamespacesSandbox
from reproducegym.schema.run import AgentRecord

LIMITS = NodeLimits(moved_bytes=2_000_000, log_bytes=100_000, jobs=9)
Work = Callable[[SandboxBox], None]


class Worker:
    """An agent that is a function of this test."""

    name = "worker"

    def __init__(self, work: Work) -> None:
        self.mounts: dict[str, Path] = {}
        self.door: tuple[str, ...] = ()
        self._work = work
        self.told = ""

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        self.told = task.instructions
        self._work(box)
        return AgentRecord(agent=self.name, outcome="finished", exit_code=0, detail="")


@pytest.fixture(scope="module")
def link(node_a: OwnNode, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    node = entry(node_a, tmp_path_factory.mktemp("inventory"), gpus=["0", "1"], prelude="export TOOLS=there")
    with connected(node, timeout_s=5, alive_s=1) as connection:
        yield connection


def lend(link: Connection, trace: Path, work: Work, *, gpus: int = 0, timeout_s: float = 60.0) -> Worker:
    """Let a function work in a sandbox that has the node."""
    worker = Worker(work)
    with equipped(worker, link, gpus=gpus, limits=LIMITS) as agent:
        spec = SandboxSpec("lent", "any", {}, agent.mounts, 256, 1.0, 64, 16, 16, agent.door)
        with NamespacesSandbox().create(spec) as box:
            agent.run(AgentTask("Do it.\n", timeout_s, 10_000, trace), box)
    return worker


def sh(box: SandboxBox, script: str, **env: str) -> ExecOutcome:
    return box.exec(["/bin/bash", "-c", script], env=env, timeout_s=50.0, output_bytes=1 << 20)


def said(ended: ExecOutcome) -> str:
    return ended.output.decode()


def lines(trace: Path) -> list[dict]:
    return [json.loads(line) for line in (trace / "node.jsonl").read_text().splitlines()]


def test_commands_and_files_pass_and_nothing_stays(link: Connection, node_a: OwnNode, tmp_path: Path):
    def work(box: SandboxBox) -> None:
        box.put({"in/data.txt": b"3\n", "in/run.sh": b"read n < in/data.txt; echo $((n * 2)) > out.txt\n"})
        did = sh(
            box, "/node/node put in . && /node/node exec -- bash in/run.sh && /node/node get out.txt . && cat out.txt"
        )
        assert (did.exit_code, said(did).splitlines()[-1]) == (0, "6")
        did = sh(
            box, "/node/node exec -- sh -c 'echo $TOOLS $CUDA_VISIBLE_DEVICES; id -u; exit 7'; echo $?; /node/node gpus"
        )
        assert said(did).split() == ["there", "0", "12345", "7", "0"]
        did = sh(box, "/node/node exec --timeout 1 -- sleep 50; echo $?")
        assert said(did) == "node: ended: timeout\n124\n"
        job = said(sh(box, "/node/node start -- sh -c 'echo one; exec sleep 77123'")).strip()
        did = sh(box, f"sleep 0.5; /node/node logs {job}; /node/node poll {job}")
        assert (said(did).splitlines()[0], json.loads(said(did).splitlines()[1])["state"]) == ("one", "running")

    worker = lend(link, tmp_path, work, gpus=1)
    assert "where 1 GPU (0) is yours" in worker.told
    assert node_a.call("find", node_a.place / "work", "-path", "*run-*") == ""
    assert "77123" not in node_a.call("ps", "ax")
    assert [line["op"] for line in lines(tmp_path)][:4] == ["put", "exec", "get", "exec"]
    assert lines(tmp_path)[1]["answer"]["exit_code"] == 0


def test_an_agent_on_the_node_has_no_network_and_sees_nobody_else(link: Connection, node_a: OwnNode, tmp_path: Path):
    (node_a.place / "work" / "secret").write_text("of another run")
    places = f"/root/.bashrc {node_a.place}/work/secret {node_a.place}/authorized_keys"

    def work(box: SandboxBox) -> None:
        did = sh(box, f"/node/node exec -- sh -c 'cat {places}; cat /proc/net/dev | wc -l; ls /proc | grep -c ^[0-9]'")
        assert "secret" not in said(did).replace("work/secret", "")
        assert said(did).count("No such file") == 3
        network, processes = map(int, said(did).split("\n")[-3:-1])
        assert (network, processes < 6) == (3, True)  # two heads and the loopback

    lend(link, tmp_path, work)


def test_what_the_host_refuses_is_one_line_and_no_token_no_word(link: Connection, tmp_path: Path):
    def work(box: SandboxBox) -> None:
        refused = {
            "/node/node put /bin/true ../..": "'../..' is not a path below the run's directory",
            "/node/node get nothing .": "there is no nothing there",
            "/node/node exec -- ln -s /etc here && /node/node get here/hostname .": "here is a link or no directory",
            "/node/node get here .": "here cannot be read",
            "/node/node poll j99": "there is no job j99",
            "/node/node poll ../j1": "is no name",
            "/node/node exec --cwd /etc -- pwd": "the directory '/etc' is not below the run's own",
            "head -c 3000000 /dev/zero > big; /node/node put big .": "more than 2000000 bytes",
            "/node/node exec -- sh -c 'head -c 3000000 /dev/zero > big'; /node/node get big .": "larger than 2000000",
            "REPRODUCEGYM_NODE_TOKEN=guess /node/node gpus": "the token is not this run's",
            "env -u REPRODUCEGYM_NODE_TOKEN /node/node gpus": "REPRODUCEGYM_NODE_TOKEN is not set",
        }
        for line, words in refused.items():
            did = sh(box, line)
            assert (did.exit_code, words in said(did)) == (125, True), (line, said(did))
        did = sh(box, "/node/node exec -- sh -c 'head -c 300000 /dev/zero' | wc -c")
        assert said(did).split("\n")[-2] == "100000"
        assert "200000 bytes of output found no room" in said(did)
        did = sh(box, "for i in $(seq 9); do /node/node exec -- true || break; done")
        assert "9 commands were started, which is the most in one run" in said(did)

    lend(link, tmp_path, work)
    text = (tmp_path / "node.jsonl").read_text()
    assert "the token is not this run's" in text
    assert "guess" not in text


def test_a_cut_link_costs_nothing_but_time(link: Connection, node_a: OwnNode, tmp_path: Path):
    count = "i=0; while [ $i -lt 40 ]; do echo $i; i=$((i+1)); sleep 0.1; done"

    def work(box: SandboxBox) -> None:
        def cut(data: bytes) -> None:
            if b"5\n" in data and not cuts:
                cuts.append(time.monotonic())
                node_a.cut()

        cuts: list[float] = []
        mender = threading.Timer(4.5, node_a.mend)
        mender.start()
        did = box.exec(
            ["/node/node", "exec", "--", "sh", "-c", count], timeout_s=50, output_bytes=10_000, on_output=cut
        )
        mender.join()
        assert cuts
        assert (did.exit_code, said(did).split()) == (0, [str(n) for n in range(40)])

    lend(link, tmp_path, work)


def test_gpus_go_to_one_run_at_a_time(link: Connection, tmp_path: Path):
    (tmp_path / "inner").mkdir()

    def work(box: SandboxBox) -> None:
        with pytest.raises(InfrastructureError, match=r"2 GPUs were asked for and 1 of 2 are free; held: 0 by run-"):
            lend(link, tmp_path / "inner", lambda _: None, gpus=2)
        lend(link, tmp_path / "inner", lambda inner: seen.append(said(sh(inner, "/node/node gpus"))), gpus=1)

    seen: list[str] = []
    lend(link, tmp_path, work, gpus=1)
    assert seen == ["1\n"]


def test_a_full_disk_is_said_and_what_runs_is_still_told(link: Connection, node_a: OwnNode, tmp_path: Path):
    full = node_a.place / "small"
    full.mkdir()
    node_a.call("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", full)
    node = link.node.model_copy(update={"workdir": str(full / "work")})

    def work(box: SandboxBox) -> None:
        fill = "dd if=/dev/zero of=fill bs=1k count=2000 2>/dev/null; head -c 50000 /dev/zero; echo; exit 5"
        did = sh(box, f"/node/node exec -- sh -c '{fill}' | wc -c; echo ${{PIPESTATUS[0]}}")
        assert said(did).split()[-1] == "5"
        assert "bytes of output found no room" in said(did)
        did = sh(box, "head -c 300000 /dev/zero > some; /node/node put some .")
        assert (did.exit_code, "No space left on device; free some space there" in said(did)) == (125, True), said(did)

    with contextlib.ExitStack() as stack:
        stack.callback(node_a.call, "umount", "-l", full)
        connection = stack.enter_context(connected(node, timeout_s=20, alive_s=5))
        lend(connection, tmp_path, work)


def test_a_job_whose_supervisor_is_killed_is_lost_and_leaves_nothing(link: Connection, node_a: OwnNode, tmp_path: Path):
    def work(box: SandboxBox) -> None:
        assert said(sh(box, "/node/node start -- sleep 66123")) == "j1\n"
        (job,) = node_a.place.glob("work/runs/*/jobs/j1/job.json")
        node_a.call("kill", "-9", str(json.loads(job.read_text())["pid"]))
        time.sleep(0.3)
        assert "66123" not in node_a.call("ps", "ax")
        end = time.monotonic() + 10
        while json.loads(said(sh(box, "/node/node poll j1")))["state"] != "lost":
            assert time.monotonic() < end

    lend(link, tmp_path, work)
