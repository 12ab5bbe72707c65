from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


class FPN(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.inner = nn.ModuleList([nn.Conv2d(c, out_channels, 1) for c in in_channels])
        self.layer = nn.ModuleList([nn.Conv2d(out_channels, out_channels, 3, padding=1) for _ in in_channels])

    def forward(self, features):
        last = self.inner[-1](features[-1])
        results = [self.layer[-1](last)]
        for feat, inner, layer in list(zip(features, self.inner, self.layer))[:-1][::-1]:
            top_down = F.interpolate(last, size=feat.shape[-2:], mode="nearest")
            last = inner(feat) + top_down
            results.insert(0, layer(last))
        return results


class Head(nn.Module):
    def __init__(self, channels, num_anchors, num_classes):
        super().__init__()
        self.cls = nn.Conv2d(channels, num_anchors * num_classes, 3, padding=1)
        self.box = nn.Conv2d(channels, num_anchors * 4, 3, padding=1)
        self.num_classes = num_classes

    def forward(self, features):
        scores, boxes = [], []
        for f in features:
            n = f.shape[0]
            scores.append(self.cls(f).permute(0, 2, 3, 1).reshape(n, -1, self.num_classes))
            boxes.append(self.box(f).permute(0, 2, 3, 1).reshape(n, -1, 4))
        return torch.cat(scores, 1), torch.cat(boxes, 1)


class Detector(nn.Module):
    def __init__(self, num_classes=5):
        super().__init__()
        self.body = nn.ModuleList([
            nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU()),
            nn.Sequential(nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU()),
            nn.Sequential(nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU()),
        ])
        self.fpn = FPN([8, 16, 32], 16)
        self.head = Head(16, 3, num_classes)

    def forward(self, images):
        features = []
        x = images
        for stage in self.body:
            x = stage(x)
            features.append(x)
        features = self.fpn(features)
        for i, f in enumerate(reversed(features)):
            if torch.isnan(f).any():
                raise ValueError(f"level {i} is not a number")
        scores, boxes = self.head(features)
        return {"scores": scores.sigmoid(), "boxes": boxes}


def build():
    return Detector(), (torch.rand(1, 3, 64, 64),)
