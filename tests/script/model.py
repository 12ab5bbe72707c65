"""What the model says of a text, for tests."""

from __future__ import annotations

from pathlib import Path

from tslint.project.definitions import Class
from tslint.project.index import Project
from tslint.script.attributes import Attribute, ClassFacts
from tslint.script.events import Event
from tslint.script.model import Model
from tslint.sources.file import SourceFile

HEAD = """from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple, Union
import math
import torch
from torch import Tensor, nn
import torch.nn.functional as F
"""


def events(text: str) -> list[Event]:
    """The events of a text, each once, the missing return annotations of ``forward`` left out."""
    project = Project()
    module = project.add(SourceFile(Path("/example/case.py"), HEAD + text))
    model = Model(project)
    model.analyse([module])
    found = {(event.kind, event.span): event for event in model.all_events() if event.compiler}
    return list(found.values())


def kinds(text: str) -> list[str]:
    """The kinds of the events, conditional ones with a question mark."""
    return sorted(event.kind + ("?" if event.condition else "") for event in events(text))


def facts(text: str, name: str = "Net") -> ClassFacts:
    """What the constructor of a class leaves."""
    project = Project()
    module = project.add(SourceFile(Path("/example/case.py"), HEAD + text))
    definition = project.resolve(module, name)
    assert isinstance(definition, Class)
    return Model(project).facts(definition)


def holds(attribute: Attribute) -> str:
    """The tests under which an attribute holds its value, in words."""
    return " and ".join(sorted(atom.words() for atom in attribute.atoms))
