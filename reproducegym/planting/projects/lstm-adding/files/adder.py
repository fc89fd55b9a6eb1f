from torch import nn


class Adder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(2, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        states, _ = self.lstm(x)
        return self.out(states[:, -1])[:, 0]
