from torch import nn

from ..layers import ConvBnAct, drop_path


class SEBlock(nn.Module):
    def __init__(self, channels, reduction=4, drop=0.1):
        super().__init__()
        self.body = ConvBnAct(channels, channels, act="silu")
        self.squeeze = nn.Linear(channels, channels // reduction)
        self.excite = nn.Linear(channels // reduction, channels)
        self.drop = drop

    def forward(self, x):
        y = self.body(x)
        b, c, *_ = y.shape
        s = y.mean((2, 3))
        s = self.excite(self.squeeze(s).relu()).sigmoid().view(b, c, 1, 1)
        return x + drop_path(y * s, self.drop, self.training)
