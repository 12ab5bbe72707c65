import torch
from torch import nn


class MultiLoss(nn.Module):
    def __init__(self, weights=(1.0, 0.5, 0.25)):
        super().__init__()
        self.weights = weights

    def forward(self, preds, target):
        total = 0.0
        count = 0
        logs = {}
        for i, (p, w) in enumerate(zip(preds, self.weights)):
            loss = (p - target).abs().mean()
            total += w * loss
            count += p.numel()
            logs[f"loss_{i}"] = loss
        logs["total"] = total
        return total / len(preds), logs, count


class Pyramid(nn.Module):
    def __init__(self, steps=3):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv2d(1, 1, 3, padding=1) for _ in range(steps))
        self.loss = MultiLoss()
        self.best = None

    def forward(self, x, target):
        preds = []
        acc = 0
        for conv in self.convs:
            x = conv(x)
            acc = acc + x
            preds += [x]
        norms = sum(p.norm() for p in preds)
        loss, logs, count = self.loss(preds, target)
        best = max(p.max().item() for p in preds)
        return loss + 0.01 * norms, acc / len(preds), logs, best


def build():
    return Pyramid(), (torch.rand(1, 1, 8, 8), torch.rand(1, 1, 8, 8))
