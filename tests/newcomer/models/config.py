from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn


@dataclass
class ModelConfig:
    vocab_size: int = 50
    hidden: int = 16
    layers: int = 2
    dropout: float = 0.0
    tie: bool = False
    scale_embedding: bool = True
    sizes: List[int] = field(default_factory=lambda: [16, 16])


class Block(nn.Module):
    def __init__(self, cfg: ModelConfig):
        super().__init__()
        self.cfg = cfg
        self.norm = nn.LayerNorm(cfg.hidden)
        self.up = nn.Linear(cfg.hidden, 4 * cfg.hidden)
        self.down = nn.Linear(4 * cfg.hidden, cfg.hidden)

    def forward(self, x):
        h = torch.nn.functional.gelu(self.up(self.norm(x)))
        h = torch.nn.functional.dropout(self.down(h), self.cfg.dropout, self.training)
        return x + h


class Model(nn.Module):
    def __init__(self, cfg: ModelConfig):
        super().__init__()
        self.cfg = cfg
        self.embed = nn.Embedding(cfg.vocab_size, cfg.hidden)
        self.blocks = nn.ModuleList([Block(cfg) for _ in range(cfg.layers)])
        self.head = nn.Linear(cfg.hidden, cfg.vocab_size)

    def forward(self, ids):
        x = self.embed(ids)
        if self.cfg.scale_embedding:
            x = x * self.cfg.hidden ** 0.5
        for block in self.blocks:
            x = block(x)
        if self.cfg.tie:
            return x @ self.embed.weight.t()
        return self.head(x)


def build():
    return Model(ModelConfig()).eval(), (torch.randint(0, 50, (2, 7)),)
