"""Records examples/traces/two-steps anew: `PYTHONPATH=tests:tests/traces python tests/traces/make_sample.py`."""

import shutil
import sys
from pathlib import Path

from agent_loops import chat_agent
from gateway_stage import Stage, settings_for
from speaking_upstream import Asked, Said, speaking

from agent_trace.gateway import Loopback, serving

TARGET = Path(__file__).resolve().parents[2] / "examples" / "traces" / "two-steps"


def story(asked: Asked) -> Said:
    """A listing, a sub-agent, an answer."""
    last = asked.body["messages"][-1]["content"]
    if asked.body["messages"][0]["content"].startswith("You search"):
        return Said("The training loop is in train.py, from line 12.", pieces=6, gap_s=0.01)
    if asked.number == 1:
        return Said("", (("bash", '{"command": "ls"}'),), thinking="First I look around.", gap_s=0.01)
    if "output of" in last and asked.number == 2:
        return Said("", (("search", '{"question": "Where does the training loop begin?"}'),), gap_s=0.01)
    return Said("The loop begins in train.py.", gap_s=0.01)


def main() -> int:
    """Write the sample."""
    shutil.rmtree(TARGET, ignore_errors=True)
    with speaking() as upstream, serving(settings_for(upstream)) as gateway:
        upstream.script = story
        stage = Stage(upstream, gateway, gateway.listen(Loopback()), gateway.admit("two-steps", TARGET), TARGET)
        chat_agent(stage, "Where is the training loop?")
        chat_agent(stage, "Where does the training loop begin?", system="You search code.")
    sys.stdout.write(f"{len(stage.trace().records)} records in {TARGET}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
