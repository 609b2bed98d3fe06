"""`framework.meta_graph`: messages of graphs in files, what is changed in them, and parts of graphs by their scopes."""

import numpy as np
import pytest
from steepest.v1.python.core.framework import graph_pb2
from steepest.v1.python.core.protobuf import meta_graph_pb2
from steepest.v1.python.framework import meta_graph

from steepest import v1 as tf


@pytest.fixture(autouse=True)
def default_graph():
    with tf.Graph().as_default():
        yield


def scaled(scope):
    x = tf.placeholder("float32", [2], "x")
    with tf.name_scope(scope):
        w = tf.Variable(3.0, name="w")
        return x, tf.multiply(x, w, name="y")


def test_scopes_are_copied_with_their_variables():
    x, _ = scaled("one")
    with pytest.raises(ValueError, match="need to be different"):
        meta_graph.copy_scoped_meta_graph("one", "one")
    with pytest.raises(ValueError, match=r"unbound inputs: \$unbound_inputs_x"):
        meta_graph.copy_scoped_meta_graph("one", "two")
    message, variables = meta_graph.export_scoped_meta_graph(export_scope="one")
    assert [(name, v.name) for name, v in variables.items()] == [("w:0", "one/w:0")]
    given = {"$unbound_inputs_x": x + 1.0}
    variables, (y,) = meta_graph.import_scoped_meta_graph_with_return_elements(
        message, import_scope="two", input_map=given, return_elements=["y:0"]
    )
    assert [(name, v.name) for name, v in variables.items()] == [("w:0", "two/w:0")]
    assert len(tf.trainable_variables()) == 2
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(session.run(y, {x: [1.0, 2.0]}), [6.0, 9.0])


def test_scopes_within_loops_and_branches():
    with tf.name_scope("s"):
        start = tf.constant(2)
        loop = tf.while_loop(lambda i: i < 9, lambda i: i * 2, [start])
        chosen = tf.cond(loop > 10, lambda: loop + 1, lambda: loop - 1)
    meta_graph.copy_scoped_meta_graph("s", "t")
    copy = tf.get_default_graph().get_tensor_by_name(chosen.name.replace("s/", "t/", 1))
    with tf.Session() as session:
        assert session.run([chosen, copy, copy], {"t/Const:0": 3})[1:] == [13, 13]


def test_changed_collections_and_devices_are_heard():
    scaled("one")
    message, _ = meta_graph.export_scoped_meta_graph()
    message.collection_def["metric_variables"].CopyFrom(message.collection_def["variables"])
    message.collection_def["numbers"].int64_list.value.extend([1, 2])
    message.collection_def["names"].bytes_list.value.append(b"text")
    message.collection_def["nodes"].node_list.value.extend(["one/y:0", "one/y"])
    del message.collection_def["trainable_variables"]
    next(node for node in message.graph_def.node if node.name == "one/y").device = "/device:CPU:3"
    read = meta_graph_pb2.MetaGraphDef.FromString(message.SerializeToString())
    for given in (message, read):
        with tf.Graph().as_default() as graph:
            tf.train.import_meta_graph(given)
            assert [v.name for v in graph.get_collection("metric_variables")] == ["one/w:0"]
            assert graph.get_collection("metric_variables") == graph.get_collection("variables")
            assert (graph.get_collection("numbers"), graph.get_collection("names")) == ([1, 2], [b"text"])
            assert [each.name for each in graph.get_collection("nodes")] == ["one/y:0", "one/y"]
            assert tf.trainable_variables() == []
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(message)
        assert graph.get_operation_by_name("one/y").device == "/device:CPU:3"
    message.graph_def.node[0].op = "Abs"
    with tf.Graph().as_default(), pytest.raises(ValueError, match="another type"):
        tf.train.import_meta_graph(message)


def test_message_that_was_read_tells_its_nodes():
    scaled("one")
    message = tf.train.export_meta_graph()
    read = meta_graph_pb2.MetaGraphDef()
    assert read.ParseFromString(message.SerializeToString()) == len(message.SerializeToString())
    assert read == message
    assert read.graph_def.node == message.graph_def.node
    attributes = next(node for node in read.graph_def.node if node.op == "VariableV2").attr
    assert sorted(attributes) == ["_output_shapes", "container", "dtype", "shape", "shared_name"]
    assert read.meta_info_def.tensorflow_version == tf.VERSION
    assert "VariableV2" in meta_graph.ops_used_by_graph_def(read.graph_def)


def test_message_of_nodes_made_by_hand():
    nodes = graph_pb2.GraphDef()
    nodes.node.add(name="p", op="Placeholder").attr["dtype"].type = 1
    nodes.node.add(name="y", op="Neg", input=["p"]).attr["T"].type = 1
    info = meta_graph_pb2.MetaGraphDef.MetaInfoDef(tags=["a"])
    message = meta_graph.create_meta_graph_def(info, nodes)
    assert (list(message.meta_info_def.tags), len(message.graph_def.node)) == (["a"], 2)
    whole = meta_graph_pb2.MetaGraphDef(graph_def=nodes)
    whole.collection_def["results"].node_list.value.append("y:0")
    for given in (message, whole):
        with tf.Graph().as_default(), tf.Session() as session:
            tf.train.import_meta_graph(given)
            assert session.run("y:0", {"p:0": 2.0}) == -2.0
    with tf.Graph().as_default():
        tf.train.import_meta_graph(whole)
        assert [each.name for each in tf.get_collection("results")] == ["y:0"]


def test_arguments_that_are_none():
    with pytest.raises(TypeError, match="unexpected keyword arguments: colection_list"):
        tf.train.export_meta_graph(colection_list=["a"])
    with pytest.raises(TypeError, match="graph_def must be of type GraphDef"):
        meta_graph.create_meta_graph_def(graph_def="graph")
    with pytest.raises(OSError, match="does not exist"):
        meta_graph.read_meta_graph_file("none")


@pytest.mark.parametrize("resource", [True, False])
def test_variables_of_an_imported_graph_are_of_the_kind_that_they_were(resource):
    on_read, mean = tf.VariableSynchronization.ON_READ, tf.VariableAggregation.MEAN
    tf.Variable([1.0, 2.0], use_resource=resource, synchronization=on_read, aggregation=mean)
    content = tf.train.export_meta_graph()
    with tf.Graph().as_default() as graph:
        tf.train.import_meta_graph(content)
        (variable,) = tf.global_variables()
        whole, part = variable.assign(tf.constant([3.0, 4.0])), variable[0].assign(tf.constant(9.0))
        begin = tf.global_variables_initializer()
    assert (variable.synchronization, variable.aggregation) == (on_read, mean)
    assert variable.to_proto().is_resource is resource
    with tf.Session(graph=graph) as session:
        session.run(begin)
        assert session.run(whole).tolist() == [3, 4]
        assert session.run(part).tolist() == [9, 4]


def test_types_of_operations_are_found_in_functions_that_attributes_name():
    graph_def = tf.GraphDef()
    function = graph_def.library.function.add()
    function.signature.name = "body"
    function.node_def.add().op = "Const"
    node = graph_def.node.add()
    node.op = "PartitionedCall"
    node.attr["f"].func.name = "body"
    assert [op.name for op in meta_graph.stripped_op_list_for_graph(graph_def).op] == ["Const", "PartitionedCall"]


def test_samplers_and_image_files_of_a_graph_in_a_file_go_on():
    true, counts = [[3]], [float(k) for k in range(1, 51)]
    with tf.Graph().as_default():
        samplers = [
            tf.nn.log_uniform_candidate_sampler(true, 1, 5, True, 50, seed=1),
            tf.nn.uniform_candidate_sampler(true, 1, 5, False, 50, seed=1),
            tf.nn.learned_unigram_candidate_sampler(true, 1, 5, True, 50, seed=1),
            tf.nn.fixed_unigram_candidate_sampler(true, 1, 5, True, 50, unigrams=counts, seed=1),
        ]
        classes = [tf.identity(each.sampled_candidates, f"classes_{k}") for k, each in enumerate(samplers)]
        image = tf.image.decode_png(tf.image.encode_png(tf.constant([[[7], [9]]], tf.uint8)), 3)
        tf.identity(image, "image")
        with tf.Session() as session:
            drawn = [[each.tolist() for each in session.run(classes)] for _ in range(3)]
        message = tf.train.export_meta_graph()
    with tf.Graph().as_default(), tf.Session() as session:
        tf.train.import_meta_graph(message)
        names = [f"classes_{k}:0" for k in range(4)]
        assert [[each.tolist() for each in session.run(names)] for _ in range(3)] == drawn
        assert session.run("image:0").tolist() == [[[7] * 3, [9] * 3]]
