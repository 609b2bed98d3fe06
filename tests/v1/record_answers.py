"""Record TensorFlow's answers to the small programs in ``tests/data/v1_answers.json``.

Run ``python tests/v1/record_answers.py`` with a Python that has TensorFlow; the file says which version answered.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import tensorflow.compat.v1 as tf

sys.path.insert(0, str(Path(__file__).parents[1] / "support" / "v1"))

from answers import EAGER, GRAPH, answer, in_graph, tables

DATA = Path(__file__).parents[1] / "data" / "v1_answers.json"


def lines(table: dict[str, Any]) -> str:
    """Return JSON with one line for each entry, so that a change shows."""
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()) + "\n}"


def main(args: list[str]) -> None:
    tables()
    tf.disable_v2_behavior()
    if args == ["--eager"]:
        tf.enable_eager_execution()
        print(json.dumps({name: answer(tf, program) for name, program in EAGER.items()}))
        return
    apart = subprocess.run([sys.executable, __file__, "--eager"], check=True, text=True, stdout=subprocess.PIPE).stdout
    parts = {
        "tensorflow": json.dumps(tf.__version__),
        "graph": lines({name: in_graph(tf, program) for name, program in GRAPH.items()}),
        "eager": lines(json.loads(apart.splitlines()[-1])),
    }
    DATA.write_text("{\n" + ",\n".join(f'"{key}": {text}' for key, text in parts.items()) + "\n}\n")


main(sys.argv[1:])
