"""Programs of files and lines of CSV, and of what goes wrong there."""

from __future__ import annotations

import os
import tempfile
from importlib import import_module
from typing import Any

import numpy as np
from answers import graph, run, tried


@graph
def a_file_that_a_run_writes_and_reads(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "deep", "er", "a.bin")
        name = tf.placeholder(tf.string, [])
        write = tf.write_file(name, tf.strings.join(["one\n", b"\x00\xc3\xa9 two"]))
        read = tf.read_file(name)
        with tf.Session() as session:
            nothing = session.run(write, {name: path})
            again = tf.io.read_file(path)
            return [nothing, session.run(read, {name: path}), session.run(again), read.shape.as_list(), read.op.type]


@graph
def a_file_that_is_not_there(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        missing = os.path.join(folder, "missing")
        return tried(lambda: run(tf, tf.read_file(missing)), lambda: run(tf, tf.read_file([missing, missing])))


@graph
def files_that_match_a_pattern(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("b.txt", "a.txt", "c.dat"):
            with open(os.path.join(folder, name), "w") as file:
                file.write(name)
        one, several, none = (
            tf.matching_files(os.path.join(folder, "*.txt")),
            tf.io.matching_files([os.path.join(folder, "?.dat"), os.path.join(folder, "a*")]),
            tf.matching_files(os.path.join(folder, "*.no")),
        )
        found = [[os.path.basename(path) for path in run(tf, names)] for names in (one, several, none)]
        return [found, one.shape.as_list(), run(tf, tf.size(none))]


@graph
def files_under_the_later_names(tf: Any) -> Any:
    files = tf.io.gfile
    with tempfile.TemporaryDirectory() as folder:
        inner = files.join(folder, "x", "y")
        files.makedirs(inner)
        with files.GFile(files.join(inner, "a"), "w") as file:
            file.write("text")
        files.copy(files.join(inner, "a"), files.join(inner, "b"))
        files.rename(files.join(inner, "a"), files.join(inner, "c"))
        there = [files.exists(files.join(inner, name)) for name in "abc"]
        seen = [sorted(files.listdir(inner)), files.isdir(inner), files.stat(files.join(inner, "b")).length]
        walked = [(os.path.relpath(top, folder), below, sorted(names)) for top, below, names in files.walk(folder)]
        globbed = [os.path.basename(path) for path in sorted(files.glob(files.join(inner, "*")))]
        files.remove(files.join(inner, "b"))
        missing = tried(lambda: files.remove(files.join(inner, "b")), lambda: files.listdir(files.join(inner, "no")))
        files.rmtree(files.join(folder, "x"))
        return [there, seen, walked, globbed, missing, files.listdir(folder)]


@graph
def places_in_files(tf: Any) -> Any:
    made = tf.gfile.GFile
    with tempfile.TemporaryDirectory() as folder:
        path, other, missing = (os.path.join(folder, name) for name in ("f", "w", "q"))
        with made(path, "wb") as file:
            file.write(b"a\r\nb\rc\n\nlast\r")
        file = made(path)
        found = [made(path).read(), list(made(path)), made(path).readlines(), str(made(path, "rb").readlines())]
        found += [file.readline(), file.tell(), file.readline(), file.tell(), file.read(), file.read(), file.tell()]
        with made(other, "w"):
            found.append(os.path.exists(other))
        file = made(other, "w")
        found += [file.tell(), os.path.exists(other)]
        file.write("\u00e9")
        found += [file.tell(), file.size()]
        file.close()
        found.append(made(other).size())
        file = made(path)
        file.seek(3)
        file.seek(-1, 1)
        found += [file.read(2), file.seekable(), file.mode]
        file.seek(-3, 2)
        found.append(file.read())
        file.close()
        found.append(file.readline())
        both = made(os.path.join(folder, "both"), "w+")
        both.write("written")
        both.flush()
        found += [both.read(3), both.read(9)]
        for action in (
            *[lambda mode=mode: made(missing, mode) for mode in ("x", "wt", "rw", "")],
            made(missing).size,
            made(missing).tell,
            made(missing).read,
            made(folder).read,
            lambda: next(made(missing)),
            lambda: made(os.path.join(missing, "q"), "w").write("a"),
            lambda: made(path).write("a"),
            made(other, "w").read,
            made(other, "a").readline,
            lambda: made(missing, "w").write(3),
            lambda: file.seek(99),
            lambda: file.seek(-1),
            lambda: file.seek(0, 3),
            file.seek,
            lambda: file.seek(0, position=3),
        ):
            try:
                found.append(str(action()))
            except Exception as error:
                found.append([type(error).__name__, str(error).replace(folder, "")])
        return found


@graph
def checksums_of_files(tf: Any) -> Any:
    top = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    files = import_module(f"{top}.python.lib.io.file_io")
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, str(k)) for k in range(4)]
        for path, text in zip(paths, ("one", "two", "two", "three"), strict=True):
            files.write_string_to_file(path, text)
        sums = [files.file_crc32(path, block_size=size) for path in paths for size in (2, 99)]
        return [sums, [files.filecmp(paths[1], path) for path in paths]]


LINES = ["1,2.5,left", '-3,,"a,b"', '4,1e3,"he said ""no"""', "5, 6 ,"]


@graph
def lines_of_csv(tf: Any) -> Any:
    columns = tf.decode_csv(LINES, record_defaults=[[0], [-1.0], ["none"]])
    return [run(tf, columns), [c.dtype.name for c in columns], [c.shape.as_list() for c in columns], columns[0].op.type]


@graph
def one_line_of_csv_with_another_delimiter(tf: Any) -> Any:
    line = tf.placeholder(tf.string, [])
    columns = tf.io.decode_csv(
        line, [tf.constant([7], tf.int64), tf.constant([0.5], tf.float64), tf.constant([], tf.float32)], field_delim="|"
    )
    return run(tf, columns, {line: "|2|3"})


@graph
def columns_of_csv_that_are_chosen(tf: Any) -> Any:
    columns = tf.decode_csv(["1,2,3,4", "5,NA,7,8"], [[0], [""]], na_value="NA", select_cols=[1, 3])
    return run(tf, columns)


@graph
def csv_without_quotes(tf: Any) -> Any:
    return run(tf, tf.decode_csv(['a"b,"c"'], [[""], [""]], use_quote_delim=False))


@graph
def csv_that_is_wrong(tf: Any) -> Any:
    def decoded(lines: Any, defaults: Any, **options: Any) -> Any:
        return lambda: run(tf, tf.decode_csv(lines, defaults, **options))

    return tried(
        decoded(["1,2", "3"], [[0], [0]]),
        decoded(["1,"], [[0], tf.constant([], tf.float32)]),
        decoded(["x"], [[0]]),
        decoded(["1.5"], [[0]]),
        decoded(["99999999999"], [[0]]),
        decoded(["y"], [[0.5]]),
        decoded(["1,2"], [[0], [0]], select_cols=[1, 0]),
        decoded(["1,2"], [[0]], select_cols=[0, 1]),
        decoded(["1"], [[0]], field_delim="::"),
        decoded(["1"], [[True]]),
    )


@graph
def kinds_of_errors_by_number(tf: Any) -> Any:
    kinds = [tf.errors.exception_type_from_error_code(code).__name__ for code in range(1, 17)]
    return [kinds, tf.errors.error_code_from_exception_type(tf.errors.NotFoundError), np.int32(tf.errors.DATA_LOSS)]


@graph
def tables_in_checkpoints(tf: Any) -> Any:
    ours = tf.__name__.startswith("steepest")
    made = tf.contrib.lookup.MutableHashTable if ours else tf.lookup.experimental.MutableHashTable
    table, numbers = made(tf.string, tf.int64, -1), made(tf.int64, tf.float32, 0.5, name="numbers")
    unsaved = made(tf.int64, tf.int64, 7, name="unsaved", **({"checkpoint": False} if ours else {}))
    v = tf.get_variable("v", initializer=1.0)
    fill = [table.insert(["a", "b\x00"], [1, 2]), numbers.insert([3, 4], [0.25, 4.0]), unsaved.insert([1], [1])]
    more = table.insert(["c"], [5])
    found = [table.lookup(tf.constant(["a", "b\x00", "c"])), numbers.lookup(tf.constant([3, 5], tf.int64)), v]
    saver = tf.train.Saver(None if ours else [v, *tf.get_collection("saveable_objects")[:2]])
    with tempfile.TemporaryDirectory() as folder:
        with tf.Session() as session:
            session.run(v.initializer)
            session.run(fill)
            path = saver.save(session, f"{folder}/model")
        names = sorted(name for name, _ in tf.train.list_variables(path))
        with tf.Session() as session:
            session.run(more)
            saver.restore(session, path)
            return [names, session.run(found), session.run([table.size(), unsaved.size()])]


@graph
def saveables_of_a_program(tf: Any) -> Any:
    ours = tf.__name__.startswith("steepest")
    builder = import_module(f"{'steepest.v1' if ours else 'tensorflow'}.python.training.saver").BaseSaverBuilder
    held = tf.get_local_variable("held", initializer=[1.0, 2.0])

    class Doubled(builder.SaveableObject):
        def __init__(self) -> None:
            super().__init__(held.op, [builder.SaveSpec(held * 2.0, "", "doubled", dtype=tf.float32)], "doubled")

        def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
            return tf.assign(held, restored_tensors[0] / 4.0)

    saver = tf.train.Saver([Doubled()])
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(held.initializer)
        path = saver.save(session, f"{folder}/model")
        with tf.Session() as other:
            saver.restore(other, path)
            return [tf.train.load_variable(path, "doubled"), other.run(held)]


@graph
def texts_of_other_encodings(tf: Any) -> Any:
    inside = "steepest.v1" if tf.__name__.startswith("steepest") else "tensorflow"
    file_io = import_module(f"{inside}.python.lib.io.file_io")
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/text"
        with file_io.FileIO(path, "w", encoding="latin-1") as file:
            file.write("gr\u00f6\u00dfer\n")
        with tf.gfile.GFile(path, "rb") as file:
            written = file.read().hex()
        with file_io.FileIO(path, "r", encoding="latin-1") as file:
            read = file.readline()
        failed = tried(lambda: tf.gfile.GFile(path).read(), lambda: tf.gfile.GFile(path).read(-2))
        return [written, read, *failed, isinstance(tf.gfile.GFile(path), file_io.FileIO)]
