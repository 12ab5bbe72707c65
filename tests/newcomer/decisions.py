"""Follows the help of each finding without a fix literally, as a person would."""

from __future__ import annotations

Edits = list[tuple[str, str]]

# By file: text after the fixes, and what the person writes instead. Then the fixes run once more.
DECISIONS: dict[str, Edits] = {
    "vit.py": [
        ("import torch\nfrom einops import rearrange, repeat\n", "from typing import Optional\n\nimport torch\n"),
        ("mask=None", "mask: Optional[torch.Tensor] = None"),
        ('rearrange(t, "b n (h d) -> b h n d", h=h)', "t.view(b, n, h, -1).permute(0, 2, 1, 3)"),
        ('rearrange(out, "b h n d -> b n (h d)")', "out.permute(0, 2, 1, 3).reshape(b, n, -1)"),
        (
            'rearrange(img, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=p, p2=p)',
            "img.unfold(2, p, p).unfold(3, p, p).permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)",
        ),
        ('repeat(self.cls, "() n d -> b n d", b=b)', "self.cls.expand(b, -1, -1)"),
    ],
    "detector.py": [
        ("import torch\nimport torch.nn", "from typing import List\n\nimport torch\nimport torch.nn"),
        ("def forward(self, features)", "def forward(self, features: List[torch.Tensor])"),
        ("reversed(features)", "features[::-1]"),
        (
            "        for feat, inner, layer in list(zip(features, self.inner, self.layer))[:-1][::-1]:\n"
            '            top_down = F.interpolate(last, size=feat.shape[-2:], mode="nearest")\n'
            "            last = inner(feat) + top_down\n"
            "            results.insert(0, layer(last))\n",
            "        for level in range(len(features) - 2, -1, -1):\n"
            '            top_down = F.interpolate(last, size=features[level].shape[-2:], mode="nearest")\n'
            "            for i, (inner, layer) in enumerate(zip(self.inner, self.layer)):\n"
            "                if i == level:\n"
            "                    last = inner(features[i]) + top_down\n"
            "                    results.insert(0, layer(last))\n",
        ),
    ],
    "config.py": [
        ("        self.cfg = cfg\n        self.norm", "        self.dropout = cfg.dropout\n        self.norm"),
        (
            "        self.cfg = cfg\n        self.embed",
            "        self.scale_embedding = cfg.scale_embedding\n"
            "        self.hidden = cfg.hidden\n"
            "        self.tie = cfg.tie\n"
            "        self.embed",
        ),
        ("self.cfg.", "self."),
    ],
    "exports.py": [("if self.training:", "if self.training and not torch.jit.is_scripting():")],
    "nested.py": [
        ("row.append(None)", "row.append(nn.Identity())"),
        ("import torch\n", "from typing import List\n\nimport torch\n"),
        ("forward(self, x):\n        if self.num", "forward(self, x: List[torch.Tensor]):\n        if self.num"),
    ],
    "accumulate.py": [
        ("import torch\n", "from typing import List\n\nimport torch\n"),
        ("def forward(self, preds, ", "def forward(self, preds: List[torch.Tensor], "),
        ("self.weights = weights", "self.weights = list(weights)"),
        ("total = 0.0", "total = torch.zeros(())"),
        ("p.max().item()", "float(p.max())"),
    ],
    "pkg/blocks/se.py": [("b, c, *_ = y.shape", "b, c = y.shape[0], y.shape[1]")],
}
