import json
import pathlib


def events(folder):
    for path in sorted(pathlib.Path(folder).glob("*.jsonl"), key=lambda p: p.name):
        with path.open() as lines:
            yield from map(json.loads, lines)


def shuffled(stream, window, rng):
    """A buffer of `window` events; each that leaves is picked at random."""
    buffer = []
    for event in stream:
        buffer.append(event)
        if len(buffer) == window:
            yield buffer.pop(rng.randrange(window))
    rng.shuffle(buffer)
    yield from buffer


def batched(stream, size):
    batch = []
    for event in stream:
        batch.append(event)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
