import torch
import torch.nn as nn
import torch.nn.functional as F


def conv3x3(i, o, stride=1):
    return nn.Conv2d(i, o, 3, stride=stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, inplanes, planes, stride=1, downsample=None):
        super().__init__()
        self.conv1 = conv3x3(inplanes, planes, stride)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = downsample

    def forward(self, x):
        identity = x
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return F.relu(out)


class ResNet(nn.Module):
    def __init__(self, layers=(2, 2, 2), width=8, num_classes=10):
        super().__init__()
        self.stem = nn.Sequential(conv3x3(3, width), nn.BatchNorm2d(width), nn.ReLU())
        self.stages = nn.ModuleList()
        inplanes = width
        for i, n in enumerate(layers):
            planes = width * 2 ** i
            blocks = []
            for j in range(n):
                stride = 2 if i > 0 and j == 0 else 1
                down = None
                if stride != 1 or inplanes != planes:
                    down = nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))
                blocks.append(BasicBlock(inplanes, planes, stride, down))
                inplanes = planes
            self.stages.append(nn.Sequential(*blocks))
        self.num_layers = len(layers)
        self.fc = nn.Linear(inplanes, num_classes)

    def forward(self, x, return_features=False):
        x = self.stem(x)
        feats = []
        for i in range(self.num_layers):
            x = self.stages[i](x)
            feats.append(x)
        if return_features:
            return feats
        x = F.adaptive_avg_pool2d(x, 1)
        x = x.view(x.size(0), -1)
        return self.fc(x)


def build():
    return ResNet(), (torch.rand(2, 3, 32, 32),)
