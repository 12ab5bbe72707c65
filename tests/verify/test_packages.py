"""Tests the verdicts on models of public packages, which plain torch gives as well: scripted, traced, saved, loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.installs

# Each without its requirements, which include torch; those that it needs are named.
_PACKAGES = """
efficientnet_pytorch==0.7.1 nystrom-attention==0.0.14 einops==0.8.1 silero-vad==6.2.0 torchaudio==2.11.0
transformers==4.57.6 huggingface-hub==0.36.0 tokenizers==0.22.1 safetensors==0.6.2 regex tqdm requests filelock
packaging pyyaml idna charset-normalizer urllib3 certifi fsspec typing-extensions torchvision==0.28.0 timm==1.0.20
"""

_TARGETS = """
import importlib.util
from pathlib import Path

import torch


def efficientnet(efficient=True):
    from efficientnet_pytorch import EfficientNet

    net = EfficientNet.from_name("efficientnet-b0", image_size=None, num_classes=4)
    net.set_swish(memory_efficient=efficient)
    return net.eval(), torch.rand(1, 3, 64, 64)


def efficientnet_for_export():
    return efficientnet(efficient=False)


def nystrom():
    from nystrom_attention import NystromAttention

    return NystromAttention(dim=16, dim_head=8, heads=2, num_landmarks=4).eval(), torch.rand(1, 12, 16)


def bert():
    from transformers import BertConfig, BertModel

    sizes = dict(vocab_size=30, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32)
    inputs = torch.randint(1, 30, (2, 7)), torch.ones(2, 7, dtype=torch.int64)
    return BertModel(BertConfig(**sizes, torchscript=True)).eval(), inputs


def vad():
    folder = Path(importlib.util.find_spec("silero_vad").submodule_search_locations[0], "data")
    return torch.jit.load(folder / "silero_vad.jit"), (torch.rand(1, 512), 16000)


def wav2vec2():
    from torchaudio.models import wav2vec2_model

    extractor = ("group_norm", [(8, 10, 5), (8, 3, 2)], False)
    encoder = dict(
        encoder_embed_dim=8, encoder_projection_dropout=0.0, encoder_pos_conv_kernel=4, encoder_pos_conv_groups=2,
        encoder_num_layers=1, encoder_num_heads=2, encoder_attention_dropout=0.0, encoder_ff_interm_features=16,
        encoder_ff_interm_dropout=0.0, encoder_dropout=0.0, encoder_layer_norm_first=False, encoder_layer_drop=0.0,
    )
    net = wav2vec2_model(*extractor, **encoder, aux_num_out=None)
    return net.eval(), torch.rand(1, 800)


def detection():
    from torchvision.ops import nms

    class Detection(torch.nn.Module):
        def forward(self, boxes, scores):
            return nms(boxes, scores, 0.5)

    return Detection().eval(), (torch.tensor([[0.0, 0.0, 1.0, 1.0], [2.0, 2.0, 3.0, 3.0]]), torch.tensor([0.5, 0.75]))


def vit():
    import timm

    return timm.create_model("vit_tiny_patch16_224", img_size=32, num_classes=4).eval(), torch.rand(1, 3, 32, 32)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the packages and the targets."""
    folder = tmp_path_factory.mktemp("packages")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), *_PACKAGES.split()]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the packages cannot be installed here: {done.stderr.strip()[-300:]}")
    (folder / "targets.py").write_text(_TARGETS, encoding="utf-8")
    return folder


def verify(folder: Path, name: str, *options: str) -> tuple[str, dict[str, str]]:
    """Return the verdict, and the detail of each failed stage."""
    line = [sys.executable, "-m", "tslint", "verify", f"targets.py:{name}", "--output-format", "json", "--isolated"]
    done = subprocess.run([*line, *options], cwd=folder, capture_output=True, text=True)
    target: dict[str, Any] = json.loads(done.stdout)["targets"][0]
    stages = {stage["name"]: stage for stage in target["stages"]}
    if stages["build"]["status"] != "passed":
        pytest.skip(f"the package does not work beside this torch: {stages['build']['detail']}")
    return target["verdict"], {name: stage["detail"] for name, stage in stages.items() if stage["status"] == "failed"}


@pytest.mark.parametrize(
    ("name", "mode", "failed"),
    [
        ("efficientnet", "script", {"script": "object has no attribute or method 'expand_ratio'"}),
        ("efficientnet", "trace", {"save": "trace: Could not export Python function call 'SwishImplementation'"}),
        ("efficientnet_for_export", "trace", {}),
        ("nystrom", "script", {"script": "Lambda aren't supported"}),
        ("nystrom", "trace", {"generalize": "the condition was decided while tracing"}),
        ("bert", "trace", {}),
        ("bert", "script", {"script": "Compiled functions can't take variable number of arguments"}),
        ("vad", "script", {}),
        ("wav2vec2", "script", {}),
        ("wav2vec2", "trace", {"trace": "forward gives (float32[1, 79, 8], None)"}),
        ("detection", "script", {"reload": "torchvision"}),
        ("vit", "trace", {}),
    ],
)
def test_the_verdict_is_that_of_plain_torch(folder: Path, name: str, mode: str, failed: dict[str, str]) -> None:
    verdict, found = verify(folder, name, "--mode", mode, "--skip", "export,threads,modes")
    assert (verdict, list(found)) == ("fail" if failed else "pass", list(failed)), found
    assert all(words in found[stage] for stage, words in failed.items()), found
