import torch
from torch import nn


class HRModule(nn.Module):
    def __init__(self, num_branches, channels):
        super().__init__()
        self.num_branches = num_branches
        self.branches = nn.ModuleList([nn.Conv2d(c, c, 3, padding=1) for c in channels])
        self.fuse_layers = nn.ModuleList()
        for i in range(num_branches):
            row = []
            for j in range(num_branches):
                if j > i:
                    row.append(nn.Sequential(nn.Conv2d(channels[j], channels[i], 1), nn.Upsample(scale_factor=2 ** (j - i))))
                elif j == i:
                    row.append(None)
                else:
                    row.append(nn.Sequential(*[nn.Conv2d(channels[j] if k == 0 else channels[i], channels[i], 3, 2, 1) for k in range(i - j)]))
            self.fuse_layers.append(nn.ModuleList(row))
        self.relu = nn.ReLU()

    def forward(self, x):
        if self.num_branches == 1:
            return [self.branches[0](x[0])]
        for i in range(self.num_branches):
            x[i] = self.branches[i](x[i])
        x_fuse = []
        for i in range(len(self.fuse_layers)):
            y = x[0] if i == 0 else self.fuse_layers[i][0](x[0])
            for j in range(1, self.num_branches):
                if i == j:
                    y = y + x[j]
                else:
                    y = y + self.fuse_layers[i][j](x[j])
            x_fuse.append(self.relu(y))
        return x_fuse


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.down = nn.Conv2d(8, 16, 3, 2, 1)
        self.hr = HRModule(2, [8, 16])

    def forward(self, x):
        x = self.stem(x)
        outs = self.hr([x, self.down(x)])
        return outs


def build():
    return Net(), (torch.rand(1, 3, 16, 16),)
