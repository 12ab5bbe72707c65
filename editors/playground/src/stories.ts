// Models to begin with.

export const STORIES: Record<string, Record<string, string>> = {
  "Cell and decision gate": {
    "model.py": `import torch


class DecisionGate(torch.nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


class Cell(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = DecisionGate()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, h):
        h = torch.tanh(self.gate(self.linear(x)) + h)
        return h, h


x, h = torch.rand(3, 4), torch.rand(3, 4)
traced = torch.jit.trace(Cell(), (x, h))
`,
  },
  "RNN loop": {
    "cell.py": `import torch


class Cell(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, h):
        return torch.tanh(self.linear(x) + h)
`,
    "model.py": `import torch

from cell import Cell


class Loop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Cell()

    def forward(self, xs):
        h, outputs = torch.zeros(3, 4), []
        for i in range(xs.size(0)):
            h = self.cell(xs[i], h)
            outputs += [(h, +i)]
        return torch.stack([each for each, n in outputs if n >= 0])
`,
  },
  "Speech separator": {
    "model.py": `import numpy as np
import torch
from torch import nn


class Separator(nn.Module):
    def __init__(self, blocks: int = 4):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Conv1d(64, 64, 3, padding=1) for _ in range(blocks)])
        self.masks = nn.ModuleList([nn.Conv1d(64, 64, 1) for _ in range(blocks)])

    def forward(self, x):
        for i in range(len(self.blocks)):
            x = torch.relu(self.blocks[i](x)) * self.masks[i](x)
        return x / np.sqrt(x.size(1))
`,
  },
  "Detector": {
    "model.py": `from typing import List

import torch
from torch import nn


class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.lateral = nn.ModuleList([nn.Conv2d(c, 64, 1) for c in (64, 128, 256)])

    def forward(self, features: List[torch.Tensor]):
        top, found = None, []
        for level, feature in enumerate(reversed(features)):
            feature = self.lateral[-1 - level](feature)
            top = feature if top is None else feature + top
            found.append(top)
        return found[::-1]
`,
  },
  "Dataclass configuration": {
    "model.py": `from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    width: int = 8
    activation: str = "relu"


class Block(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.linear = nn.Linear(config.width, config.width)

    def forward(self, x):
        x = self.linear(x)
        if self.config.activation == "relu":
            return torch.relu(x)
        return getattr(torch, self.config.activation)(x)
`,
  },
};
