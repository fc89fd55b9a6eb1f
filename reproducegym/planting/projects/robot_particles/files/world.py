from typing import NamedTuple

import numpy as np

BEACONS = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]])


class Step(NamedTuple):
    pose: np.ndarray
    turn: float
    ranges: np.ndarray


def walk(steps, stream):
    """True poses (x, y, heading), what was commanded, what was heard."""
    pose = np.array([2.0, 2.0, 0.6])
    for _ in range(steps):
        turn = stream.normal(0.1, 0.3)
        pose = moved(pose[None], turn, stream)[0]
        yield Step(pose, turn, heard(pose[None])[0] + stream.normal(0, 0.5, 4))


def moved(poses, turn, stream):
    out = poses.copy()
    out[:, 2] += turn + stream.normal(0, 0.08, len(poses))
    stride = 0.5 + stream.normal(0, 0.06, len(poses))
    out[:, 0] = np.clip(out[:, 0] + stride * np.cos(out[:, 2]), 0, 10)
    out[:, 1] = np.clip(out[:, 1] + stride * np.sin(out[:, 2]), 0, 10)
    return out


def heard(poses):
    return np.linalg.norm(poses[:, None, :2] - BEACONS[None], axis=-1)
