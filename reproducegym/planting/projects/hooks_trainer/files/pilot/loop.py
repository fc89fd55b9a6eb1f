class Loop:
    def __init__(self, model, rng, lr, batch, hooks):
        self.model, self.rng, self.lr, self.batch = model, rng, lr, batch
        self.hooks = sorted(hooks, key=lambda h: (h.priority, type(h).__name__))
        self.history, self.stop = [], False

    def batches(self, n):
        order = self.rng.permutation(n)
        return [order[i : i + self.batch] for i in range(0, n, self.batch)]

    def run(self, train, valid, epochs):
        x, y = train
        for _ in range(epochs):
            for rows in self.batches(len(x)):
                self.model.step(x[rows], y[rows], self.lr)
            self.history.append(self.model.loss(*valid))
            for hook in self.hooks:
                hook.after_epoch(self)
            if self.stop:
                break
        return self.history
