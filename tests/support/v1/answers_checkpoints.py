"""Programs of `tf.train.Checkpoint` and its manager: names in the file, numbers, what is matched."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from answers import eager, graph, tried

MATCHES = ("assert_consumed", "assert_existing_objects_matched", "assert_nontrivial_match")


def trained(tf: Any) -> Any:
    w, b = tf.Variable([1.0, 2.0], name="w"), tf.Variable(3.0, name="b")
    step = tf.train.get_or_create_global_step()
    opt = tf.train.AdamOptimizer(0.1)
    train = opt.minimize(tf.reduce_sum(w * w) + b, global_step=step)
    checkpoint = tf.train.Checkpoint(w=w, optimizer=opt, step=step, rest=[tf.train.Checkpoint(b=b)])
    return checkpoint, train, [w, b, opt.get_slot(w, "m"), step]


@graph
def checkpoints_of_a_manager(tf: Any) -> Any:
    checkpoint, train, values = trained(tf)
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
        session.run(tf.global_variables_initializer())
        paths = []
        for _ in range(3):
            session.run(train)
            paths.append(os.path.basename(manager.save()))
        kept = [os.path.basename(path) for path in manager.checkpoints]
        newest = os.path.basename(tf.train.latest_checkpoint(folder))
        before = session.run(values)
        session.run(train)
        checkpoint.restore(manager.latest_checkpoint).assert_consumed().run_restore_ops()
        after = session.run(values)
        again = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)
        named = manager.save(checkpoint_number=7)
        return paths, kept, newest, before, after, len(again.checkpoints), os.path.basename(named)


@graph
def names_in_a_checkpoint(tf: Any) -> Any:
    checkpoint, _, _ = trained(tf)
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = checkpoint.save(os.path.join(folder, "c"))
        names = [name for name, _ in tf.train.list_variables(path)]
        return sorted(name for name in names if not name.startswith("_")), int(session.run(checkpoint.save_counter))


@graph
def what_of_a_checkpoint_is_matched(tf: Any) -> Any:
    checkpoint, _, (w, *_) = trained(tf)
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = checkpoint.save(os.path.join(folder, "c"))
        other = tf.train.Checkpoint(w=w, x=tf.Variable(5.0, name="x"))
        found = []
        for who in (checkpoint, other, tf.train.Checkpoint(y=tf.Variable(1.0))):
            status = who.restore(path)
            found.append([result is status for result in tried(*(getattr(status, match) for match in MATCHES))])
        other.restore(path).initialize_or_restore(session)
        return found, session.run(other.x), os.path.basename(path)


@graph
def checkpoints_that_cannot_be(tf: Any) -> Any:
    checkpoint, _, _ = trained(tf)
    return tried(
        lambda: tf.train.Checkpoint(w=3),
        lambda: checkpoint.restore(os.path.join(tempfile.gettempdir(), "no", "such")),
        lambda: tf.train.CheckpointManager(checkpoint, tempfile.gettempdir(), max_to_keep=0),
        lambda: checkpoint.restore(None).assert_consumed(),
    )


@eager
def checkpoints_of_eager_mode(tf: Any) -> Any:
    def trained() -> Any:
        v = tf.Variable([1.0, 2.0], name="checked")
        return v, tf.train.AdamOptimizer(0.1)

    def train(v: Any, opt: Any) -> Any:
        opt.minimize(lambda: tf.reduce_sum(v * v), var_list=[v])
        return v.numpy()

    (v, opt), (w, other) = trained(), trained()
    checkpoint = tf.train.Checkpoint(v=v, opt=opt)
    train(v, opt)
    with tempfile.TemporaryDirectory() as folder:
        path = checkpoint.save(os.path.join(folder, "c"))
        after = train(v, opt)
        checkpoint.restore(path).assert_consumed()
        again = train(v, opt)
        tf.train.Checkpoint(v=w, opt=other).restore(path)
        before = w.numpy()
        later = train(w, other)
        manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
        newest = os.path.basename(manager.latest_checkpoint)
        names = [os.path.basename(manager.save()) for _ in range(3)]
        kept = [os.path.basename(name) for name in manager.checkpoints]
        missing = tried(lambda: tf.train.Checkpoint(x=tf.Variable(1.0)).restore(path).assert_consumed())
        wrong = tried(lambda: tf.train.Checkpoint(v=3), lambda: checkpoint.restore(os.path.join(folder, "no")))
    return [os.path.basename(path), after, again, before, later, newest, names, kept, missing, wrong]
