"""What a command prints as JSON."""

from __future__ import annotations

import json
import math
from typing import Any


def print_json(value: Any) -> None:
    """One object on standard output; a figure that does not exist is null."""
    print(json.dumps(without_nan(value), allow_nan=False, default=str))


def without_nan(value: Any) -> Any:
    """JSON has no word for a figure that does not exist but null."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
