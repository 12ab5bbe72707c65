"""The JSON schema of the output of ``tslint verify``. It allows no other fields: a new field must be added here."""

from __future__ import annotations

from typing import Any

from tslint.verify.stage_names import STAGES


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT = {"type": "string"}
_LINE = {"type": "string", "pattern": "^[^\\n\\r]*$"}
_OPTIONAL_TEXT = {"type": ["string", "null"]}
_NUMBER = {"type": "integer", "minimum": 1}
_LOCATION = _object(row=_NUMBER, column=_NUMBER)
_EDIT = _object(location=_LOCATION, end_location=_LOCATION, content=_TEXT)
_FIX = _object(
    applicability={"enum": ["safe", "unsafe", "display"]}, message=_TEXT, edits={"type": "array", "items": _EDIT}
)
_FINDING = _object(
    code={"type": "string", "pattern": "^TS[0-9]{3}$"},
    name={"type": "string", "pattern": "^[a-z0-9-]+$"},
    severity={"enum": ["error", "warning", "info"]},
    stage={"enum": ["script", "trace", "save", "load"]},
    message=_LINE,
    filename={"type": "string", "pattern": "^/"},
    location=_LOCATION,
    end_location=_LOCATION,
    compiled_via={"type": "array", "items": _object(name=_TEXT, filename=_TEXT, location=_LOCATION)},
    url=_TEXT,
    help=_OPTIONAL_TEXT,
    compiler=_OPTIONAL_TEXT,
    fix={"anyOf": [{"type": "null"}, _FIX]},
)
_STAGE = _object(
    name={"enum": list(STAGES)},
    status={"enum": ["passed", "failed", "skipped", "unavailable"]},
    seconds={"type": "number", "minimum": 0},
    detail=_LINE,
    findings={"type": "array", "items": _FINDING},
)
_TARGET = _object(
    target=_TEXT,
    verdict={"enum": ["pass", "fail", "error"]},
    stages={"type": "array", "items": _STAGE, "minItems": len(STAGES), "maxItems": len(STAGES)},
    artifacts={"anyOf": [{"type": "null"}, _object(script=_OPTIONAL_TEXT, trace=_OPTIONAL_TEXT)]},
)
SCHEMA = _object(torch=_TEXT, python=_TEXT, targets={"type": "array", "items": _TARGET})
