"""``assertProtoEquals`` compares messages with texts of protobuf's text form: what they say, not how it is written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf

make = tf.make_tensor_proto
CASES: list[tuple[str, Any, str]] = [
    ("dtype: DT_FLOAT tensor_shape {} float_val: 10.0", make(10.0), "float_val: 11.0"),
    ("dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: [1, 2]", make([1, 2]), "int_val: [1, 3]"),
    (
        r'dtype: DT_FLOAT tensor_shape { dim { size: 1 } } tensor_content: "\000\000 A"',
        make([10.0]),
        r'tensor_content: "\000\000 B"',
    ),
    (
        "dtype: DT_STRING tensor_shape { dim <size: 2> } string_val: 'a' 'b' string_val: 'c'",
        make(["ab", "c"]),
        "string_val: 'd'",
    ),
    ("dtype: DT_HALF tensor_shape { dim { size: 1 } } half_val: 18688", make(np.float16([10])), "half_val: 1"),
    (
        "dtype: DT_COMPLEX64 tensor_shape {} scomplex_val: 1 scomplex_val: 2",
        make(np.complex64(1 + 2j)),
        "scomplex_val: 3",
    ),
    ("dtype: DT_BOOL tensor_shape {} bool_val: true", make(True), "bool_val: false"),
    ("dim { size: -1 } dim { size: 3 } # sizes", tf.TensorShape([None, 3]).as_proto(), "dim { size: 4 }"),
    ("unknown_rank: true", tf.TensorShape(None).as_proto(), "dim { size: 4 }"),
]


class Case(tf.test.TestCase):
    """A case without tests of its own."""

    __test__ = False

    def runTest(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(("text", "message", "other"), CASES, ids=[case[0][:24] for case in CASES])
def test_a_message_is_what_a_text_says(text: str, message: Any, other: str) -> None:
    Case().assertProtoEquals(text, message)
    Case().assertProtoEquals(message, message)
    wrong = other if "dim" in other else f"{text.rsplit(other.split(':')[0], 1)[0]} {other}"
    with pytest.raises(AssertionError):
        Case().assertProtoEquals(wrong, message)


def test_a_graph_is_what_a_text_says() -> None:
    g = tf.Graph()
    a = g.create_op("FloatOutput", [], [tf.float32], name="a")
    with g.device("/job:ps"), g.control_dependencies([a]):
        g.create_op("FloatOutput", [], [tf.float32], name="b")
    with g.as_default():
        tf.constant(1.5, name="c")
    constant = """node { name: "c" op: "Const"
        attr { key: "dtype" value { type: DT_FLOAT } }
        attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape {} float_val: %s } } } }"""
    awaited = "attr { key: '_has_manual_control_dependencies' value { b: true } }"
    nodes = f"node {{ name: 'a' op: 'FloatOutput' {awaited} }}"
    nodes += "node { name: 'b' op: 'FloatOutput' input: '^a' device: '/job:ps' }"
    Case().assertProtoEqualsVersion(nodes + constant % 1.5, g.as_graph_def())
    for wrong in (nodes, nodes + constant % 2.5, nodes.replace("^a", "a") + constant % 1.5):
        with pytest.raises(AssertionError):
            Case().assertProtoEqualsVersion(wrong, g.as_graph_def())
    with pytest.raises(TypeError, match="cannot compare a list"):
        Case().assertProtoEquals("a: 1", [1])
