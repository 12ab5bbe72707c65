"""Builds modules of packages that are installed in a folder, with invented arguments and inputs (imports torch)."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import guesses
import running
import torch
from definitions import Definitions
from measuring import Fixer, Kept, Record, digested, rows, texts

_MOCKED = set(
    """PIL ai4ts aim anyascii asteroid_filterbanks av benchpots coqpit cv2 encodec faiss fastai fastcore
    fastprogress filterpy ftfy g2p_en gdown gensim google gruut h5py huggingface_hub humanfriendly hydra ignite
    imageio inflect jamo kaldiio lameenc librosa lightning lightning_utilities matplotlib mir_eval musdb nibabel
    nirtorch numba pandas parameterized psutil pygrinder pypinyin pystoi pytorch_lightning pyworld regex
    requests resampy seaborn sentencepiece skimage sklearn soundfile sphn submitit tensorboard tensorboardX
    termcolor tiktoken timm torch_audiomentations torch_complex torch_optimizer torch_stoi torchaudio torchcodec
    torchmetrics torchvision trainer transformers treetable tsdb wandb webrtcvad""".split()
)
_SKIPPED = {"tests", "test", "testing", "examples", "docs", "__pycache__"}
_TIME_LIMIT = 1500  # the limit of seconds for a package


def measured(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return the results of the modules of packages, by package as ``fixes.Result``."""
    site = options.site.resolve()
    names = [name for name in options.packages.split(",") if name] or sorted(
        path.name.removesuffix(".py")
        for path in site.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    )
    results = Kept(options.results)
    work = [(site, name, options) for name in names if results.get(name) is None]
    with multiprocessing.get_context("fork").Pool(options.jobs, _begin, (options,), maxtasksperchild=1) as pool:
        for name, result in pool.imap_unordered(_measured, work, chunksize=1):
            results.put(name, result)
            print(name, len(result["rows"]), "modules", result.get("error", ""), file=sys.stderr, flush=True)
    return {name: results.get(name) for name in names}


def _begin(options: argparse.Namespace) -> None:
    global _fixer, _before, _verdicts
    _fixer, _before, _verdicts = Fixer(options.python), Kept(options.before), Kept(options.verdicts)


_fixer: Fixer
_before: Kept
_verdicts: Kept


def _measured(arguments: tuple[Path, str, argparse.Namespace]) -> tuple[str, dict[str, Any]]:
    site, name, options = arguments
    path = site / name if (site / name).is_dir() else site / f"{name}.py"
    key = f"{name} {options.cap}"
    known = _before.get(key)
    if known is None:
        recipes = running.forked(_recipes, site, path, options.cap, seconds=1800) or {}
        known = [recipes, _judge_package(site, site, path, recipes, {})]
        _before.put(key, known)
    recipes, befores = known
    with tempfile.TemporaryDirectory(prefix="tslint-fixes-") as scratch:
        root = Path(scratch).resolve()
        copy = root / path.name
        copied = shutil.copytree if path.is_dir() else shutil.copy
        copied(path, copy)
        request = {"paths": [str(copy)], "root": str(root), "unsafe": not options.safe, "again": False}
        answer = _fixer.ask(request, _TIME_LIMIT) if recipes else {}
        _fixer.stop()
        old, new = texts(site, [path]), texts(root, [copy])
        after: dict[str, Record | None] = {}
        if old != new:
            digest = digested(key, *(f"{file}\0{text}" for file, text in sorted(new.items())))
            after = _verdicts.get(digest)
            if after is None:
                after = _judge_package(root, site, copy, recipes, befores)
                _verdicts.put(digest, after)
        if options.keep:
            shutil.copytree(root, options.keep, dirs_exist_ok=True)
    found = rows(name, befores, after, Definitions.of(old), Definitions.of(new), answer, safe=options.safe)
    for row in found:
        row["recipe"] = recipes[row["module"].partition(":")[2]]
    applied = Counter(each["code"] for each in answer.get("fixed", ()))
    result = {"rows": found, "applied": applied, "notes": answer.get("notes", []), "stable": True}
    return name, result | ({"error": answer["error"]} if "error" in answer else {})


def _prepare(root: Path, site: Path) -> None:
    """Make the packages below a folder importable; missing ones are imported from another folder."""
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", MPLBACKEND="agg", CUDA_VISIBLE_DEVICES="")
    sys.path[:0] = list(dict.fromkeys([str(root), str(site)]))
    running.quiet(_MOCKED)
    load = torch.ops.load_library

    def attempt(path: str) -> None:
        # Libraries of operators that were compiled for another torch cannot be loaded; code in Python works without
        # them.
        with contextlib.suppress(OSError):
            load(path)

    torch.ops.load_library = attempt


def _recipes(site: Path, path: Path, cap: int) -> dict[str, guesses.Recipe]:
    """Return recipes for some of a package's classes, by module and name."""
    _prepare(site, site)
    classes: dict[str, type] = {}
    for name in _modules(site, path):
        try:
            with running.limit(30):
                module = importlib.import_module(name)
        except (Exception, SystemExit, running.TimedOut):
            continue
        for each in vars(module).values():
            if isinstance(each, type) and each.__module__ == name and issubclass(each, torch.nn.Module):
                if not issubclass(each, torch.jit.ScriptModule):
                    classes[f"{name}.{each.__qualname__}"] = each
    keys = sorted(classes)
    random.Random(0).shuffle(keys)
    found: dict[str, guesses.Recipe] = {}
    for key in keys[: 4 * cap]:
        recipe = running.forked(guesses.guess, classes[key], seconds=40)
        if recipe is not None:
            found[key] = recipe
        if len(found) == cap:
            break
    return found


def _modules(site: Path, path: Path) -> Iterator[str]:
    for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        parts = file.relative_to(site).with_suffix("").parts
        if not _SKIPPED & set(parts) and all(part.isidentifier() for part in parts):
            if parts[-1] not in ("__main__", "setup", "conftest"):
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _judge_package(
    root: Path, site: Path, path: Path, recipes: dict[str, guesses.Recipe], befores: Mapping[str, Record | None]
) -> dict[str, Record | None]:
    found = running.forked(_judge_all, root, site, path.name, recipes, befores, seconds=3600)
    return dict.fromkeys(recipes) if found is None else found


def _judge_all(
    root: Path, site: Path, name: str, recipes: dict[str, guesses.Recipe], befores: Mapping[str, Record | None]
) -> dict[str, Record | None]:
    _prepare(root, site)
    for module in sorted({recipe["make"].partition(":")[0] for recipe in recipes.values()}):
        try:
            with running.limit(60):
                importlib.import_module(module)
        except (Exception, SystemExit, running.TimedOut):
            # If a class in it is built, the error is reported then.
            continue
    return {key: running.forked(_judged, recipe, root, name, befores.get(key)) for key, recipe in recipes.items()}


def _judged(recipe: guesses.Recipe, root: Path, name: str, before: Record | None) -> Record:
    record = running.judge(lambda: guesses.built(recipe), lambda: guesses.inputs(recipe), root, before)
    if record.get("lines"):
        # If the compiler stops in a package that is not fixed, no fix can help.
        record["lines"] = [place for place in record["lines"] if Path(place[0]).parts[0] == name]
    return record
