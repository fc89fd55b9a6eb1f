"""Records as they are, one a line, with large bodies put back in their places."""

from collections.abc import Iterator

from agent_trace.reading import Trace, read_body
from agent_trace.record import Blob
from agent_trace.tree import Json, Object

__all__ = ["raw_lines"]


def raw_lines(trace: Trace) -> Iterator[Object]:
    """All records in order; a body that stood in a file stands in the line, of kind `json`, where it is JSON."""
    for record in trace.records:
        line: Object = record.model_dump(mode="json")
        for field, body in (("request", record.request), ("response", record.response)):
            if isinstance(body, Blob) and (value := read_body(body, trace.directory)) is not None:
                whole: dict[str, Json] = {"kind": "json", "value": value}
                line[field] = whole
        yield line
