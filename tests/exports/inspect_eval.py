"""Run by inspect-ai's own Python: evaluates the exported task with mock models, and prints what came of each as JSON.

inspect_eval.py TASK_ID LOGS CASES: in each case of the JSON object CASES a model runs the case's commands, one a turn,
then submits; `verifier` names another command line for the verifier. One process for all: inspect-ai loads for seconds.
"""

import json
import os
import sys

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from reproducegym_tasks import reproduce


def evaluated(commands: list[str]) -> dict[str, object]:
    calls = [ModelOutput.for_tool_call("mockllm", "bash", {"command": command}) for command in commands]
    outputs = [*calls, ModelOutput.for_tool_call("mockllm", "submit", {"answer": "done"})]
    for output in outputs:
        output.usage = ModelUsage()  # else the mock model counts tokens with a table that it downloads
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    task = reproduce(task_ids=task_id, sandbox_type="local")
    log = evaluate(task, model=model, log_dir=logs, display="none", fail_on_error=False)[0]
    samples = log.samples or []
    scores = [sample.scores["reproduced"] for sample in samples if sample.scores]
    return {
        "status": log.status,
        "scores": [score.value for score in scores],
        "levels": [(score.metadata or {}).get("evidence_level") for score in scores],
        "errors": [sample.error.message for sample in samples if sample.error],
    }


task_id, logs, cases = sys.argv[1:]
told = {}
ours = os.environ["REPRODUCEGYM_COMMAND"]
for name, case in json.loads(cases).items():
    os.environ["REPRODUCEGYM_COMMAND"] = case.get("verifier", ours)
    told[name] = evaluated(case["commands"])
print(json.dumps(told))
