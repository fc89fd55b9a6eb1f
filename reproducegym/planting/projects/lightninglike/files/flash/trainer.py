import random

import numpy as np


class Module:
    def training_step(self, batch):
        raise NotImplementedError

    def validation_step(self, batch):
        raise NotImplementedError


class DataModule:
    batch_size = 32

    def setup(self):
        raise NotImplementedError

    def batches(self, rows, shuffle):
        rows = list(rows)
        if shuffle:
            random.shuffle(rows)
        for i in range(0, len(rows), self.batch_size):
            yield rows[i : i + self.batch_size]


class Callback:
    def on_epoch_end(self, trainer, module):
        pass


class Trainer:
    def __init__(self, max_epochs, deterministic, callbacks=()):
        self.max_epochs, self.callbacks = max_epochs, list(callbacks)
        self.deterministic = deterministic
        self.logged = []

    def fit(self, module, data):
        data.setup()
        for _ in range(self.max_epochs):
            losses = [module.training_step(data.rows(b)) for b in data.batches(data.train, shuffle=True)]
            scores = [module.validation_step(data.rows(b)) for b in data.batches(data.val, shuffle=not self.deterministic)]
            self.logged.append({"loss": float(np.mean(losses)), "val_accuracy": float(np.mean(scores))})
            for callback in self.callbacks:
                callback.on_epoch_end(self, module)
