"""``tensorflow.python.util``: decorators, signatures, warnings of what is deprecated, nests of other kinds."""

from __future__ import annotations

import functools
import gc
import json
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.framework import graph_io, registry
from steepest.v1.python.util import (
    function_utils,
    keyword_args,
    lazy_loader,
    nest,
    object_identity,
    serialization,
    tf_contextlib,
    tf_decorator,
    tf_inspect,
    tf_stack,
)

import steepest.v1 as tf


def scaled(x, factor=2):
    """Return x times a factor."""
    return x * factor


def named(function):
    def around(*args, **kwargs):
        return around.__wrapped__(*args, **kwargs)

    return tf_decorator.make_decorator(function, around)


def test_decorators_tell_which_function_they_stand_for():
    twice = named(tf_decorator.TFDecorator("inner", scaled, "Another text."))
    decorators, target = tf_decorator.unwrap(twice)
    assert [each.decorator_name for each in decorators] == ["named", "inner"]
    assert target is scaled
    assert twice(3) == 6
    assert (twice.__name__, twice.__doc__) == ("scaled", "Another text.")
    assert tf_decorator.unwrap(scaled) == ([], scaled)


def test_the_innermost_function_is_replaced():
    twice = named(named(scaled))
    tf_decorator.rewrap(twice, scaled, lambda x: x + 1)
    assert twice(3) == 4
    assert tf_decorator.rewrap(scaled, scaled, named) is named
    with pytest.raises(ValueError, match="must be what unwrap gives"):
        tf_decorator.rewrap(twice, scaled, scaled)


def test_decorators_of_methods_are_bound():
    class Holder:
        @functools.partial(tf_decorator.TFDecorator, "kept")
        def method(self, value):
            return self, value

    holder = Holder()
    assert holder.method(4) == (holder, 4)


def test_signatures_are_those_of_the_function_behind():
    decorated = named(scaled)
    assert tf_inspect.getargspec(decorated) == (["x", "factor"], None, None, (2,))
    assert tf_inspect.getfullargspec(decorated).args == ["x", "factor"]
    mine = tf_inspect.getfullargspec(lambda x, dtype, name=None: x)
    assert tf_inspect.getfullargspec(tf.cast) == mine  # programs compare them: without types, as TensorFlow's
    assert tf_inspect.getcallargs(decorated, 1) == {"x": 1, "factor": 2}
    assert "x * factor" in tf_inspect.getsource(decorated)
    said = tf_inspect.ArgSpec(["z"], None, None, None)
    assert tf_inspect.getargspec(tf_decorator.TFDecorator("", scaled, "", said)) == said
    assert tf_inspect.isfunction(decorated)
    assert not tf_inspect.isclass(decorated)


def test_signatures_of_partial_functions_and_callables():
    def function(a, b, c=3):
        return a, b, c

    assert tf_inspect.getargspec(functools.partial(function, 1)) == (["b", "c"], None, None, (3,))
    assert tf_inspect.getargspec(functools.partial(function, b=5)) == (["a", "b", "c"], None, None, (5, 3))
    with pytest.raises(ValueError, match=r"\['b'\] do not have default value"):
        tf_inspect.getargspec(functools.partial(function, a=1))
    with pytest.raises(ValueError, match="unknown partial keyword"):
        tf_inspect.getargspec(functools.partial(function, d=1))

    class Called:
        def __init__(self, size):
            self.size = size

        def __call__(self, x):
            return x

    assert tf_inspect.getargspec(Called).args == ["self", "size"]
    assert tf_inspect.getargspec(Called(1)).args == ["self", "x"]
    assert tf_inspect.getfullargspec(Called(1)).args == ["self", "x"]


def test_helpers_of_functions_and_modules():
    @keyword_args.keyword_args_only
    def by_name(a, b):
        return a + b

    @tf_contextlib.contextmanager
    def opened(a, b=2):
        yield a + b

    assert by_name(a=1, b=2) == 3
    with pytest.raises(ValueError, match="Must use keyword args to call by_name"):
        by_name(1, 2)
    with opened(1) as value:
        assert value == 3
    assert tf_inspect.getargspec(opened).args == ["a", "b"]
    names: dict[str, Any] = {}
    late = lazy_loader.LazyLoader("late", names, "json")
    assert not names
    assert late.dumps([1]) == "[1]"
    assert names["late"].__name__ == "json"
    assert tf_stack.extract_stack()[-1].name == "test_helpers_of_functions_and_modules"
    assert tf_stack.extract_stack_file_and_line(1)[0].file == __file__
    assert function_utils.get_func_code(scaled) is scaled.__code__
    with pytest.raises(ValueError, match="Argument must be callable"):
        function_utils.get_func_code(3)


class Scaler:
    def __init__(self, factor, offset=1):
        self.factor = factor

    def __call__(self, x):
        return x * self.factor

    def method(self, x, scale=2):
        return x * scale

    def get_config(self):
        return {"factor": self.factor}


def test_helpers_of_functions_look_behind_decorators_and_into_classes():
    decorated = tf_decorator.make_decorator(scaled, lambda *args, **kwargs: scaled(*args, **kwargs))
    assert function_utils.fn_args(decorated) == ("x", "factor")
    assert function_utils.fn_args(Scaler) == ("self", "factor", "offset")
    assert function_utils.fn_args(Scaler(2)) == ("x",)
    assert not function_utils.has_kwargs(Scaler)
    assert not function_utils.has_kwargs(decorated)
    assert function_utils.get_func_name(Scaler(2).method) == "Scaler.method"
    assert function_utils.get_func_name(functools.partial(scaled, 1)) == "<class 'functools.partial'>"
    assert function_utils.get_func_code(Scaler) is Scaler.__call__.__code__
    assert tf_decorator.TFDecorator("name", scaled).__qualname__ == "scaled"


def test_arguments_of_calls_are_told_without_being_checked():
    assert tf_inspect.getcallargs(scaled, 1) == {"x": 1, "factor": 2}
    assert tf_inspect.getcallargs(scaled, factor=3) == {"factor": 3}
    assert tf_inspect.getcallargs(scaled, 1, 2, 3, other=4) == {"x": 1, "factor": 2, "other": 4}
    scaler = Scaler(2)
    assert tf_inspect.getcallargs(scaler.method, 1) == {"self": scaler, "x": 1, "scale": 2}


def test_json_of_objects():
    values = [np.int32(3), np.arange(2), tf.TensorShape([1, None]), Scaler(2), Scaler, tf.Dimension(3)]
    config = {"class_name": "Scaler", "config": {"factor": 2}}
    assert [serialization.get_json_type(value) for value in values[:2]] == [3, [0, 1]]
    assert [serialization.get_json_type(value) for value in [values[2], values[3], values[5]]] == [[1, None], config, 3]
    assert json.dumps({"a": values[0]}, default=serialization.get_json_type) == '{"a": 3}'
    assert serialization.get_json_type(scaled) == "scaled"
    with pytest.raises(TypeError, match="Not JSON Serializable"):
        serialization.get_json_type({1})


def test_weak_sets_forget_objects():
    class Thing:
        pass

    kept, lost = Thing(), Thing()
    things = object_identity.ObjectIdentityWeakSet([kept, lost])
    values = object_identity.ObjectIdentityWeakKeyDictionary([(kept, 1), (lost, 2)])
    assert (len(things), values[lost]) == (2, 2)
    del lost
    gc.collect()
    assert (list(things), dict(values.items())) == ([kept], {kept: 1})


class Field:
    def __init__(self, name):
        self.name = name


class Pair:
    __attrs_attrs__ = (Field("first"), Field("second"))

    def __init__(self, first, second):
        self.first, self.second = first, second


def test_nests_of_classes_of_attr():
    pair = Pair(1, {"b": 2, "a": 3})
    assert nest.flatten(pair) == [1, 3, 2]
    made = nest.map_structure(lambda x: 2 * x, pair)
    assert (type(made), made.first, made.second) == (Pair, 2, {"b": 4, "a": 6})
    assert [path for path, _ in nest.flatten_with_tuple_paths(pair)] == [("first",), ("second", "a"), ("second", "b")]


def test_nests_are_flattened_to_the_parts_of_sparse_tensors():
    with tf.Graph().as_default(), tf.Session() as session:
        sparse = tf.SparseTensor([[0]], [1.0], [3])
        slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([2]))
        flat = nest.flatten([sparse, slices, 5], expand_composites=True)
        assert len(flat) == 6
        packed = nest.pack_sequence_as([sparse, slices, 5], flat, expand_composites=True)
        assert isinstance(packed[0], tf.SparseTensor)
        assert packed[1].values is slices.values
        doubled = nest.map_structure(lambda x: x * 2, {"s": sparse}, expand_composites=True)
        found = session.run(doubled["s"])
        np.testing.assert_array_equal(found.dense_shape, [6])
        with pytest.raises(TypeError, match="is not of the type"):
            nest.assert_same_structure([sparse], [slices], expand_composites=True)


def test_nests_down_to_another_one_with_paths():
    shallow, deep = {"a": 0, "b": (0, 0)}, {"a": [1, 2], "b": (3, [4])}
    assert nest.flatten_with_tuple_paths_up_to(shallow, deep) == [(("a",), [1, 2]), (("b", 0), 3), (("b", 1), [4])]
    found = nest.map_structure_with_tuple_paths_up_to(shallow, lambda path, item: (path, item), deep)
    assert found == {"a": (("a",), [1, 2]), "b": ((("b", 0), 3), (("b", 1), [4]))}
    with pytest.raises(ValueError, match=r"Entire first structure:\n\(\., \[\.\]\)\nEntire second"):
        nest.assert_same_structure((1, [2]), (1, 2))
    with pytest.raises(TypeError, match="same sequence type"):
        nest.map_structure_with_paths(lambda path, *items: path, [1], (1,))


def test_registries_have_each_name_once():
    things = registry.Registry("things")
    things.register(scaled)
    things.register(named, "other")
    assert (things.list(), things.lookup("other")) == (["scaled", "other"], named)
    with pytest.raises(KeyError, match=r"two things with name 'other'! \(Previous registration was in .*\.py:\d+\)"):
        things.register(scaled, "other")
    with pytest.raises(LookupError, match="things registry has no entry for: none"):
        things.lookup("none")
    assert graph_io.write_graph is tf.train.write_graph
