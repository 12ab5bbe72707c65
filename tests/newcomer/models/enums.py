from enum import Enum

import torch
from torch import nn


class Norm(Enum):
    PRE = "pre"
    POST = "post"


class Pool(Enum):
    MEAN = 0
    MAX = 1
    CLS = 2


class Layer(nn.Module):
    def __init__(self, dim, norm=Norm.PRE):
        super().__init__()
        self.norm_mode = norm
        self.norm = nn.LayerNorm(dim)
        self.ff = nn.Linear(dim, dim)

    def forward(self, x):
        if self.norm_mode is Norm.PRE:
            return x + self.ff(self.norm(x))
        return self.norm(x + self.ff(x))


class Encoder(nn.Module):
    def __init__(self, dim=8, depth=2, pool=Pool.MEAN, norm=Norm.POST):
        super().__init__()
        self.layers = nn.ModuleList(Layer(dim, norm) for _ in range(depth))
        self.pool = pool

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        if self.pool == Pool.MEAN:
            return x.mean(1)
        elif self.pool == Pool.MAX:
            return x.max(1)[0]
        elif self.pool == Pool.CLS:
            return x[:, 0]
        raise NotImplementedError(f"unknown pooling {self.pool}")


def build():
    return Encoder(), (torch.rand(2, 5, 8),)
