"""The way out in real sandboxes: what is listed is reached through the proxy, and nothing besides."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "adapters" / "egress"))

from egress_stage import allowed, at_home, site

from reproducegym.adapters.egress import WithEgress
from reproducegym.ports import AgentTask, Sandbox, SandboxBox
from reproducegym.schema.run import AgentRecord

ASK = """
import json, os, socket, sys, urllib.error, urllib.request
def ask(url):
    try:
        with urllib.request.build_opener().open(url, timeout=30) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode().strip()
    except OSError as error:
        return type(error).__name__
port = int(sys.argv[1])
said = {url: ask(url) for url in (f"http://files.example:{port}/a", f"http://elsewhere.example:{port}/")}
for name in ("http_proxy", "HTTP_PROXY"):
    os.environ[name] = os.environ[name].replace("run:", "run:x")
said["wrong token"] = ask(f"http://files.example:{port}/b")
for name in ("http_proxy", "HTTP_PROXY"):
    os.environ.pop(name)
said["around it"] = ask(f"http://127.0.0.1:{port}/c")
said["networks"] = sorted(name for _, name in socket.if_nameindex())
print(json.dumps(said))
"""


class Asking:
    """An agent that asks two hosts, once with a token that is none, and once without the proxy."""

    name = "asking"
    mounts: Mapping[str, Path] = {}
    door: tuple[str, ...] = ()

    def __init__(self, port: int) -> None:
        self.port, self.said, self.told = port, {}, ""

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        self.told = task.instructions
        ended = box.exec(["python3", "-c", ASK, str(self.port)], timeout_s=60, output_bytes=65536)
        self.said = json.loads(ended.output)
        return AgentRecord(agent=self.name, outcome="finished", exit_code=ended.exit_code, detail="")


def test_what_is_listed_is_reached_and_nothing_besides(backend: Sandbox, spec, tmp_path: Path) -> None:
    with site() as port:
        asking = Asking(port)
        agent = WithEgress(asking, allowed(f"files.example:{port}"), at_home)
        task = AgentTask(instructions="Work.", timeout_s=60, output_bytes=4096, trace=tmp_path)
        with backend.create(replace(spec(), door=agent.door)) as box:
            record = agent.run(task, box)
    assert asking.said[f"http://files.example:{port}/a"] == f"GET /a host=files.example:{port} body=0"
    assert asking.said[f"http://elsewhere.example:{port}/"] == "egress: not_listed"
    assert asking.said["wrong token"] == "egress: wrong_token"
    assert asking.said["around it"] == "URLError"
    assert asking.said["networks"] == ["lo"]
    assert f"- files.example:{port}" in asking.told
    assert record.egress is not None
    assert (record.egress.opened, record.egress.refused, record.egress.failed) == (1, 2, 0)
    lines = [json.loads(line) for line in (tmp_path / "egress.jsonl").read_text().splitlines()]
    assert [one["event"] for one in lines] == ["opened", "closed", "refused", "refused"]


@pytest.mark.parametrize("at_once", [3])
def test_commands_that_run_at_once_each_have_the_way_out(backend: Sandbox, spec, tmp_path: Path, at_once: int) -> None:
    line = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=30).read()"

    class Several(Asking):
        def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
            from concurrent.futures import ThreadPoolExecutor

            argv = ["python3", "-c", line, f"http://files.example:{self.port}/"]
            with ThreadPoolExecutor(at_once) as pool:
                ends = list(
                    pool.map(lambda _: box.exec(argv, timeout_s=60, output_bytes=65536).exit_code, range(at_once))
                )
            return AgentRecord(agent=self.name, outcome="finished", exit_code=max(end or 0 for end in ends), detail="")

    with site() as port:
        agent = WithEgress(Several(port), allowed(f"files.example:{port}"), at_home)
        task = AgentTask(instructions="Work.", timeout_s=60, output_bytes=4096, trace=tmp_path)
        with backend.create(replace(spec(), door=agent.door)) as box:
            record = agent.run(task, box)
    assert record.exit_code == 0
    assert record.egress is not None
    assert record.egress.opened == at_once
