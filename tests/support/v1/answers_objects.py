"""Programs of checkpoints of objects: loops, objects in two places, and what becomes an attribute after a restore."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from answers import eager, graph, tried


def nested(tf: Any, **variables: Any) -> Any:
    inner = tf.train.Checkpoint(**variables)
    return tf.train.Checkpoint(one=inner, two=[inner, {"deep": tf.train.Checkpoint(shared=inner)}])


@eager
def attributes_after_a_restore(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        first = nested(tf, w=tf.Variable([1.0, 2.0]), b=tf.Variable(3.0))
        path = first.save(os.path.join(folder, "c"))
        w, b, other = tf.Variable([0.0, 0.0]), tf.Variable(0.0), tf.Variable(7.0)
        root = tf.train.Checkpoint()
        status = root.restore(path)
        early = tried(lambda: status.assert_existing_objects_matched() is status, status.assert_consumed)
        root.one = tf.train.Checkpoint()
        root.one.w = w
        values = [w.numpy().tolist()]
        w.assign([5.0, 6.0])
        root.one.b = b
        root.other = other
        values += [w.numpy().tolist(), float(b.numpy()), float(other.numpy())]
        late = tried(status.assert_existing_objects_matched)
        return early, values, late, int(root.save_counter.numpy())


@eager
def the_last_restore_counts(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        v = tf.Variable(1.0)
        kept = tf.train.Checkpoint(v=v)
        paths = []
        for value in (12.0, 13.0):
            v.assign(value)
            paths.append(kept.save(os.path.join(folder, "c")))
        found = []
        for order in ([0, 1], [1, 0]):
            roots = [tf.train.Checkpoint() for _ in paths]
            for place in order:
                roots[place].restore(paths[place])
            w = tf.Variable(0.0)
            for root in roots:
                root.v = w
                found.append(float(w.numpy()))
        return found


@graph
def loops_of_objects(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        a, b = tf.train.Checkpoint(v=tf.Variable([1.0], name="a")), tf.train.Checkpoint(v=tf.Variable(2.0, name="b"))
        a.other, b.other = b, a
        session.run(tf.global_variables_initializer())
        path = a.save(os.path.join(folder, "c"))
        names = [name for name, _ in tf.train.list_variables(path)]
        session.run([a.v.assign([5.0]), b.v.assign(6.0)])
        status = a.restore(path)
        before = session.run([a.v, b.v])
        status.assert_consumed().run_restore_ops()
        return names, before, session.run([a.v, b.v])


@graph
def objects_in_two_places(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        shared = nested(tf, w=tf.Variable(1.0, name="w"))
        session.run(tf.global_variables_initializer())
        path = shared.save(os.path.join(folder, "c"))
        names = [name for name, _ in tf.train.list_variables(path)]
        apart = tf.train.Checkpoint(
            one=tf.train.Checkpoint(w=tf.Variable(5.0, name="x")),
            two=[tf.train.Checkpoint(w=tf.Variable(6.0, name="y"))],
        )
        found = tried(lambda: apart.restore(path).assert_existing_objects_matched())
        together = nested(tf, w=tf.Variable(7.0, name="z"))
        together.restore(path).assert_consumed().run_restore_ops()
        return names, found, session.run(together.one.w)


@graph
def a_finalized_graph_is_saved(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        session.run(tf.global_variables_initializer())
        checkpoint.save(os.path.join(folder, "c"), session)
        session.graph.finalize()
        return os.path.basename(checkpoint.save(os.path.join(folder, "c"), session))


def module_of_modules(tf: Any) -> Any:
    class Dense2D(tf.Module):  # type: ignore[misc]
        def __init__(self, size: int, inner: Any = None) -> None:
            super().__init__()
            with self.name_scope:
                self.w = tf.Variable(tf.ones([size]), name="w")
                self.kept = {"b": tf.Variable(1.0, trainable=False, name="b"), "a": [tf.Variable(2.0), 5]}
            self.inner, self.again = inner, inner

        @tf.Module.with_name_scope
        def scope(self) -> str:
            return tf.constant(1.0, name="c").name if not tf.executing_eagerly() else ""

    one = Dense2D(1)
    two = Dense2D(2, (one, tf.Module(name="plain")))
    names = [[v.name for v in found] for found in (two.variables, two.trainable_variables)]
    found = [two.name, one.name_scope.name, two.name_scope.name, [m.name for m in two.submodules], two.scope()]
    with tf.name_scope("outer"):
        found.append(tf.Module(name="plain").name_scope.name)
    paths = [path for path, _ in two._flatten(with_path=True, predicate=lambda leaf: hasattr(leaf, "assign"))]
    return found, names, paths, len(two.submodules), two.submodules[0] is one, tried(lambda: tf.Module(name="a/b"))


@graph
def modules(tf: Any) -> Any:
    return module_of_modules(tf)


@eager
def eager_modules(tf: Any) -> Any:
    now = tf.timestamp()
    return module_of_modules(tf), now.dtype.name, now.shape.as_list(), bool(now > 1.5e9)
