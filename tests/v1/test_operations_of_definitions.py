"""Operations made of definitions: by the library that takes them, by tests' own module, and from messages."""

from __future__ import annotations

import pytest
from steepest.v1.python.core.framework import op_def_pb2
from steepest.v1.python.framework import op_def_library, op_def_registry, ops, test_ops

import steepest.v1 as tf


def definition(name, inputs=(), results=(), attrs=()):
    return op_def_pb2.OpDef(name, list(inputs), list(results), list(attrs))


ArgDef, AttrDef = op_def_pb2.OpDef.ArgDef, op_def_pb2.OpDef.AttrDef
FLOAT, INT = tf.float32.as_datatype_enum, tf.int32.as_datatype_enum


@pytest.fixture
def library():
    made = op_def_library.OpDefLibrary()
    several = ArgDef("xs", type_attr="T", number_attr="N")
    number = AttrDef("N", "int", has_minimum=True, minimum=1)
    made.add_op(
        definition("Mix", [several, ArgDef("k", INT)], [ArgDef("y", type_attr="T")], [AttrDef("T", "type"), number])
    )
    made.add_op(
        definition("Parts", [], [ArgDef("a", type_list_attr="Ts"), ArgDef("b", INT)], [AttrDef("Ts", "list(type)")])
    )
    with tf.Graph().as_default():
        yield made


def test_inputs_tell_attributes_and_results(library):
    y = library.apply_op("Mix", xs=[1.0, tf.constant(2.0, name="two")], k=3, name="m")
    assert (y.name, y.dtype, y.op.inputs[0].name, y.op.inputs[1].name) == ("m:0", tf.float32, "m/xs_0:0", "two:0")
    assert (y.op.get_attr("T"), y.op.get_attr("N"), y.op.op_def.name) == (tf.float32, 2, "Mix")
    assert y.op._input_types == [tf.float32, tf.float32, tf.int32]
    several, one = library.apply_op("Parts", Ts=[tf.bool, tf.string])
    assert ([each.dtype for each in several], one.dtype) == ([tf.bool, tf.string], tf.int32)
    assert several[0].op.node_def.attr["Ts"].list.type == [tf.bool.as_datatype_enum, tf.string.as_datatype_enum]
    with tf.Session() as session, pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'Mix'"):
        session.run(y)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"k": 1}, TypeError, "No argument for input xs"),
        ({"xs": 1.0, "k": 1}, TypeError, "Expected list for 'xs' argument to 'Mix' Op"),
        ({"xs": [], "k": 1}, ValueError, "List argument 'xs' to 'Mix' Op with length 0 shorter than minimum length 1"),
        ({"xs": [1.0, "a"], "k": 1}, TypeError, r"have types \[float32, string\] that don't all match"),
        (
            {"xs": [1.0], "k": "a"},
            TypeError,
            "Expected int32 passed to parameter 'k' of op 'Mix', got 'a' of type 'str'",
        ),
        ({"xs": [1.0], "k": 1, "T": tf.bool}, TypeError, "Should not specify value for inferred attr 'T'"),
        ({"xs": [1.0], "k": 1, "z": 1}, TypeError, "got unexpected keyword arguments: z"),
    ],
)
def test_arguments_are_those_of_the_definition(library, arguments, error, message):
    with pytest.raises(error, match=message):
        library.apply_op("Mix", **arguments)


def test_definitions_are_whole(library):
    with pytest.raises(TypeError, match="Arg 'a' of 'F' must have one type field not 0"):
        library.add_op(definition("F", [ArgDef("a")]))
    with pytest.raises(TypeError, match="Inconsistent OpDef for 'F', missing attr 'T'"):
        library.add_op(definition("F", [ArgDef("a", type_attr="T")]))
    with pytest.raises(RuntimeError, match="Op name Mix registered twice"):
        library.add_op(definition("Mix"))


def test_operations_of_tests_have_types_alone():
    with tf.Graph().as_default() as graph:
        pair = test_ops.two_int_outputs(name="pair")
        assert (pair.a.name, pair.b.dtype) == ("pair:0", tf.int32)
        op = test_ops.int_input(pair.b)
        assert (op.type, op.outputs, op_def_registry.get_registered_ops()["IntInput"]) == ("IntInput", [], op.op_def)
        assert test_ops.default_attrs().get_attr("shape_list_val")[1].dim[0].size == 1
        with graph.gradient_override_map({"CopyOp": "other"}):
            copied = test_ops.copy_op(1.0).op
        assert copied.get_attr("_gradient_op_type") == b"other"
        made = tf.Graph()
        with made.as_default():
            tf.import_graph_def(graph.as_graph_def(), name="")
        assert [op.type for op in made.get_operations()] == [op.type for op in graph.get_operations()]


def test_the_class_of_operations_makes_one_of_a_message():
    graph = tf.Graph()
    message = tf.NodeDef("x", "Anything", device="/cpu:0")
    op = ops.Operation(message, graph, [], [tf.float32, tf.int32])
    assert isinstance(op, ops.Operation)
    assert isinstance(op, tf.Operation)
    assert (str(op), [each.dtype for each in op.outputs]) == (str(op.node_def), [tf.float32, tf.int32])
    assert op.device == "/device:CPU:0"
    op._set_attr("mark", tf.AttrValue(i=3))
    assert (op.get_attr("mark"), op.node_def.attr["mark"].i) == (3, 3)
    for name in ("", "_x", "x:0"):
        with pytest.raises(ValueError, match="not a valid node name"):
            ops.Operation(tf.NodeDef(name, "Anything"), graph)
    with pytest.raises(TypeError, match="node_def needs to be a NodeDef"):
        ops.Operation("x", graph)


def test_operations_of_tests_are_computed_by_the_kernel_of_a_label():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        plain = test_ops.kernel_label()
        with graph._kernel_label_map({"KernelLabel": "overload_1"}):
            labelled = test_ops.kernel_label()
            with graph._kernel_label_map({"KernelLabel": ""}):
                inner = test_ops.kernel_label()
        told = [b"My label is: " + word for word in (b"default", b"overload_1", b"default")]
        assert list(session.run([plain, labelled, inner])) == told
        assert labelled.op.get_attr("_kernel") == b"overload_1"
        assert session.run(test_ops.graph_def_version()) == graph.graph_def_versions.producer
        with pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'IntOutput'"):
            session.run(test_ops.int_output())
        with pytest.raises(TypeError, match="mapping strings to strings"), graph._kernel_label_map({"KernelLabel": 1}):
            pass


def test_types_of_operations_end_with_a_version():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        with pytest.raises(NotImplementedError, match=r"Op Old is not available in GraphDef version \d+\. It has been"):
            test_ops.old()
        graph.graph_def_versions.producer = 7
        session.run(test_ops.old())


def test_operations_know_when_their_run_ends():
    with tf.Graph().as_default(), tf.Session() as session:
        deadline = test_ops.get_deadline()
        with pytest.raises(tf.errors.InvalidArgumentError, match="Deadline has not been set"):
            session.run(deadline)
        soon = tf.RunOptions(timeout_in_ms=60000)
        assert session.run(deadline, options=soon) > 1e15  # microseconds
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(test_ops.sleep_op(60), options=tf.RunOptions(timeout_in_ms=1))
