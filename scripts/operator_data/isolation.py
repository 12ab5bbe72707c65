"""Asks the compiler many questions in forked children, so that a crash costs one answer, not the run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any


def answers(questions: Sequence[Any], ask: Callable[[Any], Any]) -> list[Any]:
    """Return the answers in order; ``"crash"`` if a question killed the process. Answers are JSON."""
    found: list[Any] = []
    while len(found) < len(questions):
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.close(reader)
            with os.fdopen(writer, "w") as out:
                for question in questions[len(found) :]:
                    out.write(json.dumps(ask(question)) + "\n")
                    out.flush()
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as lines:
            found += [json.loads(line) for line in lines]
        os.waitpid(child, 0)
        if len(found) < len(questions):
            found.append("crash")
    return found
