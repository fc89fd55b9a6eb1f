"""A small agent in each of the three APIs, with the real SDKs: it calls a tool until the model calls none."""

from gateway_stage import Stage

SYSTEM = "You are an agent."
PARAMETERS = {"type": "object", "properties": {"command": {"type": "string"}}}


def tool_output(arguments: object) -> str:
    return f"output of {arguments}"


def chat_agent(stage: Stage, task: str, history: list | None = None, system: str = SYSTEM) -> list:
    """Gives the messages at its end."""
    client = stage.openai()
    messages = history or [{"role": "system", "content": system}, {"role": "user", "content": task}]
    tools = [{"type": "function", "function": {"name": "bash", "description": "", "parameters": PARAMETERS}}]
    while True:
        with client.chat.completions.stream(
            model="a-model", messages=messages, tools=tools, stream_options={"include_usage": True}
        ) as events:
            for _ in events:
                pass
            said = events.get_final_completion().choices[0].message
        calls = said.tool_calls or []
        told = [
            {"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": c.function.arguments}}
            for c in calls
        ]
        messages.append({"role": "assistant", "content": said.content, **({"tool_calls": told} if told else {})})
        if not calls:
            return messages
        for call in calls:
            messages.append({"role": "tool", "tool_call_id": call.id, "content": tool_output(call.function.arguments)})


def responses_agent(stage: Stage, task: str, *, stored: bool) -> None:
    """`stored`: each request names the response before it, and repeats nothing."""
    client = stage.openai()
    tools = [{"type": "function", "name": "bash", "parameters": PARAMETERS, "strict": False}]
    history: list = [{"role": "user", "content": task}]
    more: dict = {}
    while True:
        said = client.responses.create(model="a-model", instructions=SYSTEM, input=history, tools=tools, **more)
        calls = [item for item in said.output if item.type == "function_call"]
        results = [
            {"type": "function_call_output", "call_id": c.call_id, "output": tool_output(c.arguments)} for c in calls
        ]
        if not calls:
            return
        if stored:
            history, more = results, {"previous_response_id": said.id}
        else:
            history = [*history, *(item.to_dict() for item in said.output), *results]


def messages_agent(stage: Stage, task: str) -> None:
    """Sends thinking back, and a reminder beside the results, as coding agents do."""
    client = stage.anthropic()
    tools = [{"name": "bash", "input_schema": PARAMETERS}]
    messages: list = [
        {"role": "user", "content": [{"type": "text", "text": task, "cache_control": {"type": "ephemeral"}}]}
    ]
    while True:
        with client.messages.stream(
            model="a-model", max_tokens=100, system=SYSTEM, messages=messages, tools=tools
        ) as events:
            said = events.get_final_message()
        messages.append({"role": "assistant", "content": [block.to_dict() for block in said.content]})
        messages[0] = {"role": "user", "content": [{"type": "text", "text": task}]}
        calls = [block for block in said.content if block.type == "tool_use"]
        if not calls:
            return
        results = [
            {"type": "tool_result", "tool_use_id": c.id, "content": [{"type": "text", "text": tool_output(c.input)}]}
            for c in calls
        ]
        messages.append({"role": "user", "content": [*results, {"type": "text", "text": "go on"}]})
