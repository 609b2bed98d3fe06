"""Writes v1.md, the list of TensorFlow 1's names in steepest.v1, from the module: `python docs/v1.py`."""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import steepest.v1 as tf
from steepest.v1.graph.missing import left_out, public_names

PAGE = Path(__file__).parent / "v1.md"
TOP = Path(__file__).parents[1]
HOW = {
    "calls": "values, types, static shapes",
    "errors": "the kind of error",
    "graph": "small programs, in graph mode",
    "eager": "small programs, in eager mode",
}

ABOUT = {
    "tf": "The top level",
    "tf.math": "The mathematics of the top level again; see there",
    "tf.random": "The random values of the top level again; see there",
    "tf.debugging": "The checks of the top level again; see there",
    "tf.dtypes": "The element types of the top level again; see there",
    "tf.sparse": "The sparse tensors of the top level again, without `sparse_`; see there",
    "tf.linalg": "Products, norms and solutions; most are at the top level too",
}
AGAIN = ("tf.math", "tf.random", "tf.linalg", "tf.debugging", "tf.dtypes", "tf.sparse")


def summary(thing: Any) -> str:
    """Return the first sentence of a docstring, '' for values."""
    if not callable(thing) and not isinstance(thing, type):
        return ""
    text = inspect.getdoc(thing) or ""
    first = text.split("\n\n")[0].replace("\n", " ")
    return first if first.endswith(".") or not first else first.rstrip(":;") + "."


def spaces(module: ModuleType, name: str) -> list[tuple[str, ModuleType]]:
    """List the namespaces below a module, itself first."""
    found = [(name, module)]
    for key in public_names(module):
        inner = getattr(module, key)
        if isinstance(inner, ModuleType) and inner.__name__ == f"{module.__name__}.{key}":  # tf.app.flags is tf.flags
            found += spaces(inner, f"{name}.{key}")
    return found


def section(name: str, module: ModuleType) -> str:
    title = f"## `{name}`\n\n{ABOUT.get(name) or (inspect.getdoc(module) or '').split(': ', 1)[-1].split('.')[0]}.\n"
    names = [key for key in public_names(module) if not isinstance(getattr(module, key), ModuleType)]
    if name in AGAIN:
        return title + "\n" + ", ".join(f"`{key}`" for key in names) + ".\n"
    rows = [f"| `{key}` | {summary(getattr(module, key)).replace('|', chr(92) + '|')} |" for key in names]
    return "\n".join([title, "| name | |", "|---|---|", *rows, ""])


def compared() -> str:
    """Return the table of what was compared with TensorFlow's recorded answers, counted from the tests."""
    support = str(TOP / "tests" / "support" / "v1")
    sys.path[:0] = [] if support in sys.path else [support]
    recorded = json.loads((TOP / "tests" / "data" / "v1_ops.json").read_text())["cases"]
    rows = []
    for what, areas in importlib.import_module("op_tables").AREAS.items():
        for area, cases in areas:
            ways = [HOW[what]]
            if what == "calls":
                fed = sum(case.fed and case.values for case in cases)
                slopes = sum(bool(recorded[case.name].get("gradients")) for case in cases)
                ways += [f"{fed} of them fed in three ways"] * bool(fed) + [f"{slopes} differentiated"] * bool(slopes)
            rows.append(f"| {area.replace(chr(96) * 2, chr(96))} | {', '.join(ways)} | {len(cases)} |")
    calls = len(importlib.import_module("eager_calls").eager_cases())
    rows.append(f"| The calls above again | values and gradients by a tape, in eager mode | {calls} |")
    whole = len(list((TOP / "examples" / "tf1").glob("*.py")))
    rows.append(f"| Whole programs (`examples/tf1`) | their numbers after training | {whole} |")
    return "\n".join(["| area | what is compared | recorded cases |", "|---|---|---|", *rows])


LATER = "TensorFlow 2: "  # begins the names of areas of later versions
WHOLE = "Word by word: "  # and of files of which nothing was condensed


def own_tests(kind: str = "") -> str:
    """Return the table of TensorFlow's own tests, from what `tests/v1/compare_with_tensorflow.py` records."""
    recorded = json.loads((TOP / "tests" / "data" / "v1_tensorflow_tests.json").read_text())
    of_kind = {area: next((each for each in (LATER, WHOLE) if area.startswith(each)), "") for area in recorded}
    chosen = {area.removeprefix(kind): files for area, files in recorded.items() if of_kind[area] == kind}
    rows = [(area, len(files), *map(sum, zip(*files.values(), strict=True))) for area, files in chosen.items()]
    rows.append(("together", *map(sum, zip(*(row[1:] for row in rows), strict=True))))
    shown = [f"| {area} | {files} | {apply} | {first} | {now} |" for area, files, apply, first, now in rows]
    head = ["| area | files | tests that apply | passed when first run here | pass now |", "|---|---|---|---|---|"]
    return "\n".join([*head, *shown])


def page() -> str:
    found = spaces(tf, "tf")
    out = "\n".join(f"- {what}: {', '.join(f'`{name}`' for name in names)}" for what, names in left_out().items())
    return f"""# TensorFlow 1's names

`import steepest.v1 as tf` runs programs for TensorFlow 1. This page is written by `python docs/v1.py` from the
module; a test fails when it is out of date. `tf.compat.v1` is the module itself, so both ways to import it work.

A name that is not here raises AttributeError with near names. Names that begin with one of these are left out:

{out}

## Where it differs

- Gradients by complex numbers are the true ones, in TensorFlow's convention (`dL/da + i dL/db`), also of `cumprod`,
  `matrix_determinant`, `squared_difference`, `xlogy`, `unsorted_segment_prod` and `reduce_euclidean_norm`, where
  TensorFlow leaves a conjugate out. In eager mode optimizers do not change variables of
  complex numbers.
- What steepest does differently from TensorFlow (README, "Where it differs from TensorFlow 1") holds here too: updates
  are all or nothing, norms sum the duplicates of `IndexedSlices`, arithmetic is rounded once.
- In a run, operations that write to variables come as late as their control dependencies allow; a variable that is
  fetched has its value after the run. TensorFlow leaves this order to chance.
- `tf.gradients` makes one node for all gradients; the forward pass is recorded once and never computed again.
- A variable used in an operation is read when that operation runs, as resource variables are.
- Random values that seeds fix are TensorFlow's own: uniform, normal, truncated normal, gamma and Poisson draws,
  integers, shuffles, classes, candidates of samplers, dropout, initializers and crops; those of binomial and
  multinomial distributions are reproducible, but NumPy's. What a graph's
  seed alone fixes are the numbers of TensorFlow 2's ``compat.v1``, which numbers the operations that draw; TensorFlow 1
  went by all operations of the graph.
- `argmax` and `argmin` give the position of a NaN where there is one, as NumPy does; TensorFlow passes over it.
- A Python or NumPy number with a fraction beside an integer tensor is a TypeError; TensorFlow cuts some of them.
- A loss of float64 is added up in float64; TensorFlow adds up in float32 and gives the sum as float64.
- In eager mode, steps of optimizers are checked each time: `tf.Variable` is a subclass of `steepest.Variable`, and the
  short way of repeated steps is for that class alone.
- An optimizer of a program's own runs as it is, with the update operations of `training_ops`. Graph mode asks it by its
  methods for reference variables where it has both kinds, eager mode by those for resources. Numbers outside a rule's
  range (`beta1` of 1, a rate that is NaN) are an error in an update operation too, and nothing is written.
- In graph mode `tf.function`, `defun` and `Defun` make the body's nodes in the caller's graph at each call: the Python
  function is called each time, effects of Python's own (a `print`, a counter) with it. In eager mode the body is made
  once for arguments of one kind, as in TensorFlow. Python's `if` and `while` are not rewritten for tensors: in graph
  mode take `tf.cond` and `tf.while_loop`; in eager mode a function that asks nodes for their values is called with
  values, each time. In a body assertions and prints keep their order among writes too.
- An element of a `TensorArray` can be read again after it was read. A shape that a loop's body does not tell is checked
  when it runs, where TensorFlow refuses the loop.
- `.meta` files, `GraphDef`s and saved models are this project's own ([graphs.md](graphs.md)); TensorFlow's are not
  read.
- `Operation.op_def` and the `attr` of a `NodeDef` tell what one operation shows: names of inputs and results, types, a
  constant's value, a placeholder's shape, what scopes gave; other attributes of TensorFlow's kernels are not there.
- Devices and colocation are recorded on operations and have no effect.
- `AdagradDecay`'s decay counter has one element for each row; `export_slot` gives the original's layout.
- A checkpoint is one `.safetensors` file ([checkpoints.md](checkpoints.md)), an `.index` file of one line, by which
  programs find it, and the text file `checkpoint` beside them.
  TensorFlow's own checkpoints are read, not written. Strings are two tensors in it: all bytes, and the length of each;
  of complex numbers the parts lie along a last axis.

## How much was compared

TensorFlow 2.21's `compat.v1` ran each of these cases; the tests compare with its recorded answers. What no case is
about may differ.

{compared()}

Test files of TensorFlow's own, of 2018 and 2019, were run with TensorFlow 1.15.0 and here. Some were condensed; what is
of GPUs, XLA, servers, or left out above was not taken. The tests that TensorFlow passes are those that apply.
`tests/v1/compare_with_tensorflow.py` runs such a file, and says what differs.

{own_tests()}

Versions of such files as TensorFlow 2 has them, of 2024, were run in the same way with 2.21: most with its `compat.v1`
in graph mode, some in the mode that they enable themselves. Many are condensed, or only what is new in them was taken.

{own_tests(LATER)}

Core files of these versions that were taken word by word, with every parameter; most of their tests are in the table
above too. Of those that fail, 26 are of ragged tensors, XLA and devices, which are left out.

{own_tests(WHOLE)}

{chr(10).join(section(name, module) for name, module in found)}"""


if __name__ == "__main__":
    PAGE.write_text(page())
