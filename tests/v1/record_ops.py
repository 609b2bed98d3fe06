"""Record TensorFlow's answers to the conformance cases in ``tests/data/v1_ops.json``.

Run ``python tests/v1/record_ops.py`` with a Python that has TensorFlow; the file says which version answered. With
``--new`` only cases that have no answer yet are asked, and answers without a case go.
"""

from __future__ import annotations

import builtins
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf

sys.path.insert(0, str(Path(__file__).parents[1] / "support" / "v1"))

from op_cases import Case, resolve, words
from op_compare import assert_same
from op_errors import raised
from op_observe import FED, MODES, fed_values, gradients, outcome, static_shapes
from op_tables import CASES, ERRORS

DATA = Path(__file__).parents[1] / "data" / "v1_ops.json"
NAMESPACES = words("math nn linalg losses random train initializers")


def aliases() -> dict[str, str]:
    """Return the other names under which TensorFlow has the functions of the cases."""
    found = {}
    for path in sorted({case.path for case in CASES.values() if case.path}):
        function = resolve(tf, path)
        for space in ["", *NAMESPACES]:
            other = f"{space}.{path.split('.')[-1]}".lstrip(".")
            where = resolve(tf, space) if space else tf
            if other != path and getattr(where, path.split(".")[-1], None) is function:
                found[other] = path
    return found


def recorded(before: dict[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for name, case in CASES.items():
        if name in before:
            answers[name] = before[name]
            continue
        try:
            answers[name] = answer(case)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    return answers


def answer(case: Case) -> dict[str, Any]:
    found = outcome(tf, case)
    found["static"] = {mode: static_shapes(tf, case, mode) for mode in (MODES if case.fed else MODES[:1])}
    if case.grad:
        found["gradients"] = gradients(tf, case)
    for mode in FED:
        if case.fed and isinstance(found["static"][mode], list):
            for got, want in zip(fed_values(tf, case, mode), found["outputs"], strict=True):
                if case.values:
                    assert_same(got, want)
    return found


def public(error: Exception) -> list[str]:
    """Return the names by which a program can catch the error, the nearest first."""
    known = [
        kind.__name__
        for kind in type(error).__mro__
        if hasattr(tf.errors, kind.__name__) or hasattr(builtins, kind.__name__)
    ]
    return known[: known.index("OpError") if "OpError" in known else known.index("Exception")]


def failures(before: dict[str, Any]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for name, case in ERRORS.items():
        if name in before:
            answers[name] = before[name]
            continue
        error = raised(tf, case)
        if error is None:
            print(f"{name}: does not raise", file=sys.stderr)
        else:
            answers[name] = {"types": public(error), "message": told(str(error))}
    return answers


def told(message: str) -> str:
    """Return the message without addresses, files and the story of the stack."""
    message = re.sub(r"Detected at node[^\n]*\n(\s+File[^\n]*\n)*|(Original|Traceback).*", "", message, flags=re.DOTALL)
    message = re.sub(r"0x[0-9a-f]+", "0x", message)
    return re.sub(r"\s+", " ", message).strip()[:300]


def lines(table: dict[str, Any]) -> str:
    """Return JSON with one line for each entry, so that a change shows."""
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()) + "\n}"


def main(args: list[str]) -> None:
    tf.disable_v2_behavior()
    before = json.loads(DATA.read_text()) if "--new" in args else {"cases": {}, "errors": {}}
    parts = {"tensorflow": json.dumps(tf.__version__), "numpy": json.dumps(np.__version__), "aliases": lines(aliases())}
    parts["cases"], parts["errors"] = lines(recorded(before["cases"])), lines(failures(before["errors"]))
    DATA.write_text("{\n" + ",\n".join(f'"{key}": {text}' for key, text in parts.items()) + "\n}\n")


main(sys.argv[1:])
