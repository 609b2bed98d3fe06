"""Messages of graphs: what is set in them, as bytes, as texts, and for protobuf's own functions."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from steepest.v1.python.core.framework import (
    attr_value_pb2,
    function_pb2,
    graph_pb2,
    op_def_pb2,
    tensor_pb2,
    types_pb2,
)
from steepest.v1.python.framework import function

import steepest.v1 as tf

text_format = pytest.importorskip("google.protobuf.text_format")  # of the library that a program brings


def graph_def():
    with tf.Graph().as_default() as graph:
        with tf.device("/cpu:0"):
            x = tf.constant([[1.5, -2.0]], name="x")
        tf.add(x, tf.placeholder(tf.float32, [None, 2], "p"), name="y")
    return graph.as_graph_def()


def test_text_format_reads_what_it_writes():
    made = graph_pb2.GraphDef()
    text = text_format.MessageToString(graph_def())
    text_format.Merge(text, made)
    assert made == graph_def()
    assert str(made) == text
    assert 'name: "x"\n  op: "Const"\n  device: "/device:CPU:0"\n  attr {\n    key: "dtype"' in text
    assert made.versions.producer == 134
    assert list(made.node[1].attr["shape"].shape) == [None, 2]
    with pytest.raises(text_format.ParseError, match=r'"tensorflow\.GraphDef" has no field named "nodes"'):
        text_format.Parse("nodes {}", graph_pb2.GraphDef())
    with pytest.raises(text_format.ParseError, match='should not have multiple "name" fields'):
        text_format.Parse("node { name: 'a' name: 'b' }", graph_pb2.GraphDef())


def test_bytes_say_all_that_a_message_made_by_hand_has():
    made = text_format.Parse(
        """
        name: "f" op: "F" input: "a:1" input: "^b"
        attr { key: "list" value { list { i: -1 i: 300 s: "x" b: true type: DT_BOOL f: 0.5 } } }
        attr { key: "empty" value { list {} } } attr { key: "no" value { b: false } }
        attr { key: "call" value { func { name: "g" attr { key: "T" value { type: DT_INT64 } } } } }
        """,
        tf.NodeDef(),
    )
    again = tf.NodeDef.FromString(made.SerializeToString())
    assert again == made
    assert again.attr["list"].list.i == [-1, 300]
    assert again.attr["no"].WhichOneof("value") == "b"
    assert again.attr["empty"].HasField("list")
    assert again.attr["call"].func.attr["T"].type == types_pb2.DT_INT64
    assert (list(again.attr), made.ByteSize()) == (sorted(made.attr), len(made.SerializeToString()))
    assert copy.deepcopy(again) == made
    again.attr["list"].list.s.append(b"y")
    assert again != made
    with pytest.raises(ValueError, match="be a whole message"):
        tf.NodeDef.FromString(made.SerializeToString()[:-1])


def test_one_field_of_a_group_is_set():
    value = attr_value_pb2.AttrValue(i=0)
    assert (value.WhichOneof("value"), value.HasField("i"), value.HasField("s")) == ("i", True, False)
    value.s = b"text"
    assert (value.WhichOneof("value"), value.i) == ("s", 0)
    value.list.f.append(1.0)
    value.ClearField("s")
    assert value.WhichOneof("value") == "list"
    assert attr_value_pb2.AttrValue().WhichOneof("value") is None
    with pytest.raises(ValueError, match='has no "x" field'):
        attr_value_pb2.AttrValue(x=1)
    with pytest.raises(ValueError, match='"name" field that can be absent'):
        tf.NodeDef().HasField("name")
    with pytest.raises(TypeError, match="expected NodeDef got AttrValue"):
        tf.NodeDef().MergeFrom(value)


@pytest.mark.parametrize(
    "array", [np.float32([1, 2]), np.array(["a", "b"], object), np.complex64(1 + 2j), np.array(True)]
)
def test_arrays_are_fields_when_they_are_asked_for(array):
    made = tf.make_tensor_proto(array)
    again = tensor_pb2.TensorProto.FromString(made.SerializeToString())
    assert again == made
    assert np.array_equal(tf.make_ndarray(again), tf.make_ndarray(made))


def test_arrays_are_read_from_fields():
    made = text_format.Parse(
        "dtype: DT_INT32 tensor_shape { dim { size: 3 } } int_val: 7 int_val: -8", tf.NodeDef().attr["v"].tensor
    )
    assert tf.make_ndarray(made).tolist() == [7, -8, -8]
    assert tf.make_tensor_proto([1.5]).float_val == [1.5]


def test_functions_and_types_of_operations_are_messages():
    @function.Defun(tf.float32, noinline=True)
    def double(x):
        return x * 2.0

    definition = double.definition
    again = function_pb2.FunctionDef.FromString(definition.SerializeToString())
    assert again == definition
    assert again.attr["_noinline"].b is True
    assert [arg.name for arg in again.signature.input_arg] == ["x"]
    types = text_format.Parse(
        "op { name: 'A' attr { name: 'T' type: 'type' default_value { type: DT_INT32 } } }", op_def_pb2.OpList()
    )
    assert types.op[0].attr[0].default_value.type == types_pb2.DT_INT32
    assert graph_pb2.GraphDef(library=function_pb2.FunctionDefLibrary(function=[again])).library.function == [
        definition
    ]


def test_attributes_that_say_where_a_node_is_may_change():
    with tf.Graph().as_default() as graph:
        x = tf.placeholder(tf.float32, [2], name="x")
        with tf.colocate_with(x):
            tf.identity(x, name="y")
    made = graph.as_graph_def()
    del made.node[1].attr["_class"]
    made.node[0].attr["shape"].shape.dim[0].size = -1
    made.node[0].attr["_mark"].CopyFrom(attr_value_pb2.AttrValue(s=b"here"))
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.import_graph_def(made, return_elements=["x:0", "y:0"], name="")
        assert (x.shape.as_list(), x.op.get_attr("_mark"), y.op.colocation_groups()) == ([None], b"here", [b"loc:@y"])
        assert session.run(y, {x: [1.0, 2.0, 3.0]}).tolist() == [1.0, 2.0, 3.0]


def test_other_attributes_are_not_changed_unheard():
    made = graph_def()
    made.node[0].attr["value"].CopyFrom(attr_value_pb2.AttrValue(tensor=tf.make_tensor_proto([[1.0, 2.0]])))
    with tf.Graph().as_default(), pytest.raises(ValueError, match=r"x.attr\['value'\] must be as it was"):
        tf.import_graph_def(made)


def an_example():
    made = tf.train.Example()
    made.features.feature["b"].bytes_list.value.extend([b"x\xff", "y"])
    made.features.feature["a"].float_list.value.append(np.float32(0.1))
    made.features.feature.get_or_create("n").int64_list.value.extend([-1, 2**40])
    return made


def test_examples_are_messages_as_others_are():
    made = an_example()
    assert str(made).startswith(
        'features {\n  feature {\n    key: "a"\n    value {\n      float_list {\n        value: 0.1'
    )
    assert text_format.Parse(text_format.MessageToString(made), tf.train.Example()) == made
    assert tf.train.Feature.DESCRIPTOR.fields_by_name["float_list"].number == 2
    assert [field.name for field, _ in made.ListFields()] == ["features"]
    for again in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert again == made
        assert again.features.feature["new"].WhichOneof("kind") is None
        with pytest.raises(TypeError, match=r"1\.5 has type"):
            again.features.feature["n"].int64_list.value.append(1.5)
    assert tf.train.Example().SerializeToString() == b""
    assert tf.train.Example(features=tf.train.Features()).SerializeToString() == b"\n\x00"


def test_examples_become_json_and_back():
    json_format = pytest.importorskip("google.protobuf.json_format")
    steps = tf.train.SequenceExample()
    steps.feature_lists.feature_list["k"].feature.add().float_list.value.append(0.5)
    told = json_format.MessageToDict(steps)
    assert told == {"featureLists": {"featureList": {"k": {"feature": [{"floatList": {"value": [0.5]}}]}}}}
    made = an_example()
    assert json_format.Parse(json_format.MessageToJson(made), tf.train.Example()) == made
    with tf.Graph().as_default(), tf.Session() as session:
        read = session.run(tf.decode_json_example(json_format.MessageToJson(made)))
    assert tf.train.Example.FromString(read) == made


@pytest.mark.parametrize(
    ("kind", "value", "error"),
    [
        ("Int64List", 2**63, ValueError),
        ("Int64List", "1", TypeError),
        ("FloatList", "1", TypeError),
        ("BytesList", 1, TypeError),
    ],
)
def test_lists_of_examples_take_their_kind_alone(kind, value, error):
    with pytest.raises(error):
        getattr(tf.train, kind)(value=[value])
    made = getattr(tf.train, kind)()
    for put in (made.value.append, lambda one: made.value.insert(0, one), lambda one: made.value.extend([one])):
        with pytest.raises(error):
            put(value)
    assert made.value == []


def test_one_list_of_a_feature_replaces_another():
    feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a"]))
    feature.MergeFrom(tf.train.Feature(int64_list=tf.train.Int64List(value=[1])))
    assert (feature.WhichOneof("kind"), feature.HasField("bytes_list")) == ("int64_list", False)
    both = tf.train.Feature(float_list=tf.train.FloatList(value=[1.0])).SerializeToString()
    assert tf.train.Feature.FromString(both + feature.SerializeToString()) == feature
