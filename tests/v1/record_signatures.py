"""Record the names of the arguments of TensorFlow's public functions in ``tests/data/v1_signatures.json``.

Run ``python tests/v1/record_signatures.py`` with a Python that has TensorFlow.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import tensorflow.compat.v1 as tf

sys.path.insert(0, str(Path(__file__).parents[1] / "support" / "v1"))

from op_cases import words

DATA = Path(__file__).parents[1] / "data" / "v1_signatures.json"
LEFT_OUT = words("app compat data estimator experimental feature_column flags keras layers lite raw_ops tpu")


def _arguments(value: Any) -> str | None:
    """Return the positional arguments of a function, or of making an object of a class."""
    if not callable(value):
        return None
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return None
    plain = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
    return " ".join(each.name for each in parameters if each.kind in plain)


def _walk(space: ModuleType, path: str, found: dict[str, str], seen: set[int]) -> None:
    for name in sorted(dir(space)):
        if name.startswith("_") or (not path and name in LEFT_OUT):
            continue
        value = getattr(space, name, None)
        if isinstance(value, ModuleType):
            if str(vars(value).get("__name__")).startswith("tensorflow") and path.count(".") < 2:
                _walk(value, f"{path}{name}.", found, seen)
        elif id(value) not in seen and (arguments := _arguments(value)):
            seen.add(id(value))
            found[f"{path}{name}"] = arguments


def main() -> None:
    found: dict[str, str] = {}
    _walk(tf, "", found, set())
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found))
    DATA.write_text(f'{{"tensorflow": "{tf.__version__}", "arguments": {{\n{rows}\n}}}}\n')
    print(f"{DATA.name}: {len(found)} functions")


if __name__ == "__main__":
    main()
