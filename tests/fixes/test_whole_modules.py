"""Tests fixes of modules that many repositories copy: all of each module has to compile, and to compute the same."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise

# The module, constructions, inputs, and lines of the fixed text.
MODULES = {
    "structural similarity": (
        """
        import torch.nn.functional as F
        from torch.autograd import Variable


        def bell(width, sigma):
            weights = torch.Tensor([math.exp(-((i - width // 2) ** 2) / float(2 * sigma**2)) for i in range(width)])
            return weights / weights.sum()


        def window_of(width, channels):
            row = bell(width, 1.5).unsqueeze(1)
            plane = row.mm(row.t()).float().unsqueeze(0).unsqueeze(0)
            return Variable(plane.expand(channels, 1, width, width).contiguous())


        class Net(nn.Module):
            def __init__(self, width=3, mean=True):
                super().__init__()
                self.width = width
                self.mean = mean
                self.channels = 1
                self.window = window_of(width, self.channels)

            def forward(self, a, b):
                _, channels, _, _ = a.size()
                if channels == self.channels and self.window.data.type() == a.data.type():
                    window = self.window
                else:
                    window = window_of(self.width, channels)
                    if a.is_cuda:
                        window = window.cuda(a.get_device())
                    window = window.type_as(a)
                    self.window = window
                    self.channels = channels
                both = F.conv2d(a, window, padding=self.width // 2, groups=channels) * b
                return both.mean() if self.mean else both.mean(1)
        """,
        ["Net()", "Net(5, False)"],
        ["torch.rand(2, 3, 4, 4), torch.rand(2, 3, 4, 4)", "torch.rand(1, 1, 4, 4), torch.rand(1, 1, 4, 4)"],
        ['window = window.to(torch.device("cuda", a.get_device()))'],
    ),
    "a function that gets the dropout": (
        """
        import torch.nn.functional as F


        def attend(query, key, value, mask=None, dropout=None):
            scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
            if mask is not None:
                scores = scores.masked_fill(mask == 0, -1e9)
            weights = F.softmax(scores, dim=-1)
            if dropout is not None:
                weights = dropout(weights)
            return torch.matmul(weights, value), weights


        class Net(nn.Module):
            def __init__(self, heads=2, rate=0.0):
                super().__init__()
                torch.manual_seed(0)
                self.heads = heads
                self.linears = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
                self.attn = None
                self.dropout = nn.Dropout(p=rate)

            def forward(self, query, key, value, mask=None):
                if mask is not None:
                    mask = mask.unsqueeze(1)
                count = query.size(0)
                query, key, value = [
                    linear(x).view(count, -1, self.heads, 4 // self.heads).transpose(1, 2)
                    for linear, x in zip(self.linears, (query, key, value))
                ]
                x, self.attn = attend(query, key, value, mask=mask, dropout=self.dropout)
                return x.transpose(1, 2).contiguous().view(count, -1, 4)
        """,
        ["Net()", "Net(4)"],
        [
            "torch.rand(2, 3, 4), torch.rand(2, 3, 4), torch.rand(2, 3, 4)",
            "torch.rand(2, 3, 4), torch.rand(2, 3, 4), torch.rand(2, 3, 4), torch.eye(3).unsqueeze(0)",
        ],
        [
            "    attn: Optional[torch.Tensor]\n",
            "    def _attend_with_dropout(\n        self, query, key, value, mask: Optional[torch.Tensor] = None\n",
        ],
    ),
    "a sum over kinds of pooling": (
        """
        import torch.nn.functional as F


        class Net(nn.Module):
            def __init__(self, kinds=["avg", "max"]):
                super().__init__()
                torch.manual_seed(0)
                self.mlp = nn.Sequential(nn.Flatten(), nn.Linear(2, 2))
                self.kinds = kinds

            def forward(self, x):
                total = None
                for kind in self.kinds:
                    if kind == "avg":
                        part = self.mlp(F.adaptive_avg_pool2d(x, 1))
                    elif kind == "max":
                        part = self.mlp(F.adaptive_max_pool2d(x, 1))
                    if total is None:
                        total = part
                    else:
                        total = total + part
                return x * torch.sigmoid(total).unsqueeze(2).unsqueeze(3).expand_as(x)
        """,
        ["Net()", "Net(['max'])", "Net(['avg', 'other'])", "Net(['other', 'avg'])", "Net(['no'])"],
        ["torch.rand(1, 2, 3, 3)"],
        [
            "        total: Optional[torch.Tensor] = None\n        part: Optional[torch.Tensor] = None\n",
            "            assert part is not None\n            if total is None:\n",
            "        assert total is not None\n        return x * torch.sigmoid(total)",
        ],
    ),
    "heads for several sizes": (
        """
        class Net(nn.Module):
            def __init__(self, sizes=2, heads=2):
                super().__init__()
                torch.manual_seed(0)
                self.sizes = sizes
                self.conv = nn.Conv2d(3, 3, 1)
                self.loc = nn.Sequential(*[nn.Conv2d(3, 3, 1) for _ in range(heads)])
                self.conf = nn.Sequential(*[nn.Conv2d(3, 3, 1) for _ in range(heads)])

            def forward(self, x):
                sources = list()
                loc = list()
                conf = list()
                for _ in range(self.sizes):
                    x = self.conv(x)
                    sources.append(x)
                for x, l, c in zip(sources, self.loc, self.conf):
                    loc.append(l(x).permute(0, 2, 3, 1).contiguous())
                    conf.append(c(x).permute(0, 2, 3, 1).contiguous())
                return torch.cat([o.view(o.size(0), -1) for o in loc + conf], 1)
        """,
        ["Net()", "Net(3, 2)", "Net(2, 3)", "Net(1, 1)"],
        ["torch.rand(1, 3, 2, 2)"],
        ["        for i, (l, c) in enumerate(zip(self.loc, self.conf)):\n            if i < len(sources):\n"],
    ),
    "a recurrent network of a kind": (
        """
        class Net(nn.Module):
            def __init__(self, kind="LSTM"):
                super().__init__()
                torch.manual_seed(0)
                self.kind = kind
                if self.kind == "LSTM":
                    self.rnn = nn.LSTM(3, 4)
                elif self.kind == "GRU":
                    self.rnn = nn.GRU(3, 4)

            def forward(self, x):
                if self.kind == "LSTM":
                    out, (h, c) = self.rnn(x)
                else:
                    out, h = self.rnn(x)
                return out + h
        """,
        ["Net()", "Net('GRU')"],
        ["torch.rand(2, 3)"],
        ["        if self._kind_is_lstm:", '        self._kind_is_lstm = self.kind == "LSTM"'],
    ),
    "a mask that is kept for the next input": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.mask = None
                self.scale = None

            def later(self, size):
                return torch.triu(torch.ones(size, size)) == 0

            def forward(self, x, masked=True):
                if masked:
                    if self.mask is None or self.mask.size(0) != len(x):
                        mask = self.later(len(x))
                        self.mask = mask
                else:
                    self.mask = None
                if self.scale is not None and self.scale.size(0) == x.size(0):
                    x = x * 2
                self.scale = x
                return x if self.mask is None else x.masked_fill(self.mask, 0.0)
        """,
        ["Net()"],
        ["torch.rand(3, 3)", "torch.rand(2, 2), False"],
        [
            "        if current_mask is None or current_mask.size(0) != len(x):",
            "        if scale is not None and scale.size(0) ==",
        ],
    ),
    "outputs that a configuration asks for": (
        """
        from types import SimpleNamespace


        class Net(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.output_attentions = config.output_attentions
                self.dropout = nn.Dropout(0.0)

            def forward(self, x, mask):
                weights = self.dropout(nn.Softmax(dim=-1)(x + mask))
                outputs = (x, weights) if self.output_attentions else (x,)
                return outputs
        """,
        [f"Net(SimpleNamespace(output_attentions={value}))" for value in ("True", "False", "1", "0", "None")],
        ["torch.rand(2, 3), torch.zeros(2, 3)"],
        [
            '    __constants__ = ["_has_output_attentions"]\n',
            "(x, weights) if self._has_output_attentions else (x,)\n",
        ],
    ),
    "a shortcut beside initialized layers": (
        """
        class Net(nn.Module):
            def __init__(self, inside=2, outside=2):
                super().__init__()
                if inside != outside:
                    self.down = nn.Sequential(nn.Conv2d(inside, outside, 1), nn.BatchNorm2d(outside))
                else:
                    self.down = lambda x: x
                for m in self.modules():
                    if isinstance(m, nn.Conv2d):
                        nn.init.ones_(m.weight)
                    elif isinstance(m, nn.BatchNorm2d):
                        nn.init.zeros_(m.bias)

            def forward(self, x):
                return self.down(x) + 1
        """,
        ["Net()", "Net(2, 3)"],
        ["torch.rand(2, 2, 3, 3)"],
        ["self.down = nn.Identity()"],
    ),
    "attention that remembers keys and values": (
        """
        class Net(nn.Module):
            def __init__(self, decodes: bool = False):
                super().__init__()
                self.decodes = decodes
                self.key = nn.Linear(4, 4)
                self.value = nn.Linear(4, 4)

            def forward(
                self,
                x: torch.Tensor,
                other: Optional[torch.Tensor] = None,
                past: Optional[Tuple[torch.Tensor]] = None,
                weights: bool = False,
            ) -> Tuple[torch.Tensor, Optional[torch.Tensor], Optional[Tuple[torch.Tensor]]]:
                crosses = other is not None
                if crosses and past is not None:
                    keys = past[0]
                    values = past[1]
                elif crosses:
                    keys = self.key(other)
                    values = self.value(other)
                else:
                    keys = self.key(x)
                    values = self.value(x)
                if self.decodes:
                    past = keys, values
                scores = torch.softmax(x @ keys.transpose(-1, -2), dim=-1)
                if weights:
                    shown = scores + 0
                else:
                    shown = None
                return scores @ values, shown, past


        def adapt(net: Net):
            net.decodes = True
        """,
        ["Net()", "Net(True)"],
        [
            "torch.rand(2, 3, 4)",
            "torch.rand(2, 3, 4), torch.rand(2, 5, 4), None, True",
            "torch.rand(2, 3, 4), torch.rand(2, 5, 4), (torch.rand(2, 5, 4), torch.rand(2, 5, 4))",
        ],
        [
            "past: Optional[Tuple[torch.Tensor, torch.Tensor]] = None",
            "        Optional[Tuple[torch.Tensor, torch.Tensor]],\n",
            "            assert other is not None\n            keys = self.key(other)\n            values =",
        ],
    ),
    "embeddings of ids or vectors": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.words = nn.Embedding(5, 4)
                self.places = nn.Embedding(6, 4)

            def forward(self, ids=None, places=None, vectors=None, seen=0):
                if places is None:
                    if ids is not None:
                        places = torch.arange(ids.size(1)) + seen
                    else:
                        places = self.count(vectors)
                if ids is not None:
                    shape = ids.size()
                else:
                    shape = vectors.size()[:-1]
                if vectors is None:
                    vectors = self.words(ids)
                return vectors + self.places(places)[: shape[1]]

            def count(self, vectors):
                shape = vectors.size()[:-1]
                return torch.arange(1, shape[1] + 1, dtype=torch.long, device=vectors.device)
        """,
        ["Net()"],
        [
            "torch.ones(2, 3, dtype=torch.long)",
            "None, None, torch.rand(2, 3, 4)",
            "torch.ones(2, 3, dtype=torch.long), torch.ones(3, dtype=torch.long)",
        ],
        [
            "            shape = ids.size()\n        else:\n            assert vectors is not None\n",
            "            assert ids is not None\n            vectors = self.words(ids)\n",
            "        assert vectors is not None\n        shape = vectors.size()[:-1]\n",
        ],
    ),
}


@pytest.mark.parametrize("case", MODULES)
def test_all_of_it_compiles(case: str) -> None:
    text, constructions, inputs, lines = MODULES[case]
    after = check_promise(text, constructions, [f"({each},)" if "," not in each else f"({each})" for each in inputs])
    assert all(line in after for line in lines), after
