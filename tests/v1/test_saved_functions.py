"""Functions in saved models: for variables that they are given, and what they tell of arguments and results."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.eager import backprop
from steepest.v1.python.ops import array_ops, resource_variable_ops
from steepest.v1.python.saved_model import load, loader_impl, save, save_options

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set


@pytest.fixture(autouse=True)
def eagerly() -> Iterator[None]:
    with eager_execution_set(True), tf.graph.graph.default_graphs_set_aside():
        yield


def _again(root: Any, folder: Path, times: int = 2) -> Any:
    for number in range(times):
        save.save(root, folder / str(number))
        root = load.load(folder / str(number))
    return root


def test_a_function_of_variables_takes_others_of_their_kind(tmp_path: Path) -> None:
    own = tf.Variable(0.0)

    def moved(target: Any, by: Any, source: Any) -> Any:
        target.assign_add(by * source)
        own.assign_sub(by)
        return target + source

    root = tf.Module()
    root.own, root.moved = own, tf.function(moved)
    concrete = root.moved.get_concrete_function(tf.Variable(1.0), tf.constant(1.0), tf.Variable(5.0))
    loaded = _again(root, tmp_path)
    for model, single in ((root, concrete), (loaded, loaded.moved.concrete_functions[0])):
        for call in (model.moved, single):
            a, b = tf.Variable(1.0), tf.Variable(3.0)
            before = float(model.own.numpy())
            assert float(call(a, tf.constant(2.0), b)) == 10.0
            assert float(call(a, source=a, by=tf.constant(1.0))) == 28.0  # the same one twice
            assert (float(a.numpy()), float(model.own.numpy())) == (14.0, before - 3.0)
        with pytest.raises((TypeError, ValueError)):
            single(tf.Variable([1.0, 2.0]), tf.constant(1.0), b)
        with pytest.raises(TypeError):
            single(by=tf.constant(1.0))
    assert loaded.own is not own


def test_a_function_for_given_arguments_may_be_an_attribute_alone(tmp_path: Path) -> None:
    root = tf.Module()
    root.f = tf.function(lambda v, x: v.assign_add(x)).get_concrete_function(tf.Variable(1.0), tf.constant(1.0))
    other = tf.Variable(5.0)
    assert float(_again(root, tmp_path).f(other, tf.constant(2.0))) == 7.0
    assert float(other.numpy()) == 7.0


def test_variables_that_were_one_are_one_in_the_file(tmp_path: Path) -> None:
    root = tf.Module()
    root.f = tf.function(lambda a, b: a.assign_add(1.0) + b)
    x = tf.Variable(1.0)
    assert float(root.f(x, x)) == 4.0
    loaded = _again(root, tmp_path)
    y = tf.Variable(10.0)
    assert float(loaded.f(y, y)) == 22.0


def test_slopes_by_a_variable_that_a_loaded_function_is_given(tmp_path: Path) -> None:
    root = tf.Module()
    root.f = tf.function(lambda v: v * v * v)
    root.f(tf.Variable(1.0))
    loaded, v = _again(root, tmp_path), tf.Variable(2.0)
    with backprop.GradientTape() as outer:
        with backprop.GradientTape() as tape:
            y = loaded.f(v)
        slope = tape.gradient(y, v)
    assert (float(slope), float(outer.gradient(slope, v))) == (12.0, 12.0)


def test_a_handle_that_functions_pass_on_is_that_of_the_variable(tmp_path: Path) -> None:
    weight = tf.Variable(2.0)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def shifted(x: Any) -> Any:
        handle = array_ops.identity(weight.handle)
        inner = tf.function(lambda: array_ops.identity(handle))
        return x + resource_variable_ops.read_variable_op(inner(), tf.float32)

    root = tf.Module()
    root.weight, root.shifted = weight, shifted
    for model in (root, _again(root, tmp_path)):
        with backprop.GradientTape() as tape:
            y = tf.reduce_sum(model.shifted(tf.constant([1.0, 2.0])))
        assert (float(y), float(tape.gradient(y, model.weight))) == (7.0, 2.0)
        model.weight.assign(10.0)
        np.testing.assert_array_equal(model.shifted(tf.constant([1.0])).numpy(), [11.0])


def test_loaded_functions_tell_the_names_of_arguments_and_results(tmp_path: Path) -> None:
    pair = collections.namedtuple("pair", ["b", "a"])
    root = tf.Module()
    spec = tf.TensorSpec([], tf.float32)
    root.f = tf.function(lambda x, nest: [pair(a=x, b=nest["k"]), {"c": x}]).get_concrete_function(spec, {"k": spec})
    root.g = tf.function(lambda x: x).get_concrete_function(tf.TensorSpec([], tf.float32, name="own"))
    loaded = _again(root, tmp_path)
    assert root.f.structured_input_signature == loaded.f.structured_input_signature
    (x, nest), _ = loaded.f.structured_input_signature
    assert (x.name, nest["k"].name) == ("x", "nest_k")
    first, second = loaded.f.structured_outputs
    assert [each.name for each in (first.a, first.b, second["c"])] == ["tensor_0_a", "tensor_0_b", "tensor_1_c"]
    assert repr(loaded.f.function_type.parameters["x"].type_constraint) == repr(tf.TensorSpec([], tf.float32, "x"))
    assert root.f.function_type.parameters["x"].type_constraint.name is None
    assert (loaded.g.structured_outputs.name, loaded.g.structured_input_signature[0][0].name) == ("unknown", "own")
    second_kind = root.f.function_type.output
    assert "Dict[['c', TensorSpec(shape=(), dtype=tf.float32, name=None)]]" in repr(second_kind)


def test_attributes_of_a_function_are_in_the_file(tmp_path: Path) -> None:
    root = tf.Module()
    attributes = {"disable_summaries_at_runtime": ["x", True]}
    root.f = tf.function(
        lambda x: x * 2.0, input_signature=[tf.TensorSpec([], tf.float32)], experimental_attributes=attributes
    )
    loaded = _again(root, tmp_path)
    told = loaded.signatures["serving_default"].function_def.attr["disable_summaries_at_runtime"].list
    assert (list(told.s), list(told.b)) == ([b"x"], [True])


def test_defaults_that_are_tensors_are_defaults_of_signatures(tmp_path: Path) -> None:
    spec = tf.TensorSpec([], tf.float32)

    first, second = {"k": np.array(2.0)}, tf.constant(20.0)

    @tf.function(input_signature=[spec, {"k": spec}])
    def f(x: Any, nest: Any = first, y: Any = second) -> Any:
        return x * nest["k"] + y

    assert f.input_signature == (spec, {"k": spec})
    assert [float(f(1.0)), float(f(1.0, {"k": 3.0})), float(f(1.0, y=tf.constant(1.0)))] == [22.0, 23.0, 3.0]
    root = tf.Module()
    root.f = f
    save.save(root, tmp_path, root.f)
    assert float(load.load(tmp_path).f(tf.constant(1.0))) == 22.0
    with eager_execution_set(False), tf.Graph().as_default(), tf.Session() as session:
        model = tf.saved_model.load(session, ["serve"], str(tmp_path))
        signature = model.signature_def["serving_default"]
        assert sorted(signature.defaults) == ["nest", "y"]
        given = {name: session.graph.get_tensor_by_name(info.name) for name, info in signature.inputs.items()}
        result = session.graph.get_tensor_by_name(signature.outputs["output_0"].name)
        assert session.run(result, {given["x"]: 1.0}) == 22.0
        assert session.run(result, {given["x"]: 1.0, given["y"]: 0.0, given["nest"]: 5.0}) == 5.0


def test_other_names_of_functions_are_in_the_message(tmp_path: Path) -> None:
    root = tf.Module()
    root.f = tf.function(lambda x: x * 2.0, input_signature=[tf.TensorSpec([], tf.float32)])
    concrete = root.f.get_concrete_function()
    options = save_options.SaveOptions(function_aliases={"mine": root.f})
    save.save(root, tmp_path, options=options)
    info = loader_impl.parse_saved_model(str(tmp_path)).meta_graphs[0].meta_info_def
    assert dict(info.function_aliases) == {concrete.name.decode(): "mine"}
