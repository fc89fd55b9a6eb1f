"""What `ssh` says when it cannot connect, as one line that says what to do."""

from reproducegym.schema.node import Node

__all__ = ["why_not"]

_LIMIT = 300
_WORDS = (
    "Could not resolve hostname",
    "Connection refused",
    "Connection timed out",
    "No route to host",
    "Network is unreachable",
    "Connection closed",
    "Connection reset",
    "Operation timed out",
)


def why_not(node: Node, said: str) -> str:
    """One line on a failed connection, from what the client printed."""
    where = f"{node.host}:{node.port}"
    if "REMOTE HOST IDENTIFICATION HAS CHANGED" in said:
        return (
            f"{node.name}: its host key is not the one in {node.known_hosts}: if {where} was set up anew, replace its "
            "line there; if not, somebody answers in its place. Nothing was sent"
        )
    if "Host key verification failed" in said:
        return (
            f"{node.name}: {node.known_hosts} has no host key of {where}: run ssh-keyscan -p {node.port} {node.host}, "
            "compare the fingerprint with the one on the node, and add the line"
        )
    if "UNPROTECTED PRIVATE KEY" in said or "bad permissions" in said:
        return f"{node.name}: others may read the key {node.key}, so ssh does not use it: chmod 600 {node.key}"
    if "Permission denied" in said:
        which = f"the key {node.key}" if node.key else "every key of the ssh agent"
        return f"{node.name}: {where} refuses {which} for user {node.user}{_missing_key(said)}"
    for line in reversed(said.splitlines()):
        if any(words in line for words in _WORDS):
            return f"{node.name}: {where} cannot be reached: {line.removeprefix('ssh: ').strip()[:_LIMIT]}"
    last = said.strip().splitlines()
    return f"{node.name}: ssh to {where} ended: {last[-1].strip()[:_LIMIT] if last else 'it said nothing'}"


def _missing_key(said: str) -> str:
    """What the client says of a key that it could not load."""
    for line in said.splitlines():
        if "not accessible" in line or "Load key" in line:
            return f" ({line.strip()[:_LIMIT]})"
    return ""
