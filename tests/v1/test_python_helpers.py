"""``tensorflow.python.util`` beside decorators and nests: results, names, locks, kinds of types, stacks."""

from __future__ import annotations

import functools
import gc
import inspect
import logging
import pickle
import sys
import threading
import types
import typing

import numpy as np
import pytest
from steepest.v1.python.util import (
    decorator_utils,
    lazy_loader,
    lock_util,
    numpy_compat,
    object_identity,
    tf_decorator,
    tf_export,
    tf_inspect,
    tf_should_use,
    tf_stack,
    type_annotations,
    variable_utils,
)

import steepest.v1 as tf
from steepest.v1.graph.mode import eager_execution_set


@tf_should_use.should_use_result
def doubled(value):
    return tf.add(value, value, name="doubled")


def told(caplog):
    gc.collect()
    found = [record.getMessage() for record in caplog.records]
    caplog.clear()
    return found


def test_results_that_nobody_uses_are_told_of(caplog):
    caplog.set_level(logging.ERROR)
    doubled(1.0)
    (message,) = told(caplog)
    assert "Object was never used" in message
    assert "doubled:0" in message
    assert "test_results_that_nobody_uses_are_told_of" in message
    doubled(1.0).mark_used()
    with eager_execution_set(True):
        doubled(1.0)  # of which eager mode tells where it is asked to
    assert told(caplog) == []
    made = doubled(2.0)
    assert isinstance(made, tf.Tensor)
    with tf.control_dependencies([made]), tf.Session() as session:
        assert session.run([made, 1.0 + made, tf.stack([made, made])[0], tf.identity(made)]) == [4, 5, 4, 4]
        assert session.run(made + 1.0, {made: 6.0}) == 7
    del made
    assert told(caplog) == []


def test_results_in_bodies_of_functions_are_an_error_where_that_is_asked_for():
    @tf_should_use.should_use_result(error_in_function=True)
    def made(value):
        return tf.identity(value)

    def body(used):
        first = made(1.0)
        return first + 1.0 if used else tf.constant(1.0)

    assert tf.function(lambda: body(True))().shape == ()
    with pytest.raises(RuntimeError, match="Object was never used"):
        tf.function(lambda: body(False))()


def test_exported_names_are_found_again():
    @tf_export.tf_export("first.name", "second", v1=["old.name"])
    def nothing():
        pass

    assert tf_export.get_symbol_from_name("first.name") is nothing
    assert tf_export.get_symbol_from_name("compat.v1.old.name") is nothing
    assert tf_export.get_symbol_from_name("old.name") is None
    assert tf_export.get_canonical_name_for_symbol(nothing) == "first.name"
    assert tf_export.get_v1_names(nothing) == ["old.name", "first.name", "second"]
    assert tf_export.get_v2_names(nothing) == ["first.name", "second"]
    assert tf_export.get_canonical_name(["a", "b"], ["a"]) == "b"
    assert tf_export.get_canonical_name_for_symbol(len) is None
    with pytest.raises(tf_export.InvalidSymbolNameError):
        tf_export.tf_export(3)


def test_names_of_a_class_are_not_those_of_a_class_below_it():
    @tf_export.tf_export(v1=["Above"])
    class Above:
        pass

    class Below(Above):
        pass

    assert (tf_export.get_v1_names(Above), tf_export.get_v1_names(Below)) == (["Above"], [])
    assert tf_export.get_canonical_name_for_symbol(Above, add_prefix_to_v1_names=True) == "compat.v1.Above"


def test_constants_are_exported(monkeypatch):
    module = types.ModuleType("with_constants")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    tf_export.tf_export("A", v1=["B"]).export_constant("with_constants", "NAME")
    assert tf_export.get_v2_constants(module) == [(("A",), "NAME")]
    assert tf_export.get_v1_constants(module) == [(("B",), "NAME"), (("A",), "NAME")]


def test_arguments_by_name_only():
    with pytest.raises(TypeError, match=r"only takes keyword args \(possible keys: a, b\)"):
        tf_export.kwarg_only(lambda a, b: a + b)(1, 2)


def test_a_group_waits_for_another_one():
    lock = lock_util.GroupLock(2)
    order = []

    def second():
        with lock.group(1):
            order.append("second")

    thread = threading.Thread(target=second)
    with lock.group(0), lock.group(0):
        thread.start()
        thread.join(0.05)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert lock._group_member_counts == [0, 0]
    for bad in (2, -1):
        with pytest.raises(ValueError, match="group_id must be in"):
            lock.group(bad)
    with pytest.raises(ValueError, match="num_groups must be"):
        lock_util.GroupLock(0)


def test_kinds_of_types():
    kinds = {
        typing.Union[int, str]: "union",  # noqa: UP007 - the object of that name
        typing.Tuple[int, ...]: "tuple",  # noqa: UP006
        typing.List[int]: "list",  # noqa: UP006
        typing.Mapping[int, str]: "mapping",
        typing.Tuple: None,  # noqa: UP006
        int: None,
    }
    for kind, name in kinds.items():
        for each in ("union", "tuple", "list", "mapping"):
            assert getattr(type_annotations, f"is_generic_{each}")(kind) == (each == name)
    assert type_annotations.get_generic_type_args(typing.Tuple[int, ...]) == (int, ...)  # noqa: UP006
    assert type_annotations.is_forward_ref(typing.get_args(typing.List["B"])[0])  # noqa: F821, UP006
    assert not type_annotations.is_forward_ref(int)


def test_arrays_are_copied_where_that_is_asked_for():
    x = np.ones(2, np.float32)
    assert numpy_compat.np_asarray(x, np.float32) is x
    assert numpy_compat.np_array(x, np.float32, copy=None) is x
    assert numpy_compat.np_array(x) is not x
    assert numpy_compat.np_reshape(x, newshape=(2, 1)).shape == (2, 1)


def test_variables_in_nests_become_values():
    class Pair:
        def __init__(self, part):
            self.part = part

        def _convert_variables_to_tensors(self):
            return Pair(tf.convert_to_tensor(self.part))

    with eager_execution_set(True):
        v = tf.Variable(2.0)
        first, [pair], last = variable_utils.convert_variables_to_tensors((v, [Pair(v)], 3))
        assert [type(each).__name__ for each in (first, pair.part)] == ["Tensor", "Tensor"]
        assert (first.numpy(), pair.part.numpy(), last) == (2, 2, 3)
        assert variable_utils.replace_variables_with_atoms([v, (v, 3)]) == [0, (0, 3)]
    plain = tf.Variable(2.0, use_resource=False)
    assert variable_utils.convert_variables_to_tensors([plain]) == [plain]


def test_stacks_are_keys_and_tell_the_program_from_the_library():
    first, second = tf_stack.extract_stack(), tf_stack.extract_stack()
    assert first == second
    assert hash(first) == hash(second)
    assert first.last_user_frame().name == "test_stacks_are_keys_and_tell_the_program_from_the_library"
    assert tf_stack.extract_stack(1)[0].name == first[-1].name
    seen = []

    class Here(tf.train.GradientDescentOptimizer):
        def _apply_dense(self, grad, var):
            seen.append(tf_stack.extract_stack().get_user_frames()[-1].name)
            return super()._apply_dense(grad, var)

    Here(0.5).minimize(tf.Variable(1.0) * 2.0)
    assert seen == ["_apply_dense"]


def test_properties_of_classes():
    asked = []

    class Above:
        @decorator_utils.cached_classproperty
        def name(cls):
            asked.append(cls)
            return cls.__name__

        @decorator_utils.classproperty
        def twice(cls):
            return cls.__name__ * 2

    class Below(Above):
        pass

    assert [Above.name, Below().name, Above().name, Below.twice] == ["Above", "Below", "Above", "BelowBelow"]
    assert asked == [Above, Below]
    with pytest.raises(AttributeError):
        Above().name = "another"
    with pytest.raises(AttributeError):
        del Above().name


def test_wrapped_objects_are_compared_with_their_like():
    a, b = [1], [1]
    one, other = (object_identity._ObjectIdentityWrapper(each) for each in (a, b))
    assert one == object_identity._ObjectIdentityWrapper(a)
    assert one != other
    assert (one < other) == (id(a) < id(b))
    with pytest.raises(TypeError, match="Cannot compare wrapped object"):
        _ = one == a
    assert object_identity.Reference(a).deref() is a
    both = object_identity.ObjectIdentitySet([a, b])
    assert list(both.difference([a])) == [b]
    assert list(both.intersection([a])) == [a]
    both.difference_update([b])
    assert len(both) == 1
    both.clear()
    assert len(both) == 0


def test_modules_that_are_loaded_late_tell_of_it_and_are_pickled(caplog):
    names = {}
    module = lazy_loader.LazyLoader("late", names, "xml.dom", warning="late is deprecated")
    assert not hasattr(module, "__wrapped__")
    assert names == {}
    module.of_mine = 3
    assert [record.getMessage() for record in caplog.records] == ["late is deprecated"]
    assert (names["late"].of_mine, module.of_mine, module.Node) == (3, 3, names["late"].Node)
    del names["late"].of_mine
    assert len(caplog.records) == 1
    assert pickle.loads(pickle.dumps(module)) is names["late"]


def test_decorated_functions_have_the_signature_that_they_are_given():
    spec = inspect.FullArgSpec(["a", "b"], "more", "named", (1,), ["c", "d"], {"d": 2}, {})
    decorated = tf_decorator.make_decorator(doubled, lambda *args: args, "name", "", spec)
    assert str(inspect.signature(decorated)) == "(a, b=1, *more, c, d=2, **named)"


def test_signatures_of_partial_and_decorated_functions():
    def function(a, b=1, *c, d, e=2, **f):
        return a

    decorated = tf_decorator.make_decorator(function, lambda *args, **kwargs: function(*args, **kwargs))
    spec = tf_inspect.ArgSpec(["a", "b", "d", "e"], "c", "f", (1, 2))  # what is named only is behind the rest
    assert tf_inspect.getargspec(function) == tf_inspect.getargspec(decorated) == spec
    partial = functools.partial(decorated, 1, d=3)
    assert tf_inspect.getfullargspec(partial) == tf_inspect.getfullargspec(functools.partial(function, 1, d=3))
    assert tf_inspect.getargspec(tf_decorator.make_decorator(partial, lambda: 0)).args == ["b", "d", "e"]
    with pytest.raises(ValueError, match=r"keyword-only arguments, which are not supported: \['b'\]"):
        tf_inspect.getargspec(functools.partial(lambda a, b: a, a=0))

    class Made:
        def __new__(cls, x, y=1):
            return super().__new__(cls)

        def __call__(self):
            pass

        method = __call__

    assert tf_inspect.getargspec(Made) == tf_inspect.ArgSpec(["cls", "x", "y"], None, None, (1,))
    given = tf_inspect.FullArgSpec(["x"], None, None, (1,), [], None, {})
    assert str(inspect.signature(tf_decorator.TFDecorator("", function, "", given))) == "(x=1)"
    seen = [function, Made.method, Made(1).method, functools.partial(Made(1).method), Made(1)]
    assert [tf_inspect.isanytargetmethod(each) for each in seen] == [False, False, True, True, True]
