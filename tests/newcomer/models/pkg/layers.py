import torch
import torch.nn.functional as F
from torch import nn

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu}


class ConvBnAct(nn.Module):
    def __init__(self, i, o, act="relu", **kwargs):
        super().__init__()
        self.conv = nn.Conv2d(i, o, 3, padding=1, **kwargs)
        self.bn = nn.BatchNorm2d(o)
        self.act = ACTIVATIONS[act]

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


def drop_path(x, drop_prob=0., training=False):
    if drop_prob == 0. or not training:
        return x
    keep = 1 - drop_prob
    shape = (x.shape[0],) + (1,) * (x.ndim - 1)
    mask = x.new_empty(shape).bernoulli_(keep)
    return x * mask / keep
