"""Run by inspect-ai's own Python: evaluates the exported task with a mock model, and prints one JSON line.

inspect_eval.py TASK_ID LOGS COMMAND...: the model runs the commands, one a turn, then submits.
"""

import json
import sys

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from reproducegym_tasks import reproduce

task_id, logs, *commands = sys.argv[1:]
calls = [ModelOutput.for_tool_call("mockllm", "bash", {"command": command}) for command in commands]
outputs = [*calls, ModelOutput.for_tool_call("mockllm", "submit", {"answer": "done"})]
for output in outputs:
    output.usage = ModelUsage()  # else the mock model counts tokens with a table that it downloads
model = get_model("mockllm/model", custom_outputs=outputs)
task = reproduce(task_ids=task_id, sandbox_type="local")
log = evaluate(task, model=model, log_dir=logs, display="none", fail_on_error=False)[0]
samples = log.samples or []
scores = [sample.scores["reproduced"] for sample in samples if sample.scores]
told = {
    "status": log.status,
    "scores": [score.value for score in scores],
    "levels": [(score.metadata or {}).get("evidence_level") for score in scores],
    "errors": [sample.error.message for sample in samples if sample.error],
}
print(json.dumps(told))
