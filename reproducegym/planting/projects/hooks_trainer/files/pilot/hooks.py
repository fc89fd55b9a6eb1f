import copy


class Hook:
    priority = 50

    def after_epoch(self, loop):
        pass


class Decay(Hook):
    priority = 10

    def after_epoch(self, loop):
        loop.lr *= 0.95


class Checkpoint(Hook):
    priority = 20

    def __init__(self):
        self.best, self.state = float("inf"), None

    def after_epoch(self, loop):
        if loop.history[-1] < self.best:
            self.best = loop.history[-1]
            self.state = copy.deepcopy((loop.model.w, loop.rng.bit_generator.state))


class EarlyStop(Hook):
    def __init__(self, patience):
        self.patience = patience

    def after_epoch(self, loop):
        best = min(range(len(loop.history)), key=loop.history.__getitem__)
        loop.stop = len(loop.history) - 1 - best >= self.patience
