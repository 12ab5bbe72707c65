import torch
from einops import rearrange, repeat
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads=4, dropout=0.0):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        b, n, _, h = *x.shape, self.heads
        qkv = self.to_qkv(x).chunk(3, dim=-1)
        q, k, v = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=h), qkv)
        dots = torch.einsum("bhid,bhjd->bhij", q, k) * self.scale
        if mask is not None:
            dots = dots.masked_fill(~mask, -torch.finfo(dots.dtype).max)
        attn = dots.softmax(dim=-1)
        out = torch.einsum("bhij,bhjd->bhid", attn, v)
        out = rearrange(out, "b h n d -> b n (h d)")
        return self.proj(out)


class Transformer(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([
                nn.LayerNorm(dim),
                Attention(dim),
                nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim * 2), nn.GELU(), nn.Linear(dim * 2, dim)),
            ]))

    def forward(self, x, mask=None):
        for norm, attn, ff in self.layers:
            x = attn(norm(x), mask=mask) + x
            x = ff(x) + x
        return x


class ViT(nn.Module):
    def __init__(self, image_size=32, patch_size=8, dim=32, depth=2, num_classes=10):
        super().__init__()
        self.patch_size = patch_size
        n = (image_size // patch_size) ** 2
        self.embed = nn.Linear(3 * patch_size ** 2, dim)
        self.pos = nn.Parameter(torch.randn(1, n + 1, dim))
        self.cls = nn.Parameter(torch.randn(1, 1, dim))
        self.transformer = Transformer(dim, depth)
        self.head = nn.Linear(dim, num_classes)

    def forward(self, img):
        p = self.patch_size
        x = rearrange(img, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=p, p2=p)
        x = self.embed(x)
        b, n, _ = x.shape
        cls = repeat(self.cls, "() n d -> b n d", b=b)
        x = torch.cat((cls, x), dim=1)
        x += self.pos[:, : n + 1]
        x = self.transformer(x)
        return self.head(x[:, 0])


def build():
    return ViT(), (torch.rand(2, 3, 32, 32),)
