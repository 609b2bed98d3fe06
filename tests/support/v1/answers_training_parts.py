"""Programs of warm starts with vocabularies, clusters' devices, loops of a supervisor, and clocks of managers."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
from answers import eager, graph, tried

WORDS = {"old": ["apple", "banana", "guava", "orange"], "new": ["orange", "guava", "banana", "apple", "raspberry"]}


def saved(tf: Any, folder: str, values: Any, parts: Any = None) -> dict[str, str]:
    for name, words in WORDS.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write("\n".join(words))
    with tf.Graph().as_default(), tf.Session() as session:
        shape = None if parts is None else np.shape(values)
        tf.get_variable("table", shape, initializer=np.array(values, np.float32), partitioner=parts)
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, os.path.join(folder, "model"))
    return {name: os.path.join(folder, name) for name in WORDS}


@graph
def rows_of_other_vocabularies(tf: Any) -> Any:
    halves = tf.fixed_size_partitioner(2)
    cases: list[Any] = [
        (None, None, 5, {}),
        (halves, None, 5, {"old_vocab_size": 2}),
        (None, halves, 8, {"num_oov_buckets": 3, "backup_initializer": lambda shape: tf.fill(shape, 7.0)}),
        (halves, halves, 6, {"num_oov_buckets": 1}),
    ]
    found = []
    for before, now, rows, given in cases:
        with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default(), tf.Session() as session:
            paths = saved(tf, folder, [[0.5], [1.0], [1.5], [2.0]], before)
            shape, first = [rows, 1], tf.zeros_initializer()
            table = tf.get_variable("table", shape, initializer=first, partitioner=now)
            options = {"num_oov_buckets": 0, **given}
            info = tf.train.VocabInfo(paths["new"], 5, old_vocab=paths["old"], **options)
            tf.train.warm_start(folder, None, {"table": info})
            session.run(tf.global_variables_initializer())
            found.append(session.run(tf.convert_to_tensor(table)))
    return found


@graph
def columns_of_another_vocabulary(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        paths = saved(tf, folder, np.arange(8.0).reshape(2, 4))
        table = tf.get_variable("table", [2, 6], initializer=tf.zeros_initializer())
        info = tf.train.VocabInfo(paths["new"], 5, 1, paths["old"], axis=1)
        tf.train.warm_start(folder, ".*", {"table": info})
        session.run(tf.global_variables_initializer())
        wrong = [
            tried(lambda: tf.train.VocabInfo("a", 1, 0, "b", axis=2))[0],
            tried(lambda: tf.train.warm_start(folder, "x", {"other": info}))[0],
            tried(lambda: tf.train.warm_start(folder, [1]))[0],
        ]
        return session.run(table), wrong


@eager
def clusters(tf: Any) -> Any:
    cluster = tf.train.ClusterSpec({"ps": ["p0:1", "p1:1"], "worker": {1: "w1:1", 3: "w3:1"}})
    again = tf.train.ClusterSpec(cluster.as_cluster_def())
    return [
        sorted(cluster.jobs),
        cluster.as_dict()["ps"],
        sorted(cluster.as_dict()["worker"].items()),
        cluster.num_tasks("worker"),
        cluster.task_indices("worker"),
        cluster.job_tasks("worker"),
        cluster.task_address("ps", 1),
        again == cluster,
        bool(tf.train.ClusterSpec({})),
        str(again),
        [job.name for job in cluster.as_cluster_def().job],
        [tried(lambda c=c: tf.train.ClusterSpec(c))[0] for c in (["a"], {"a": "b"}, {1: ["b"]}, {"a": [1]})],
        [tried(lambda c=c: c())[0] for c in (lambda: cluster.num_tasks("x"), lambda: cluster.task_address("ps", 7))],
    ]


@graph
def devices_of_a_cluster(tf: Any) -> Any:
    cluster = tf.train.ClusterSpec({"ps": ["p0:1", "p1:1"], "worker": ["w0:1"]})
    options: list[dict[str, Any]] = [
        {"cluster": cluster},
        {"cluster": cluster, "merge_devices": False},
        {"ps_tasks": 1, "ps_device": "/cpu:0"},
        {"cluster": cluster.as_dict(), "ps_strategy": lambda op: 1, "worker_device": "/job:worker/task:0"},
        {"cluster": cluster, "ps_ops": ["Const"]},
    ]
    found = []
    for each in options:
        with tf.device(tf.train.replica_device_setter(**each)):
            v, w = (tf.Variable([1.0, 2.0], use_resource=False) for _ in range(2))
            with tf.device("/job:moon"):
                x = tf.Variable([1.0], use_resource=False)
            with tf.device("/cpu:0"):
                y = v + w
            found.append([part.device for part in (v, w, x, y, tf.constant(1.0))])
    none = [tf.train.replica_device_setter(), tf.train.replica_device_setter(cluster={"worker": ["w0:1"]})]
    return found, [each is None for each in none], tried(lambda: tf.train.replica_device_setter(1, ps_strategy=1))[0]


@graph
def steps_in_a_loop(tf: Any) -> Any:
    calls: list[Any] = []

    def step(session: Any, supervisor: Any, **named: Any) -> None:
        calls.append(sorted(named))
        if len(calls) == 2:
            raise tf.errors.AbortedError(None, None, "a server is gone")
        if len(calls) == 4:
            supervisor.request_stop()

    supervisor = tf.train.Supervisor(logdir=None)
    tf.train.basic_train_loop(supervisor, step, args=(supervisor,), kwargs={"a": 1})

    def failing(session: Any) -> None:
        raise RuntimeError("failed")

    return calls, tried(lambda: tf.train.basic_train_loop(tf.train.Supervisor(logdir=None), failing))


@eager
def checkpoints_of_other_clocks(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
        counted = int(checkpoint.save_counter.numpy())
        manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
        paths = [manager.save() for _ in range(2)]
        future = 4e9
        tf.train.update_checkpoint_state(folder, paths[1], paths, None, [future, future + 1], future + 0.5)
        later = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
        latest = os.path.basename(later.latest_checkpoint)
        known, numbered = len(later.checkpoints), os.path.basename(later.save(checkpoint_number=9))
        there = [tf.train.checkpoint_exists(path) for path in paths]
        return counted, latest, known, numbered, there, int(checkpoint.save_counter.numpy())
