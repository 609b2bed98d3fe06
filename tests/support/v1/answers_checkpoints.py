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


@graph
def initial_values_from_a_checkpoint(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default(), tf.Session() as session:
            tf.get_variable("a", initializer=[1.0, 2.0])
            session.run(tf.global_variables_initializer())
            tf.train.Saver().save(session, os.path.join(folder, "model"))
        v, w = tf.get_variable("v", initializer=[7.0, 7.0]), tf.get_variable("w", [2])
        early, before = tf.variables_initializer([v]), v.initialized_value()
        tf.train.init_from_checkpoint(folder, [("a", v), ("a", "w")])
        after, late = v.initialized_value(), tf.global_variables_initializer()
        with tf.Session() as session:
            answers = [session.run([before, after, v.initial_value])]
            for each in (early, late):
                session.run(each)
                answers.append(session.run([v, before, after]))
            return [*answers, session.run(w)]


@graph
def states_of_checkpoints(tf: Any) -> Any:
    made, listed = tf.train.generate_checkpoint_state_proto, ["m-2"]
    states = [made("train", "train/m-0"), made("/d", "/d/m-0", listed), made("/d", "a", ["a", "b", "a", "c"])]
    shown = [[state.model_checkpoint_path, list(state.all_model_checkpoint_paths)] for state in states]
    tf.get_variable("v", initializer=1.0)
    saver = tf.train.Saver()
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        outside, inside = os.path.join(os.path.dirname(folder), "m-0"), os.path.join(folder, "m-2")
        tf.train.update_checkpoint_state(folder, inside, [outside, inside])
        state = tf.train.get_checkpoint_state(folder)
        read = [list(state.all_model_checkpoint_paths) == [outside, inside], state.model_checkpoint_path == inside]
        with open(os.path.join(folder, "checkpoint"), "w"):
            pass
        empty = tried(lambda: tf.train.get_checkpoint_state(folder))
        session.run(tf.global_variables_initializer())
        path = os.path.join(folder, "checkpoint")
        collides = tried(lambda: saver.save(session, path))
        fine = os.path.basename(saver.save(session, path, 1))
    return [shown, listed, read, empty, collides, fine]
