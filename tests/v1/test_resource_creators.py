"""What TensorFlow 2's modules of tracked objects have beside them: an order, creators of resources, delegates."""

from __future__ import annotations

import numpy as np
import pytest
from steepest.v1.python.framework import ops
from steepest.v1.python.trackable import base, base_delegate, resource, trackable_utils

import steepest.v1 as tf


def test_each_object_comes_behind_what_it_depends_on():
    needs = {"a": ["b", "c"], "b": ["c"], "c": ["e"], "d": ["c"], "e": []}
    order = list(trackable_utils.order_by_dependency(needs))
    assert sorted(order) == sorted(needs)
    assert all(order.index(each) < order.index(key) for key, others in needs.items() for each in others)
    with pytest.raises(ValueError, match=r"not keys: \{3\}"):
        trackable_utils.order_by_dependency({1: [3]})
    with pytest.raises(trackable_utils.CyclicDependencyError) as caught:
        trackable_utils.order_by_dependency({1: [2, 4], 2: [1], 3: [1], 4: []})
    assert caught.value.leftover_dependency_map == {1: [2, 4], 2: [1]}
    path = [base.TrackableReference(name, None) for name in ("a", "b")]
    assert [trackable_utils.pretty_print_node_path(each) for each in (path, [])] == ["root.a.b", "root object"]


class Named(resource.TrackableResource):
    def __init__(self, handle_name):
        super().__init__()
        self.handle_name = handle_name

    def _create_resource(self):
        return self.handle_name


class Other(Named):
    pass


def test_creators_make_resources_of_the_classes_that_are_named():
    def renamed(next_creator, handle_name):
        return next_creator(handle_name=f"{handle_name} anew")

    def marked(next_creator, *args, **kwargs):
        made = next_creator(*args, **kwargs)
        made.mark = 1
        return made

    with tf.Graph().as_default():
        with ops.resource_creator_scope(["Named", "Other"], marked), ops.resource_creator_scope("Named", renamed):
            one, other = Named("one"), Other("other")
        assert (one.resource_handle, other.resource_handle, one.mark, other.mark) == ("one anew", "other", 1, 1)
        assert Named("two").resource_handle == "two"
        outer = ops.resource_creator_scope("Named", marked)
        outer.__enter__()
        with (
            ops.resource_creator_scope("Named", marked),
            pytest.raises(RuntimeError, match="without proper nesting"),
        ):
            outer.__exit__(None, None, None)


class Inner(base.Trackable):
    def __init__(self, value):
        self.v = self._track_trackable(value, "v")


class OfTensors(base.Trackable):
    def __init__(self, value):
        self.value = value

    def _serialize_to_tensors(self):
        return {"x": tf.convert_to_tensor(self.value)}

    def _restore_from_tensors(self, restored_tensors):
        return self.value.assign(restored_tensors["x"])


class Wrapper(base_delegate.DelegatingTrackableMixin, base.Trackable):
    pass


def test_an_object_that_delegates_is_in_a_checkpoint_what_the_other_is(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        v, w = tf.Variable([1.0, 2.0], use_resource=True), tf.Variable(3.0, use_resource=True)
        inner, tensors = Inner(v), OfTensors(w)
        saved = tf.train.Checkpoint(a=Wrapper(inner), b=Wrapper(tensors))
        session.run(tf.global_variables_initializer())
        path = saved.save(str(tmp_path / "model"), session=session)
        session.run([v.assign([0.0, 0.0]), w.assign(0.0)])
        tf.train.Checkpoint(a=inner, b=tensors).restore(path).run_restore_ops(session)
        np.testing.assert_array_equal(session.run(v), [1, 2])
        assert session.run(w) == 3
