"""Programs of readers: files whose names come from a queue, record by record."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from typing import Any

from answers import graph, tried


def _records(tf: Any, reader: Any, works: list[Any], count: int, most: int | None = None) -> list[Any]:
    """Return what each of ``count`` reads gives, and the counts at the end."""
    queue = tf.FIFOQueue(9, tf.string, shapes=())
    read = reader.read(queue) if most is None else reader.read_up_to(queue, most)
    counts = reader.num_records_produced(), reader.num_work_units_completed(), queue.size()
    with tf.Session() as session:
        session.run(queue.enqueue_many([works]))
        session.run(queue.close())
        found = tried(*(lambda: session.run(read) for _ in range(count)), lambda: session.run(counts))
    named = [os.path.dirname(works[0]), ""] if works and os.path.dirname(works[0]) else None
    return _without(found, named) if named else found


def _without(found: Any, named: list[str]) -> Any:
    """Return values without the name of the folder, which is another one each time."""
    if isinstance(found, bytes):
        return found.replace(named[0].encode(), b"")
    if hasattr(found, "tolist"):
        return _without(found.tolist(), named)
    return [_without(each, named) for each in found] if isinstance(found, (list, tuple)) else found


def _files(folder: str, *contents: bytes) -> list[str]:
    paths = [os.path.join(folder, f"file{k}") for k in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        with open(path, "wb") as file:
            file.write(content)
    return paths


@graph
def work_units_themselves(tf: Any) -> Any:
    reader = tf.IdentityReader(name="itself")
    return [
        *_records(tf, reader, ["a", "", "\u00e9"], 4),
        reader.supports_serialize,
        reader.reader_ref.op.name,
        reader.reader_ref.op.type,
        tf.TextLineReader().supports_serialize,
    ]


@graph
def whole_files(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        return _records(tf, tf.WholeFileReader(), _files(folder, b"a\nb\n", b"", b"\x00\xc3\xa9"), 4)


@graph
def lines_of_files(tf: Any) -> Any:
    contents = b"a\nb\r\n\r\nc\rd\n", b"", b"only", b"x\n\ny"
    with tempfile.TemporaryDirectory() as folder:
        paths = _files(folder, *contents)
        plain, after_two = (_records(tf, tf.TextLineReader(skip), paths, 10) for skip in (None, 2))
        return [plain, after_two, _records(tf, tf.TextLineReader(), paths, 5, most=3)]


@graph
def records_of_one_length(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        paths = _files(folder, b"HHabcdefghFF", b"HHabFF", b"HHxyzFF")
        arguments = ({}, {"hop_bytes": 1}, {"hop_bytes": 4}, {"footer_bytes": 0}, {"header_bytes": 0})
        given = [{"record_bytes": 3, "header_bytes": 2, "footer_bytes": 2, **each} for each in arguments]
        return [_records(tf, tf.FixedLengthRecordReader(**each), paths, 8) for each in given]


@graph
def tfrecords_of_files(tf: Any) -> Any:
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("", "ZLIB", "GZIP"):
            options = tf.python_io.TFRecordOptions(kind)
            paths = [os.path.join(folder, f"{kind}{k}") for k in range(2)]
            for path in paths:
                with tf.python_io.TFRecordWriter(path, options) as writer:
                    for record in (b"one", b"", b"three" * 5):
                        writer.write(record)
            found.append(_records(tf, tf.TFRecordReader(options=options), paths, 7))
            found.append(_records(tf, tf.TFRecordReader(options=options), paths, 4, most=2))
    return found


@graph
def files_that_cannot_be_read(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        (path,) = _files(folder, b"a\n")
        readers = tf.TextLineReader(), tf.WholeFileReader(), tf.TFRecordReader()
        return [_records(tf, reader, [os.path.join(folder, "none"), path], 2) for reader in readers]


@graph
def states_of_readers(tf: Any) -> Any:
    reader = tf.IdentityReader(name="itself")
    queue = tf.FIFOQueue(9, tf.string, shapes=())
    read, state, given = reader.read(queue), reader.serialize_state(), tf.placeholder(tf.string)
    restore, reset = reader.restore_state(given), reader.reset()
    counts = reader.num_records_produced(), reader.num_work_units_completed()
    lines = tf.TextLineReader()
    with tf.Session() as session:
        session.run(queue.enqueue_many([["x", "y", "z"]]))
        first = [session.run(state), session.run(read), session.run(state)]

        def restored(bytes_of_state: bytes) -> Any:
            session.run(restore, {given: bytes_of_state})
            return session.run(counts)

        return [
            first,
            session.run([read, read]),
            *tried(lambda: restored(first[2]), *(lambda each=each: restored(each) for each in _broken(first[2]))),
            *tried(lambda: session.run(reset), lambda: session.run(counts)),
            *tried(lambda: session.run(lines.serialize_state()), lambda: session.run(lines.restore_state(b""))),
            *tried(lambda: reader.restore_state([]), lambda: reader.restore_state([b"", b""])),
        ]


def _broken(state: bytes) -> list[bytes]:
    counts = b"\x08\x01\x10\x02", b"\x08\x02\x10\x01"
    return [state[1:], state[:-1], state + b"more", *counts, b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"]


@graph
def queues_of_other_elements(tf: Any) -> Any:
    reader, found = tf.IdentityReader(), []
    for queue, element in (
        (tf.FIFOQueue(3, tf.int32), 1),
        (tf.FIFOQueue(3, [tf.string, tf.string]), ("a", "b")),
        (tf.FIFOQueue(3, tf.string), ["a", "b"]),
        (tf.FIFOQueue(3, tf.string), ["a"]),
    ):
        read = reader.read(queue)
        with tf.Session() as session:
            session.run(queue.enqueue(element if isinstance(element, tuple) else (element,)))
            found += tried(lambda session=session, read=read: session.run(read))
    return found


@graph
def shapes_of_records(tf: Any) -> Any:
    reader, queue = tf.TextLineReader(), tf.FIFOQueue(3, tf.string)
    key, value = reader.read(queue, name="next")
    keys, values = reader.read_up_to(queue.queue_ref, tf.constant(3, tf.int64))
    return [[each.shape.as_list() for each in (key, value, keys, values)], [key.op.name, key.op.type, keys.op.type]]


@graph
def readers_that_wait_side_by_side(tf: Any) -> Any:
    """Runs wait at two readers, and two runs at one; what is put into a queue wakes the right one."""
    queues = [tf.FIFOQueue(5, tf.string, shapes=()) for _ in range(2)]
    reads = [tf.IdentityReader().read(queue)[1] for queue in queues]
    found: list[list[Any]] = [[], [], []]
    with tf.Session() as session:
        threads = [
            threading.Thread(target=lambda k=k, read=read: found[k].append(session.run(read)))
            for k, read in enumerate((reads[0], reads[0], reads[1]))
        ]
        for thread in threads:
            thread.start()
        time.sleep(0.2)
        for queue, texts in ((queues[1], ["c"]), (queues[0], ["a", "b"])):
            session.run(queue.enqueue_many([texts]))
        for thread in threads:
            thread.join(20)
    return [sorted(found[0] + found[1]), found[2]]


@graph
def columns_of_files_in_batches(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        paths = _files(folder, b"a,b\n1,2\n3,4\n5,6\n")
        names = tf.train.string_input_producer(paths, num_epochs=2, shuffle=False)
        _, line = tf.TextLineReader(skip_header_lines=1).read(names)
        columns = tf.decode_csv(line, [[0], [0.0]])
        batch = tf.train.batch(columns, 4, allow_smaller_final_batch=True)
        coordinator = tf.train.Coordinator()
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            threads = tf.train.start_queue_runners(session, coordinator)
            found = tried(*(lambda: session.run(batch) for _ in range(3)))
            coordinator.request_stop()
            coordinator.join(threads)
        return found


@graph
def attributes_of_what_sessions_hold(tf: Any) -> Any:
    with tf.container("held"):
        made = [
            tf.FIFOQueue(3, [tf.int32, tf.string], [(), (2,)], shared_name="s").queue_ref,
            tf.RandomShuffleQueue(4, 1, tf.float32).queue_ref,
            tf.ConditionalAccumulator(tf.float32, (2, 3)).accumulator_ref,
            tf.TextLineReader(2).reader_ref,
            tf.FixedLengthRecordReader(4, 1).reader_ref,
        ]
    nodes = [tensor.op.node_def.attr for tensor in made]
    queue, shuffled, accumulator, lines, fixed = nodes
    return [
        [node["container"].s for node in nodes],
        [made[0].op.get_attr(name) for name in ("container", "shared_name", "capacity", "component_types")],
        list(queue["component_types"].list.type),
        [[size.size for size in shape.dim] for shape in queue["shapes"].list.shape],
        [shuffled[name].i for name in ("capacity", "min_after_dequeue", "seed")],
        [accumulator["dtype"].type, [size.size for size in accumulator["shape"].shape.dim]],
        [lines["skip_header_lines"].i, *(fixed[name].i for name in ("record_bytes", "header_bytes", "footer_bytes"))],
    ]
