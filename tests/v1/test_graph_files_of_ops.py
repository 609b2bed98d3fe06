"""Every operation of the conformance cases goes into a `GraphDef`, and gives the same values when it is read."""

from __future__ import annotations

import numpy as np
import pytest
from op_cases import Case, Var
from op_observe import Placed
from op_tables import CASES

import steepest.v1 as tf


def _of_values(case: Case) -> bool:
    parts = [part for arg in case.args for part in (arg if isinstance(arg, list) else [arg])]
    return bool(case.path) and case.values and not any(isinstance(part, Var) for part in parts)


NAMES = [name for name, case in CASES.items() if _of_values(case)]


@pytest.mark.parametrize("name", NAMES, ids=NAMES)
def test_an_operation_comes_back_from_a_graph_def(name: str):
    case = CASES[name]
    with tf.Graph().as_default() as graph, tf.Session() as session:
        outputs = Placed(tf, case, "constant").outputs(case)
        session.run(tf.global_variables_initializer())
        wanted = session.run(outputs)
        written = graph.as_graph_def().SerializeToString()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(tf.GraphDef.FromString(written), name="")
        found = session.run([output.name for output in outputs])
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)
