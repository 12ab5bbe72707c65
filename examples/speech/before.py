"""A small speech recogniser that runs well in Python and that torch.jit.script rejects, once per class.

Every class holds one mistake, which a comment names; after.py is the same model with all of them fixed.
"""

import logging

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

log = logging.getLogger(__name__)


class Normalise(nn.Module):
    """Scales every utterance to a peak of one."""

    def forward(self, waves):
        try:  # TorchScript cannot catch exceptions
            peak = waves.abs().amax(dim=1, keepdim=True)
        except IndexError as error:
            raise ValueError("expected waves of shape (batch, samples)") from error
        return waves / (peak + 1e-6)


class Frames(nn.Module):
    """Cuts waves into frames; the last one is filled up with silence."""

    def __init__(self, width=16):
        super().__init__()
        self.width = width

    def forward(self, waves):
        missing = (self.width - waves.size(1) % self.width) % self.width
        pairs = [(0, missing), (0, 0)]
        padded = F.pad(waves, [amount for pair in pairs for amount in pair])  # two loops in one comprehension
        return padded.view(padded.size(0), -1, self.width)


class FeedForward(nn.Module):
    """A residual layer whose new part is weighted by ``alpha``."""

    def __init__(self, size, hidden):
        super().__init__()
        self.expand = nn.Linear(size, hidden)
        self.shrink = nn.Linear(hidden, size)

    def forward(self, x, alpha=1.0):  # without an annotation, alpha is a Tensor
        return x + alpha * self.shrink(torch.relu(self.expand(x)))


class Adapter(nn.Module):
    """A linear layer with an activation for those who want one."""

    def __init__(self, size, activation=None):
        super().__init__()
        self.linear = nn.Linear(size, size)
        self.activation = activation

    def forward(self, x):
        x = self.linear(x)
        if self.activation:  # a module or None cannot be a condition
            x = self.activation(x)
        return x


class Encoder(nn.Module):
    """Layers and norms, taken in turns."""

    def __init__(self, size, depth=3):
        super().__init__()
        self.layers = nn.ModuleList([FeedForward(size, 2 * size) for _ in range(depth)])
        self.norms = nn.ModuleList([nn.LayerNorm(size) for _ in range(depth)])

    def forward(self, x):
        for i in range(len(self.layers)):
            x = self.norms[i](self.layers[i](x, alpha=0.5))  # an index must be a literal
        return x


class Downsample(nn.Module):
    """Halves the number of steps several times, and tells how many there were."""

    def __init__(self, size, depth=2):
        super().__init__()
        self.convs = nn.ModuleList([nn.Conv1d(size, size, 3, stride=2, padding=1) for _ in range(depth)])

    def forward(self, x):
        steps = []
        for conv in self.convs:
            steps.append(x.size(2))  # a list without an annotation is a list of Tensors
            x = torch.relu(conv(x))
        return x, steps


class Upsample(nn.Module):
    """The way back up, last layer first."""

    def __init__(self, size, depth=2):
        super().__init__()
        self.convs = nn.ModuleList([nn.ConvTranspose1d(size, size, 4, stride=2, padding=1) for _ in range(depth)])

    def forward(self, x, steps: list[int]):
        k = len(steps) - 1
        for conv in reversed(self.convs):  # a container cannot be reversed
            x = torch.relu(conv(x))[:, :, : steps[k]]
            k -= 1
        return x


class Mask(nn.Module):
    """Silences what lies behind the end of an utterance."""

    def forward(self, x, lengths):
        assert x.dim() == 3, f"expected (batch, steps, size), got {x.dim():d} dimensions"  # a format specification
        steps = torch.ones_like(x[:, :, 0]).cumsum(dim=1)
        return x * (steps <= lengths.unsqueeze(1)).unsqueeze(2)


class Head(nn.Module):
    """Scores of the labels."""

    def __init__(self, size, labels):
        super().__init__()
        self.linear = nn.Linear(size, labels)

    def forward(self, x):
        log.debug("scoring %d utterances", x.size(0))  # TorchScript has no loggers
        return self.linear(x)


class Confidence(nn.Module):
    """How sure the model is of each utterance: the mean log-probability of the best label."""

    def forward(self, logits):
        best = logits.softmax(dim=2).detach().numpy().max(axis=2)  # TorchScript has no NumPy
        return torch.from_numpy(np.mean(np.log(best), axis=1))  # and no `torch.from_numpy`


class Recogniser(nn.Module):
    """Waves and their lengths in frames to the labels' scores and a confidence."""

    def __init__(self, width=16, labels=11):
        super().__init__()
        self.normalise = Normalise()
        self.frames = Frames(width)
        self.encoder = Encoder(width)
        self.down = Downsample(width)
        self.adapter = Adapter(width, nn.GELU())
        self.plain = Adapter(width)
        self.up = Upsample(width)
        self.mask = Mask()
        self.head = Head(width, labels)
        self.confidence = Confidence()

    def forward(self, waves, lengths, **options):  # a compiled function takes a fixed number of arguments
        x = self.encoder(self.frames(self.normalise(waves)))
        y, steps = self.down(x.transpose(1, 2))
        y = self.plain(self.adapter(y.transpose(1, 2))).transpose(1, 2)
        x = self.mask(x + self.up(y, steps).transpose(1, 2), lengths)
        logits = self.head(x) / options.get("temperature", 1.0)
        return logits, self.confidence(logits)


def build():
    """A recogniser, and one batch that it takes."""
    return Recogniser().eval(), (torch.rand(2, 150) - 0.5, torch.tensor([10.0, 7.0]))
