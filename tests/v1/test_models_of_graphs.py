"""Models of graphs that TensorFlow 2's ``tf.saved_model.load`` reads: variables and functions, in both modes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from steepest.v1.python.eager.lift_to_graph import UnliftableError
from steepest.v1.python.ops import ref_variable
from steepest.v1.python.saved_model import load_v1_in_v2
from steepest.v1.python.saved_model.load import load_partial

import steepest.v1 as tf

Made = tuple[dict[str, Any], dict[str, Any]]


@pytest.fixture
def eager() -> Iterator[None]:
    tf.enable_eager_execution()
    yield
    tf.disable_eager_execution()


def saved(folder: Path, make: Callable[[], Made], **options: Any) -> str:
    """Write the model of a graph, once its variables have their first values."""
    with tf.Graph().as_default(), tf.Session() as session:
        inputs, outputs = make()
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        tf.saved_model.simple_save(session, str(folder), inputs, outputs, **options)
    return str(folder)


def scaled() -> Made:
    x = tf.placeholder(tf.float32, [None], name="x")
    w = tf.get_variable("w", initializer=[2.0, 3.0], use_resource=True)
    shift = tf.get_variable("shift", initializer=10.0, use_resource=False)
    count = tf.get_variable(
        "count", initializer=1.0, trainable=False, use_resource=True, collections=[tf.GraphKeys.LOCAL_VARIABLES]
    )
    return {"x": x}, {"y": tf.identity(x * w * count + shift, name="y")}


def test_a_model_of_a_graph_is_an_object_of_eager_mode(tmp_path: Path, eager: None):
    model = tf.saved_model.load_v2(saved(tmp_path / "model", scaled))
    assert [variable.name for variable in model.variables] == ["w:0", "count:0"]  # others stay inside
    assert [variable.trainable for variable in model.variables] == [True, False]
    function = model.signatures["serving_default"]
    assert function.structured_input_signature == ((), {"x": tf.TensorSpec([None], tf.float32, "x")})
    assert function.pretty_printed_signature(False).startswith(
        "(x: TensorSpec(shape=(?,), dtype=tf.float32, name='x')) -> Dict[['y', "
    )
    one = tf.constant([1.0, 1.0])
    assert function(one)["y"].numpy().tolist() == function(x=one)["y"].numpy().tolist() == [12.0, 13.0]
    model.variables[0].assign([4.0, 5.0])
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(function(one)["y"])
    assert total.numpy() == 29.0
    assert tape.gradient(total, model.variables[0]).numpy().tolist() == [1.0, 1.0]
    assert model.prune("x:0", ["y:0"])(one)[0].numpy().tolist() == [14.0, 15.0]
    model.restore(str(tmp_path / "model" / "variables" / "variables"))
    assert function(one)["y"].numpy().tolist() == [12.0, 13.0]
    with pytest.raises(TypeError, match="x"):
        function(other=one)


def test_such_an_object_is_saved_again(tmp_path: Path, eager: None):
    model = tf.saved_model.load_v2(saved(tmp_path / "graph", scaled))
    model.variables[0].assign([4.0, 5.0])
    tf.saved_model.save(model, str(tmp_path / "object"), model.signatures)
    again = tf.saved_model.load_v2(str(tmp_path / "object"))
    assert again.signatures["serving_default"](x=tf.constant([1.0, 1.0]))["y"].numpy().tolist() == [14.0, 15.0]


def test_variables_begin_with_those_of_the_model_in_graph_mode(tmp_path: Path):
    path = saved(tmp_path / "model", scaled)
    model = load_v1_in_v2.load(path, None)
    results = model.signatures["serving_default"](tf.constant([1.0, 1.0]))
    more = model.variables[0].assign_add([1.0, 1.0])
    assert [variable.name for variable in tf.global_variables()] == ["w:0"]
    assert [variable.name for variable in tf.local_variables()] == ["count:0"]
    assert [variable.trainable for variable in model.variables] == [True, False]
    assert tf.trainable_variables() == []
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        session.run(tf.get_collection("saved_model_initializers"))
        assert session.run(results)["y"].tolist() == [12.0, 13.0]
        session.run(more)
        assert session.run(results)["y"].tolist() == [13.0, 14.0]
        session.run(model.restore(f"{path}/variables/variables"))
        assert session.run(results)["y"].tolist() == [12.0, 13.0]


def test_optimizers_of_a_model_go_along(tmp_path: Path):
    def trained() -> Made:
        x = tf.placeholder(tf.float32, [], name="x")
        count = tf.get_variable("count", initializer=0.0, use_resource=True)
        w = tf.get_variable("w", initializer=2.0, use_resource=True)
        tf.train.AdamOptimizer(0.1).minimize(tf.square(x * w))
        with tf.control_dependencies([count.assign_add(1.0)]):
            return {"x": x}, {"y": x * w, "count": count.read_value()}

    path = saved(tmp_path / "model", trained)
    model = load_v1_in_v2.load(path, None)
    results = model.signatures["serving_default"](tf.constant(1.5))
    assert {variable.name for variable in model.variables} >= {"beta1_power:0", "w/Adam:0", "w:0", "count:0"}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [session.run(results) for _ in range(2)] == [{"y": 3.0, "count": 1.0}, {"y": 3.0, "count": 2.0}]
        session.run(model.restore(f"{path}/variables/variables"))
        assert session.run(results)["count"] == 1.0


def test_parts_of_variables_are_given_back_by_parts(tmp_path: Path, eager: None):
    def parts() -> Made:
        x = tf.placeholder(tf.float32, [])
        half = tf.fixed_size_partitioner(2)
        whole = tf.get_variable("a", initializer=tf.range(4.0), partitioner=half, use_resource=True)
        return {"x": x}, {"y": x * whole}

    path = saved(tmp_path / "model", parts)
    model = tf.saved_model.load_v2(path)
    for variable in model.variables:
        variable.assign([0.0, 0.0])
    model.restore(f"{path}/variables/variables")
    assert [variable.numpy().tolist() for variable in model.variables] == [[0.0, 1.0], [2.0, 3.0]]
    assert model.signatures["serving_default"](tf.constant(2.0))["y"].numpy().tolist() == [0.0, 2.0, 4.0, 6.0]


def test_loops_conditions_and_sparse_tensors_are_in_the_functions(tmp_path: Path, eager: None):
    def made() -> Made:
        n = tf.placeholder(tf.int32, [], name="n")
        sparse = tf.sparse_placeholder(tf.int64, [2, 2])
        _, total = tf.while_loop(lambda k, _: k <= n, lambda k, total: (k + 1, total + k), [0, 0])
        chosen = tf.cond(n > 3, lambda: total, lambda: -total)
        return {"n": n, "s": sparse}, {"chosen": chosen, "twice": sparse * 2}

    function = tf.saved_model.load_v2(saved(tmp_path / "model", made)).signatures["serving_default"]
    s = {"indices": [[0, 0], [1, 1]], "values": [42, 43], "dense_shape": [2, 2]}
    given = {f"s_{key}": tf.constant(value, tf.int64) for key, value in s.items()}
    results = function(n=tf.constant(4), **given)
    assert (results["chosen"].numpy(), results["twice"].values.numpy().tolist()) == (10, [84, 86])
    assert function(n=tf.constant(2), **given)["chosen"].numpy() == -3


def test_what_cannot_be_a_function_is_told(tmp_path: Path, eager: None):
    def unfed() -> Made:
        x = tf.placeholder(tf.float32, [], name="x")
        return {"other": tf.placeholder(tf.float32, [])}, {"y": x * tf.random_normal([2])}

    with pytest.raises(UnliftableError, match=r"signature needs an input for each placeholder[^\n]*\n\nUnable to lift"):
        tf.saved_model.load_v2(saved(tmp_path / "unfed", unfed))
    path = tmp_path / "several"
    with tf.Graph().as_default(), tf.Session() as session:
        builder = tf.saved_model.Builder(str(path))
        builder.add_meta_graph_and_variables(session, ["first"])
        builder.add_meta_graph(["second"])
        builder.save()
    with pytest.raises(ValueError, match=r"there are 2 MetaGraphs .*\['first'\], \['second'\]"):
        tf.saved_model.load_v2(str(path))
    assert list(tf.saved_model.load_v2(str(path), tags=["second"]).signatures) == []
    with pytest.raises(NotImplementedError, match="Partial loading is not supported for V1 SavedModels"):
        load_partial(str(path), ["root"])


def test_variables_of_references_are_no_resources():
    made = ref_variable.RefVariable(1.0, name="made", use_resource=True)
    assert made.dtype._is_ref_dtype
    assert isinstance(made, ref_variable.RefVariable)
    assert not isinstance(tf.Variable(1.0, use_resource=True), ref_variable.RefVariable)

    class Mine(ref_variable.RefVariable):
        pass

    assert isinstance(Mine(1.0), Mine)
    assert not isinstance(made, Mine)
