"""Record TensorFlow's answers to the small programs in ``tests/data/v1_answers.json``.

Run ``python tests/v1/record_answers.py`` with a Python that has TensorFlow; the file says which version answered. With
``--new`` only programs that have no answer yet are asked, and answers without a program go.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["TF_USE_LEGACY_KERAS"] = "1"  # the Keras that tf.layers is made of; pip install tf_keras

import tensorflow.compat.v1 as tf

sys.path.insert(0, str(Path(__file__).parents[1] / "support" / "v1"))

from answers import EAGER, GRAPH, Program, answer, in_graph, tables

DATA = Path(__file__).parents[1] / "data" / "v1_answers.json"


def lines(table: dict[str, Any]) -> str:
    """Return JSON with one line for each entry, so that a change shows."""
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()) + "\n}"


def answers(programs: dict[str, Program], before: dict[str, Any], ask: Callable[[Program], Any]) -> dict[str, Any]:
    """Return the answer to each program: that of before where there is one."""
    return {name: before[name] if name in before else ask(program) for name, program in programs.items()}


def main(args: list[str]) -> None:
    tables()
    tf.disable_v2_behavior()
    before = json.loads(DATA.read_text()) if "--new" in args else {"graph": {}, "eager": {}}
    if "--eager" in args:
        tf.enable_eager_execution()
        print(json.dumps(answers(EAGER, before["eager"], lambda program: answer(tf, program))))
        return
    command = [sys.executable, __file__, "--eager", *args]
    apart = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout
    parts = {
        "tensorflow": json.dumps(tf.__version__),
        "graph": lines(answers(GRAPH, before["graph"], lambda program: in_graph(tf, program))),
        "eager": lines(json.loads(apart.splitlines()[-1])),
    }
    DATA.write_text("{\n" + ",\n".join(f'"{key}": {text}' for key, text in parts.items()) + "\n}\n")


main(sys.argv[1:])
