import torch
import torch.nn as nn
import torch.nn.functional as F

EPS = 1e-8


class GlobalLayerNorm(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1, channels, 1))
        self.beta = nn.Parameter(torch.zeros(1, channels, 1))

    def forward(self, y):
        mean = y.mean(dim=1, keepdim=True).mean(dim=2, keepdim=True)
        var = (torch.pow(y - mean, 2)).mean(dim=1, keepdim=True).mean(dim=2, keepdim=True)
        return self.gamma * (y - mean) / torch.pow(var + EPS, 0.5) + self.beta


class TemporalBlock(nn.Module):
    def __init__(self, channels, hidden, dilation, causal=False):
        super().__init__()
        pad = 2 * dilation if causal else dilation
        self.causal = causal
        self.pad = pad
        self.conv1 = nn.Conv1d(channels, hidden, 1)
        self.act = nn.PReLU()
        self.norm = GlobalLayerNorm(hidden)
        self.dconv = nn.Conv1d(hidden, hidden, 3, padding=pad, dilation=dilation, groups=hidden)
        if causal:
            self.chomp = nn.ConstantPad1d((0, -pad), 0.0)
        self.out = nn.Conv1d(hidden, channels, 1)

    def forward(self, x):
        y = self.norm(self.act(self.conv1(x)))
        y = self.dconv(y)
        if self.causal:
            y = self.chomp(y)
        return x + self.out(y)


class ConvTasNet(nn.Module):
    def __init__(self, N=16, L=8, B=8, H=16, X=3, R=2, C=2, mask_nonlinear="relu"):
        super().__init__()
        self.N, self.L, self.C = N, L, C
        self.mask_nonlinear = mask_nonlinear
        self.encoder = nn.Conv1d(1, N, L, stride=L // 2, bias=False)
        self.bottleneck = nn.Conv1d(N, B, 1)
        self.repeats = nn.ModuleList()
        for r in range(R):
            self.repeats.append(nn.Sequential(*[TemporalBlock(B, H, 2 ** x) for x in range(X)]))
        self.mask = nn.Conv1d(B, C * N, 1)
        self.decoder = nn.ConvTranspose1d(N, 1, L, stride=L // 2, bias=False)

    def forward(self, mixture):
        M, T = mixture.size()
        w = F.relu(self.encoder(mixture.unsqueeze(1)))
        y = self.bottleneck(w)
        skip = 0
        for block in self.repeats:
            y = block(y)
            skip = skip + y
        score = self.mask(skip).view(M, self.C, self.N, -1)
        if self.mask_nonlinear == "softmax":
            est_mask = F.softmax(score, dim=1)
        elif self.mask_nonlinear == "relu":
            est_mask = F.relu(score)
        else:
            raise ValueError("Unsupported mask non-linear function")
        sources = w.unsqueeze(1) * est_mask
        outs = [self.decoder(sources[:, i]).squeeze(1) for i in range(self.C)]
        est = torch.stack(outs, 1)
        return F.pad(est, (0, T - est.size(-1)))


def build():
    return ConvTasNet(), (torch.rand(2, 64),)
