"""Follows the help of each finding without a fix literally, as a person would."""

from __future__ import annotations

Edits = list[tuple[str, str]]

# For each file: parts of its text after the fixes, and what the person writes instead. Then the fixes run once more.
DECISIONS: dict[str, Edits] = {
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
}
