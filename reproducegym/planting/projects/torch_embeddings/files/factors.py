import torch
from torch import nn


class Factors(nn.Module):
    def __init__(self, people, books, dim):
        super().__init__()
        self.person = nn.Embedding(people, dim)
        self.book = nn.Embedding(books, dim)
        self.liked = nn.Embedding(books, 1)
        nn.init.normal_(self.person.weight, std=0.3)
        nn.init.normal_(self.book.weight, std=0.3)

    def forward(self, person, book):
        return (self.person(person) * self.book(book)).sum(-1) + self.liked(book)[:, 0]

    @torch.no_grad()
    def ranking(self, person):
        scores = self.book.weight @ self.person.weight[person] + self.liked.weight[:, 0]
        return scores.argsort(descending=True, stable=True).tolist()
