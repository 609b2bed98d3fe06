"""``tf.saved_model.save`` and TensorFlow 2's ``load``: objects with variables, functions, tables and files."""

from __future__ import annotations

import functools
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework.convert_to_constants import convert_variables_to_constants_v2
from steepest.v1.python.saved_model import load as load_module
from steepest.v1.python.saved_model import save as save_module

from steepest import v1 as tf

FLOATS = [tf.TensorSpec([None], tf.float32)]


@pytest.fixture(autouse=True)
def _eager() -> Iterator[None]:
    tf.enable_eager_execution()
    yield
    tf.disable_eager_execution()


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable(2.0, name="w")
        self.parts = [tf.Variable(1.0), 7, tf.Variable(3.0)]
        self.names = {"a": tf.Variable(5.0)}
        keys, values = tf.constant(["x", "y"]), tf.constant([1, 2], tf.int64)
        self.table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), -1)

    @tf.function(input_signature=FLOATS)
    def step(self, x: Any) -> Any:
        self.w.assign_add(1.0)
        branch = tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * self.w, lambda: x)
        return {"y": branch, "z": x + self.parts[2]}

    @tf.function
    def find(self, keys: Any) -> Any:
        return self.table.lookup(keys)


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Model, Path]:
    model = Model()
    model.find(tf.constant(["x"]))
    tf.saved_model.save(model, tmp_path / "model", signatures=model.step)
    return model, tmp_path / "model"


def test_a_loaded_object_has_variables_containers_functions_and_tables(saved: tuple[Model, Path]) -> None:
    loaded = tf.saved_model.load_v2(saved[1])
    assert loaded.w.name == "w:0"
    assert loaded.w.trainable
    assert loaded.w.numpy() == 2.0
    assert [each if each is None else each.numpy() for each in loaded.parts] == [1.0, None, 3.0]
    assert loaded.names["a"].numpy() == 5.0
    result = loaded.step([1.0, 2.0])
    np.testing.assert_array_equal(result["y"], [3.0, 6.0])
    np.testing.assert_array_equal(result["z"], [4.0, 5.0])
    assert loaded.w.numpy() == 3.0
    assert saved[0].w.numpy() == 2.0
    np.testing.assert_array_equal(loaded.find(tf.constant(["y"])), [2])
    assert loaded.tensorflow_version == tf.VERSION


def test_gradients_flow_through_loaded_functions(saved: tuple[Model, Path]) -> None:
    loaded = tf.saved_model.load_v2(saved[1])
    with tf.GradientTape() as tape:
        y = loaded.step(tf.constant([4.0]))["y"]
    assert tape.gradient(y, loaded.w).numpy() == 4.0


def test_signatures_take_and_give_tensors_by_name(saved: tuple[Model, Path]) -> None:
    signatures = tf.saved_model.load_v2(saved[1]).signatures
    assert list(signatures) == ["serving_default"]
    function = signatures["serving_default"]
    assert function.structured_input_signature == ((), {"x": tf.TensorSpec([None], tf.float32, "x")})
    np.testing.assert_array_equal(function(x=tf.constant([1.0]))["z"], [4.0])
    np.testing.assert_array_equal(function(tf.constant([-1.0]))["y"], [-1.0])
    with pytest.raises(TypeError):
        signatures["other"] = function


def test_what_is_loaded_can_be_saved_again(saved: tuple[Model, Path], tmp_path: Path) -> None:
    where = saved[1]
    for again in ("second", "third"):
        loaded = tf.saved_model.load_v2(where)
        where = tmp_path / again
        tf.saved_model.save(loaded, where, signatures=loaded.signatures)
    loaded = tf.saved_model.load_v2(where)
    np.testing.assert_array_equal(loaded.step([1.0])["y"], [3.0])
    np.testing.assert_array_equal(loaded.find(tf.constant(["z"])), [-1])


def test_a_session_runs_the_signatures_of_a_saved_object(saved: tuple[Model, Path]) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], saved[1]).signature_def["serving_default"]
        fed = {signature.inputs["x"].name: [1.0, 2.0]}
        found = session.run({name: each.name for name, each in signature.outputs.items()}, fed)
    np.testing.assert_array_equal(found["y"], [3.0, 6.0])


def test_a_graph_has_variables_that_begin_with_the_saved_values(saved: tuple[Model, Path]) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        loaded = tf.saved_model.load_v2(saved[1])
        result = loaded.step(tf.constant([1.0]))
        assert not tf.trainable_variables()
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        np.testing.assert_array_equal(session.run(result["y"]), [3.0])
        np.testing.assert_array_equal(session.run(loaded.find(tf.constant(["y"]))), [2])


def test_variables_of_a_graph_are_saved_with_the_values_of_the_session(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        model = tf.Module()
        model.v = tf.Variable(2.0)
        model.f = tf.function(lambda x: model.v * x, input_signature=FLOATS)
        session.run(model.v.assign(4.0))
        tf.saved_model.save(model, tmp_path / "model")
    loaded = tf.saved_model.load_v2(tmp_path / "model")
    np.testing.assert_array_equal(loaded.f([2.0]), [8.0])


def test_a_call_finds_the_body_that_was_made_for_its_arguments(tmp_path: Path) -> None:
    def scaled(x: Any, training: bool = False, by: Any = 3) -> Any:
        return 2 * x if training else by * x

    model = tf.Module()
    model.f = tf.function(scaled)
    model.f(tf.constant(1), True)
    model.f(tf.constant(1.0))
    model.g = tf.function(functools.partial(scaled, by=tf.constant(5)))
    model.g(tf.constant(1))
    tf.saved_model.save(model, tmp_path / "model")
    loaded = tf.saved_model.load_v2(tmp_path / "model")
    assert loaded.f(tf.constant(4), training=True).numpy() == 8
    assert loaded.f(tf.constant(4.0)).numpy() == 12.0
    assert loaded.g(tf.constant(2)).numpy() == 10
    with pytest.raises(ValueError, match="Could not find matching concrete function to call"):
        loaded.f(tf.constant(4))
    concrete = loaded.f.get_concrete_function(tf.TensorSpec([], tf.int32), True)
    assert concrete(tf.constant(3)).numpy() == 6


def test_bodies_with_slices_loops_and_custom_gradients_are_saved(tmp_path: Path) -> None:
    @tf.custom_gradient
    def doubled(x: Any) -> Any:
        return 2.0 * x, lambda dy: 5.0 * dy

    def columns(x: Any) -> Any:
        first = tf.constant(0), tf.zeros([2])
        return tf.while_loop(lambda k, _: k < tf.shape(x)[1], lambda k, s: (k + 1, s + model.v * x[:, k]), first)[1]

    model = tf.Module()
    model.v = tf.Variable(3.0)
    model.columns = tf.function(columns, input_signature=[tf.TensorSpec([2, None])])
    model.doubled = tf.function(doubled, input_signature=[tf.TensorSpec([])])
    tf.saved_model.save(model, tmp_path / "model")
    loaded = tf.saved_model.load_v2(tmp_path / "model")
    np.testing.assert_array_equal(loaded.columns([[1.0, 2.0], [3.0, 4.0]]), [9.0, 21.0])
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.doubled(x)
    assert y.numpy() == 2.0
    assert tape.gradient(y, x).numpy() == 5.0


def test_files_go_along(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("one\ntwo\n")
    model = tf.Module()
    model.words = tf.saved_model.Asset(tmp_path / "words.txt")
    model.read = tf.function(lambda: tf.identity(model.words), input_signature=[])
    tf.saved_model.save(model, tmp_path / "model")
    (tmp_path / "words.txt").unlink()
    (tmp_path / "model").rename(tmp_path / "moved")
    loaded = tf.saved_model.load_v2(tmp_path / "moved")
    path = tmp_path / "moved" / "assets" / "words.txt"
    assert path.read_text() == "one\ntwo\n"
    assert loaded.read().numpy() == loaded.words.asset_path.numpy() == str(path).encode()
    with tf.Graph().as_default(), tf.Session() as session:
        signature = tf.saved_model.load(session, ["serve"], tmp_path / "moved").signature_def["serving_default"]
        assert session.run(signature.outputs["output_0"].name) == str(path).encode()


def test_tables_that_a_program_fills_have_their_entries(tmp_path: Path) -> None:
    model = tf.Module()
    model.table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, -1)
    model.table.insert("a", 15.0)
    model.find = tf.function(lambda key: model.table.lookup(key), input_signature=[tf.TensorSpec(None, tf.string)])
    assert model.find("a").numpy() == 15.0
    tf.saved_model.save(model, tmp_path / "model")
    loaded = tf.saved_model.load_v2(tmp_path / "model")
    assert [loaded.find(key).numpy() for key in ("a", "b")] == [15.0, -1.0]


def test_parts_of_a_model_are_loaded_by_their_paths(tmp_path: Path) -> None:
    model = tf.Module()
    model.held = tf.Module()
    model.held.v = tf.Variable(1.0)
    model.held.f = tf.function(lambda: model.held.v + 1.0, input_signature=[])
    model.f = tf.function(lambda: model.held.v + 2.0, input_signature=[])
    tf.saved_model.save(model, tmp_path / "model")
    parts = load_module.load_partial(tmp_path / "model", ["root.held", "root.held.v"])
    assert parts["root.held"].f().numpy() == 2.0
    assert parts["root.held"].v is parts["root.held.v"]
    with pytest.raises(ValueError, match="does not include all required objects for loading"):
        load_module.load_partial(tmp_path / "model", ["root.f"])


def test_other_names_of_functions_are_kept(tmp_path: Path) -> None:
    model = tf.Module()
    model.f = tf.function(lambda x: 2.0 * x, input_signature=FLOATS)
    options = tf.saved_model.SaveOptions(function_aliases={"double": model.f})
    nodes, paths = save_module.save_and_return_nodes(model, tmp_path / "model", options=options)
    assert nodes[0] is model
    assert [each.name for each in paths[model.f]] == ["f"]
    loading = tf.saved_model.LoadOptions(experimental_load_function_aliases=True)
    loaded = tf.saved_model.load_v2(tmp_path / "model", options=loading)
    np.testing.assert_array_equal(loaded.function_aliases["double"]([1.0]), [2.0])


def test_what_cannot_be_saved_is_told(tmp_path: Path) -> None:
    model = tf.Module()
    hidden = tf.Variable(1.0, name="hidden")
    with pytest.raises(ValueError, match="Expected an object of type `Trackable`"):
        tf.saved_model.save(3, tmp_path / "a")
    model.f = tf.function(lambda x: hidden * x)
    with pytest.raises(ValueError, match="Expected a TensorFlow function"):
        tf.saved_model.save(model, tmp_path / "b", signatures=model.f)
    model.f(tf.constant(1.0))
    with pytest.raises(KeyError, match="not reachable from root"):
        tf.saved_model.save(model, tmp_path / "c")
    with pytest.raises(AssertionError, match=r"referencing this tensor.*hidden"):
        tf.saved_model.save(model, tmp_path / "d", model.f.get_concrete_function(tf.TensorSpec([])))
    nested = tf.function(lambda x: (x, (x, x))).get_concrete_function(tf.TensorSpec([]))
    with pytest.raises(ValueError, match="non-Tensor value"):
        tf.saved_model.save(tf.Module(), tmp_path / "e", nested)
    model = tf.Module()
    model.f = tf.function(lambda: tf.io.read_file(__file__), input_signature=[])
    with pytest.raises(ValueError, match="ReadFile"):
        tf.saved_model.save(model, tmp_path / "g")
    model.signatures = tf.Variable(1.0)
    with pytest.raises(ValueError, match=r"del obj\.signatures"):
        tf.saved_model.save(model, tmp_path / "f")


def test_functions_that_were_not_called_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    model = tf.Module()
    model.f = tf.function(lambda x: x)
    with caplog.at_level(logging.INFO):
        tf.saved_model.save(model, tmp_path / "model")
    assert "Found untraced functions such as <lambda> while saving (showing 1 of 1)" in caplog.text
    with pytest.raises(ValueError, match="Found zero restored functions for caller function"):
        tf.saved_model.load_v2(tmp_path / "model").f(1.0)


def test_models_of_other_tags_are_refused(tmp_path: Path) -> None:
    tf.saved_model.save(tf.Module(), tmp_path / "model")
    with pytest.raises(ValueError, match="incompatible argument to `tags`"):
        tf.saved_model.load_v2(tmp_path / "model", tags=["train"])


def test_objects_that_wait_for_each_other_are_refused(tmp_path: Path) -> None:
    class Waiting(tf.Module):
        def _deserialization_dependencies(self, children: Any) -> Any:
            return {"other": self.other}

    one, other = Waiting(), Waiting()
    one.other, other.other = other, one
    with pytest.raises(ValueError, match="dependency cycle in the saved Trackable"):
        tf.saved_model.save(one, tmp_path / "model")


def test_a_function_is_frozen_with_the_values_of_its_variables(saved: tuple[Model, Path]) -> None:
    model = saved[0]
    read = tf.function(lambda x: model.w * x + model.parts[0]).get_concrete_function(FLOATS[0])
    frozen = convert_variables_to_constants_v2(read)
    model.w.assign(100.0)
    np.testing.assert_array_equal(frozen(tf.constant([1.0, 2.0])), [3.0, 5.0])
    assert not frozen.graph.variables
    assert [node.name for node in frozen.inputs][:1] == ["x:0"]
    with pytest.raises(ValueError, match="changes a variable"):
        convert_variables_to_constants_v2(model.step.get_concrete_function())
