"""One attempt from the agent's first step to the stored directory."""

import contextlib
import json
import secrets
from dataclasses import replace
from decimal import Decimal

import pytest
from small_task import HONEST, fixed_randbelow, small_order

from reproducegym.adapters.agents.instructions import cli_prompt
from reproducegym.adapters.agents.tool_loop.conversation import Conversation
from reproducegym.errors import AssetError, InfrastructureError
from reproducegym.pipeline.attempts.estimate import estimate_task
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order, submission_digest
from reproducegym.pipeline.run import attempt, run_attempt
from reproducegym.pipeline.store import PaperStore
from reproducegym.schema.asset import Asset
from reproducegym.schema.run import AgentRecord, AgentUsage, Draw, Result, verdict

SPENT = AgentUsage(completions=2, prompt_tokens=30, completion_tokens=4, dollars=Decimal("0.5"), tool_calls=1)


class Writer:
    """An agent that writes files and runs one command."""

    name = "writer"
    door = ()

    def __init__(self, files, command: str = "true") -> None:
        self.files, self.command = files, command
        self.mounts = {}

    def run(self, task, box):
        box.put(self.files)
        box.exec(["/bin/bash", "-c", self.command], timeout_s=20, output_bytes=10_000)
        return AgentRecord(agent=self.name, outcome="finished", exit_code=0, detail="")


class Broken:
    """An agent whose engine fails, after it has paid for something."""

    name = "broken"
    door = ()

    def __init__(self) -> None:
        self.mounts = {}

    def run(self, task, box):
        task.bill.usage, task.bill.model = SPENT, "a-model"
        raise InfrastructureError("the engine went away")


def test_an_attempt_is_stored_whole_and_says_everything(judge: Judge, tmp_path):
    done = attempt(small_order(), Writer(HONEST), judge)
    store = PaperStore(tmp_path, "small")
    with store.begin_attempt("c001_small", "5" * 16) as begun:
        number = store.add_attempt(begun, done.files)
    result = store.read_result("c001_small", "5" * 16, number)
    assert number == 1
    assert result == done.result(1)
    assert (result.reward, result.reward_valid, result.failure_kind, result.verdict) == (1.0, True, None, "reproduced")
    assert result.sandbox == judge.sandbox.name
    assert result.timings.total_s >= result.timings.verify_s > 0
    files = store.read_attempt("c001_small", "5" * 16, number)
    assert files["workspace/solve.py"] == HONEST["solve.py"]
    assert files["workspace/input_files/task.md"] == small_order().input_files["task.md"]
    draw = Draw.from_json(files["verification/draw.json"])
    assert all(f"verification/runs/{index}/metrics.csv" in files for index in range(len(draw.runs)))
    workspace = {name.removeprefix("workspace/"): data for name, data in files.items() if name.startswith("workspace/")}
    assert draw.submission_sha256 == submission_digest(workspace) == result.submission_sha256


class Talker(Writer):
    """An agent that leaves a trace, and says what it spent."""

    def run(self, task, box):
        (task.trace / "records-000001.jsonl").write_text("said\n")
        return super().run(task, box).model_copy(update={"usage": SPENT, "model": "a-model", "stopped_by": "tokens"})


def test_what_an_agent_said_is_kept_beside_its_attempt(judge: Judge, tmp_path):
    order = small_order()
    store = PaperStore(tmp_path, "small")
    stored = run_attempt(store, order, Talker({}), judge)
    assert (stored.directory / "trace" / "records-000001.jsonl").read_text() == "said\n"
    result = store.read_result(order.entry.claim_id, order.entry.spec_hash, 1)
    assert result.agent.usage.prompt_tokens == 30
    assert result.agent.stopped_by == "tokens"


class Listener(Writer):
    """An agent that notes what it is given."""

    def run(self, task, box):
        self.task = task
        return super().run(task, box)


def test_an_agent_is_told_how_often_to_look_at_a_long_run_as_estimate_says_it(judge: Judge):
    order, agent = small_order(), Listener({})
    order = replace(order, spec=order.spec.model_copy(update={"run_budget_s": 3600}))
    attempt(order, agent, judge)
    told = estimate_task(order, (), agent=None, sandboxes=1, randbelow=fixed_randbelow())
    assert agent.task.poll_s == told.poll_s == 60
    assert "`sleep 60` or longer" in cli_prompt(agent.task, load_config(None).agent)
    (_, asked) = Conversation(agent.task.instructions, "a budget", agent.task.poll_s).messages()
    assert "look at it every\n60 seconds or less often" in asked["content"]


@pytest.mark.parametrize(
    ("agent", "outcome", "digests"),
    [
        (Broken(), "infra", ["sha256:one"]),
        (Talker({}, "ln -s / rootl"), "refused", ["sha256:one"]),
        (Talker(HONEST), "infra", ["sha256:one", "sha256:two"]),
    ],
    ids=["its engine failed", "its workspace is refused", "the image changed"],
)
def test_what_an_agent_spent_is_kept_whatever_becomes_of_its_work(judge: Judge, tmp_path, agent, outcome, digests):
    store, order = PaperStore(tmp_path, "small"), small_order()
    result = run_attempt(store, order, agent, replace(judge, sandbox=Named(judge, *digests))).result
    assert (result.agent.outcome, result.agent.usage, result.agent.model) == (outcome, SPENT, "a-model")
    line = json.loads((tmp_path / "small" / "04-run" / "index.jsonl").read_text())
    assert (line["tokens"], line["dollars"]) == (34, "0.5")


def test_an_agent_that_does_nothing_scores_zero(judge: Judge):
    result = attempt(small_order(), Writer({}), judge).result(1)
    assert (result.reward, result.failure_kind, result.verdict) == (0.0, "agent", "failed")


@pytest.mark.parametrize("command", ["ln -s /etc/passwd leak", "mkfifo pipe", "ln -s / output"])
def test_a_workspace_that_may_not_be_copied_out_scores_zero_with_the_reason(judge: Judge, command: str):
    done = attempt(small_order(), Writer(HONEST, command), judge)
    result = done.result(1)
    assert (result.reward, result.failure_kind) == (0.0, "agent")
    assert result.agent.outcome == "refused"
    assert "workspace was refused" in result.failure_detail
    assert set(done.files(1)) == {"result.json"}


def test_a_process_that_outlives_the_agent_cannot_change_what_is_copied(judge: Judge):
    late = "setsid bash -c 'sleep 1; while true; do echo changed > late; done' >/dev/null 2>&1 &"
    done = attempt(small_order(), Writer(HONEST, late), judge)
    assert "workspace/late" not in done.files(1)
    assert done.result(1).reward == 1.0


def test_an_engine_that_fails_under_the_agent_leaves_the_reward_empty(judge: Judge):
    result = attempt(small_order(), Broken(), judge).result(1)
    assert (result.reward, result.reward_valid, result.failure_kind) == (None, False, "infra")
    assert result.verdict == "invalid"


class Named:
    """The real sandbox under images with the digests given, in turn; the last one stays. It notes what boxes run."""

    name = "named"

    def __init__(self, judge: Judge, *digests: str) -> None:
        self.real, self.digests, self.images = judge, list(digests), []

    def image_id(self, image: str) -> str:
        return self.digests.pop(0) if len(self.digests) > 1 else self.digests[0]

    def create(self, spec):
        self.images.append(spec.image)
        return self.real.sandbox.create(replace(spec, image=self.real.image))


def test_agent_and_every_run_get_the_image_by_the_digest_it_had_at_first(judge: Judge):
    named = Named(judge, "sha256:one")
    done = attempt(small_order(), Writer(HONEST), replace(judge, sandbox=named))
    assert named.images == ["sha256:one"] * 5
    assert (done.result(1).image, done.result(1).reward) == ("sha256:one", 1.0)


def test_software_that_changes_on_the_way_leaves_the_reward_empty(judge: Judge):
    named = Named(judge, "sha256:one", "sha256:two")
    result = attempt(small_order(), Writer(HONEST), replace(judge, sandbox=named)).result(1)
    assert (result.reward, result.failure_kind) == (None, "infra")
    assert "changed between" in result.failure_detail


class Watched(Writer):
    """An agent that tells when it is at work."""

    at_work = False

    def run(self, task, box):
        self.at_work = True
        record = super().run(task, box)
        self.at_work = False
        return record


def test_nothing_that_is_hidden_is_drawn_before_the_agent_has_ended(judge: Judge):
    agent, drawn = Watched(HONEST, "grep -r SEED /proc/self/environ; ls -A /workspace"), []

    def randbelow(bound: int) -> int:
        assert not agent.at_work
        drawn.append(secrets.randbelow(bound))
        return drawn[-1]

    first, second = (attempt(small_order(), agent, replace(judge, randbelow=randbelow)) for _ in range(2))
    seeds = [[run.seed for run in one.verified.draw.runs] for one in (first, second)]
    assert not set(seeds[0]) & set(seeds[1])
    assert set(seeds[0]) | set(seeds[1]) <= set(drawn)
    shown = b"".join(data for name, data in first.files(1).items() if not name.startswith("verification/"))
    assert not any(str(seed).encode() in shown for seed in seeds[0])


class StoppedSandbox:
    """A sandbox that cannot be torn down while a signal unwinds the program."""

    name = "stopped"

    def put(self, files):
        pass

    def image_id(self, image):
        return image

    @contextlib.contextmanager
    def create(self, spec):
        try:
            yield self
        finally:
            raise InfrastructureError("the volume is in use")


class Stopped(Broken):
    """An agent under which SIGTERM arrives."""

    def run(self, task, box):
        raise SystemExit(143)


def test_a_stop_is_never_turned_into_a_result(judge: Judge):
    stopped = Judge(**{**vars(judge), "sandbox": StoppedSandbox()})
    with pytest.raises(SystemExit, match="143"):
        attempt(small_order(), Stopped(), stopped)


def test_a_task_with_assets_is_refused_before_the_agent_starts(judge: Judge):
    order = small_order()
    told = {"licence": "unknown", "about": "digits", "size": 1, "files": 1, "rows": "fixed", "labels": None}
    asset = Asset(name="mnist", sha256="0" * 64, **told)
    needy = Order(**{**vars(order), "spec": order.spec.model_copy(update={"assets": (asset,)})})
    with pytest.raises(AssetError, match="mnist"):
        attempt(needy, Broken(), judge)


def test_the_result_of_disk_is_json_with_no_hidden_surprise(judge: Judge):
    raw = json.loads(attempt(small_order(), Writer({}), judge).files(4)["result.json"])
    assert raw["attempt"] == 4
    assert Result.from_json(json.dumps(raw)).attempt == 4


@pytest.mark.parametrize(
    ("reward", "word"), [(None, "invalid"), (0.0, "failed"), (0.3, "partial"), (1.0, "reproduced")]
)
def test_the_verdict_follows_from_the_reward(reward, word):
    assert verdict(reward) == word
