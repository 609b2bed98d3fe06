"""Programs of `tf.train.Checkpoint` and its manager: names in the file, numbers, what is matched."""

from __future__ import annotations

import os
import tempfile
import time
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


@graph
def which_checkpoints_stay(tf: Any) -> Any:
    v = tf.get_variable("v", initializer=1.0)
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(v.initializer)

        def there() -> list[str]:
            return sorted({name.split(".")[0] for name in os.listdir(folder)} - {"checkpoint"})

        found = []
        for hours in (10000.0, 0.2 / 3600):
            saver = tf.train.Saver(max_to_keep=2, keep_checkpoint_every_n_hours=hours)
            time.sleep(0.25)
            paths = [saver.save(session, os.path.join(folder, f"{hours > 1}{k}")) for k in range(5)]
            found.append([[os.path.basename(path) for path in saver.last_checkpoints], there()])
        other = tf.train.Saver(max_to_keep=1)
        other.set_last_checkpoints(paths[-2:])
        other.save(session, os.path.join(folder, "other"))
        found.append([len(other.last_checkpoints), there()])
        again = tf.train.Saver(max_to_keep=1)
        again.recover_last_checkpoints([*paths[-2:], os.path.join(folder, "gone")])
        count = len(again.last_checkpoints)
        again.save(session, os.path.join(folder, "again"))
        return [found, count, len(again.last_checkpoints), there()]


@eager
def which_checkpoints_of_a_manager_stay(tf: Any) -> Any:
    step, begun = tf.Variable(0), []
    checkpoint = tf.train.Checkpoint(step=step)
    with tempfile.TemporaryDirectory() as folder:

        def managed(**options: Any) -> Any:
            return tf.train.CheckpointManager(checkpoint, folder, **options)

        manager = managed(max_to_keep=1, keep_checkpoint_every_n_hours=0.2 / 3600)
        first = managed(max_to_keep=3, init_fn=lambda: begun.append(1)).restore_or_initialize()
        for pause in (0.0, 0.0, 0.3, 0.3, 0.0):
            time.sleep(pause)
            manager.save()
        stays = sorted(name[:6] for name in os.listdir(folder) if name.endswith(".index"))
        state = tf.train.get_checkpoint_state(folder)
        times = [len(state.all_model_checkpoint_timestamps), state.last_preserved_timestamp > 1e9]
        manager = managed(max_to_keep=2, step_counter=step, checkpoint_interval=2)
        saved = []
        for _ in range(5):
            saved.append(manager.save() is not None)
            step.assign(step + 1)
        saved.append(manager.save(check_interval=False) is not None)
        wrong = tried(lambda: managed(max_to_keep=1, checkpoint_interval=2))
        return [first, begun, stays, times, saved, manager.checkpoint_interval, wrong]


@graph
def files_that_cannot_be(tf: Any) -> Any:
    v = tf.get_variable("v", initializer=1.0)
    whole = tf.train.Saver({"w": v})
    other = tf.get_variable("o", initializer=1)
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run([v.initializer, other.initializer])
        file = os.path.join(folder, "file")
        with open(file, "w"):
            pass
        below = tried(lambda: whole.save(session, os.path.join(file, "path")))[0]
        path = whole.save(session, os.path.join(folder, "v"))
        kinds = tried(lambda: tf.train.Saver({"w": other}).restore(session, path))[0]
        whole.save(session, f"file://{folder}/uri")
        return [below, kinds, sorted({name.split(".")[0] for name in os.listdir(folder)})]


@graph
def savers_in_collections(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default(), tf.Session() as session:
            v, w = tf.get_variable("v", initializer=1.0), tf.get_variable("w", initializer=2.0)
            savers = [tf.train.Saver({"a": v}, name="a"), tf.train.Saver({"b": w}, name="b")]
            for saver in savers:
                tf.add_to_collection("savers", saver)
            session.run(tf.global_variables_initializer())
            paths = [saver.save(session, os.path.join(folder, str(k))) for k, saver in enumerate(savers)]
            savers[0].export_meta_graph(os.path.join(folder, "graph"))
        with tf.Session() as session:
            tf.train.import_meta_graph(os.path.join(folder, "graph"))
            for saver, path in zip(tf.get_collection("savers"), paths, strict=True):
                saver.restore(session, path)
            return session.run(["v:0", "w:0"])


@graph
def operations_of_savers_write_and_read_a_checkpoint(tf: Any) -> Any:
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3, name="w")
    saver, named = tf.train.Saver(filename="elsewhere"), tf.train.Saver([v], name="of_v").saver_def
    definition = saver.saver_def
    first = [definition.filename_tensor_name, definition.save_tensor_name, definition.restore_op_name]
    changed, double = v.assign([5.0, 6.0]), v * 2.0
    tf.get_default_graph().finalize()
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.get_collection("init") or [v.initializer, w.initializer])
        path = os.path.join(folder, "model")
        saved = session.run(first[1], {first[0]: path})
        session.run(changed)
        session.run(first[2], {first[0]: saved})
        after = session.run([v, w, double])
        session.run(changed)
        saver.restore(session, path)
        return [
            first,
            session.run(first[0]),
            os.path.basename(saved),
            [named.filename_tensor_name, named.save_tensor_name, named.restore_op_name],
            after,
            session.run(v),
            tried(lambda: session.run(first[2], {first[0]: os.path.join(folder, "none")})),
            [name for name, _ in tf.train.list_variables(path)],
        ]


@graph
def what_savers_keep_refuse_and_read_again(tf: Any) -> Any:
    v, c = tf.Variable([1.0, 2.0], name="v"), tf.Variable(1 + 2j, name="c")
    saver, found = tf.train.Saver(max_to_keep=2), []
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.variables_initializer([v, c]))
        for step, state in ((0, True), (1, False), (2, True), (3, False), (4, True)):
            path = saver.save(session, os.path.join(folder, "m"), global_step=step, write_state=state)
            there = [k for k in range(5) if tf.train.checkpoint_exists(os.path.join(folder, f"m-{k}"))]
            found.append([there, [os.path.basename(each) for each in saver.last_checkpoints]])
        session.run([v.assign([5.0, 5.0]), c.assign(0j)])
        saver.restore(session, path)
        reader = tf.train.load_checkpoint(path)
        found += session.run([v, c])
        found += [complex(reader.get_tensor("c")) == 1 + 2j, reader.get_variable_to_dtype_map()["c"].name]
        found += [tf.train.load_variable(path, "c"), tried(lambda: saver.save(session, path, global_step=1.5))]
        for wrong in ({1: v}, {"x": v}, {"c": v}):
            try:
                tf.train.Saver(wrong).restore(session, path)
            except (TypeError, tf.errors.NotFoundError, tf.errors.InvalidArgumentError) as error:
                found.append([type(error).__name__, str(error).split("\n")[0]])
    return found
