"""Saved models: a folder with graphs, values and signatures, for a program that has none of the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from steepest.v1.python.saved_model import builder, constants, loader, loader_impl

import steepest.v1 as tf

SERVING = [tf.saved_model.tag_constants.SERVING]
X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)


@pytest.fixture
def session() -> Any:
    with tf.Graph().as_default(), tf.Session() as made:
        yield made


def model(session: Any) -> tuple[Any, Any, Any]:
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.identity(tf.layers.dense(x, 2), name="y")
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(tf.square(y)), step)
    session.run(tf.global_variables_initializer())
    session.run(train, {x: X})
    return x, y, session.run(y, {x: X})


def test_a_simple_model_is_loaded_with_its_signature(tmp_path: Path, session: Any):
    x, y, expected = model(session)
    tf.py_func(lambda: 1.0, [], tf.float64, name="of_the_program")
    folder = str(tmp_path / "model")
    tf.saved_model.simple_save(session, folder, inputs={"in": x}, outputs={"out": y})
    assert tf.saved_model.maybe_saved_model_directory(folder)
    assert sorted(file.name for file in tmp_path.rglob("*.*")) == [
        *("saved_model.json", "variables.index", "variables.safetensors")
    ]
    with tf.Graph().as_default() as graph, tf.Session() as other:
        loaded = tf.saved_model.loader.load(other, SERVING, folder)
        signature = loaded.signature_def["serving_default"]
        assert signature.method_name == "tensorflow/serving/predict"
        info = signature.inputs["in"]
        assert (info.name, info.dtype, list(info.tensor_shape)) == ("x:0", tf.float32.as_datatype_enum, [None, 3])
        out = tf.saved_model.utils.get_tensor_from_tensor_info(signature.outputs["out"])
        np.testing.assert_array_equal(other.run(out, {info.name: X}), expected)
        assert other.run(tf.train.get_global_step()) == 1
        assert "y" in [node.name for node in loaded.graph_def.node]
        assert 'tags: "serve"' in str(loaded)
        assert "of_the_program" not in {op.name for op in graph.get_operations()}
    with tf.Graph().as_default(), tf.Session() as other:
        tf.saved_model.load(other, SERVING, folder, import_scope="old")
        np.testing.assert_array_equal(other.run("old/y:0", {"old/x:0": X}), expected)


def test_a_builder_writes_several_graphs_and_what_runs_first(tmp_path: Path, session: Any):
    x, y, expected = model(session)
    with pytest.raises(AssertionError, match="has not been saved yet"):
        tf.saved_model.builder.SavedModelBuilder(tmp_path / "none").add_meta_graph(SERVING)
    builder = tf.saved_model.Builder(str(tmp_path / "both").encode())
    local = tf.Variable(7.0, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="local")
    info = tf.saved_model.utils.build_tensor_info
    signature = tf.saved_model.build_signature_def({"a": info(x)}, {"b": info(y)}, "mine")
    builder.add_meta_graph_and_variables(session, SERVING, {"key": signature}, main_op=local.initializer)
    with pytest.raises(AssertionError, match="has already been saved"):
        builder.add_meta_graph_and_variables(session, SERVING)
    builder.add_meta_graph([tf.saved_model.tag_constants.TRAINING, "more"])
    assert builder.save() == str(tmp_path / "both" / "saved_model.json")
    with tf.Graph().as_default(), tf.Session() as other:
        assert tf.saved_model.load(other, SERVING, tmp_path / "both").signature_def == {"key": signature}
        assert other.run("local:0") == 7.0
    with tf.Graph().as_default(), tf.Session() as other:
        assert tf.saved_model.load(other, ["more", "train"], tmp_path / "both").signature_def == {}
        np.testing.assert_array_equal(other.run("y:0", {"x:0": X}), expected)
        with pytest.raises(RuntimeError, match="could not be found in SavedModel"):
            tf.saved_model.load(other, ["more"], tmp_path / "both")
    with pytest.raises(AssertionError, match="already exists, and isn't empty"):
        tf.saved_model.Builder(tmp_path / "both")
    with pytest.raises(OSError, match="SavedModel file does not exist"):
        tf.saved_model.load(session, SERVING, tmp_path)


def test_files_go_along_with_a_model(tmp_path: Path, session: Any):
    words = tmp_path / "words.txt"
    words.write_text("no yes")
    asset = tf.constant(str(words), name="asset")
    held = tf.get_variable("held", initializer="", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    first = tf.group(tf.assign(held, tf.strings.join(["at ", asset])))
    builder = tf.saved_model.Builder(str(tmp_path / "model"))
    builder.add_meta_graph_and_variables(session, SERVING, assets_collection=[asset], legacy_init_op=first)
    builder.save()
    words.unlink()
    moved = (tmp_path / "model").rename(tmp_path / "moved")
    assert (moved / "assets" / "words.txt").read_text() == "no yes"
    for scope in (None, "old"):
        with tf.Graph().as_default(), tf.Session() as other:
            loaded = tf.saved_model.load(other, SERVING, str(moved), import_scope=scope)
            assert other.run(tf.local_variables()[0]) == f"at {moved}/assets/words.txt".encode()
        (packed,) = loaded.collection_def[tf.saved_model.constants.ASSETS_KEY].any_list.value
        from steepest.v1.python.core.protobuf import meta_graph_pb2

        file = meta_graph_pb2.AssetFileDef()
        assert packed.Unpack(file)
        assert (file.filename, file.tensor_info.name) == ("words.txt", "asset:0")


def test_files_of_one_name_are_told_apart(tmp_path: Path, session: Any):
    named = []
    for number, text in enumerate(("a", "b", "a", "c")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "f.txt").write_text(text)
        named.append(tf.constant(str(tmp_path / str(number) / "f.txt")))
    named.append(tf.constant([str(tmp_path / "1" / "f.txt")]))
    builder = tf.saved_model.Builder(str(tmp_path / "model"))
    builder.add_meta_graph_and_variables(session, ["a"], assets_collection=named)
    builder.add_meta_graph(["b"], assets_collection=named[1:2])
    builder.save()
    files = {file.name: file.read_text() for file in (tmp_path / "model" / "assets").iterdir()}
    assert files == {"f.txt": "a", "f.txt_1": "b", "f.txt_2": "c"}
    loader = tf.saved_model.loader.SavedModelLoader(str(tmp_path / "model"))
    found = loader.get_meta_graph_def_from_tags(["a"]).collection_def["saved_model_assets"].any_list.value
    assert [each.value.filename for each in found] == ["f.txt", "f.txt_1", "f.txt", "f.txt_2", "f.txt_1"]
    for wrong, error, said in (
        ("name", TypeError, "must be a Tensor, got 'name'"),
        (tf.placeholder(tf.string, []), TypeError, "must be a constant tensor"),
        (tf.constant(1), TypeError, "must be of dtype string"),
        (tf.constant(["a", "b"]), TypeError, "must be a scalar"),
        (tf.constant(""), ValueError, "is invalid: it is empty"),
        (tf.constant(str(tmp_path / "none")), tf.errors.NotFoundError, "none"),
    ):
        with pytest.raises(error, match=said):
            builder.add_meta_graph(["c"], assets_collection=[wrong])


def test_what_models_refuse(tmp_path: Path, session: Any):
    x = tf.constant(1.0, name="x")
    info = tf.saved_model.build_tensor_info(x)
    builder = tf.saved_model.Builder(str(tmp_path / "model"))
    for field in ("name", "dtype"):
        wrong = type(info).of(info.described())
        wrong.ClearField(field)
        for sides in (({"x": wrong}, {}), ({}, {"x": wrong})):
            signature = {"s": tf.saved_model.build_signature_def(*sides)}
            with pytest.raises(AssertionError, match=f"must have the {field} field set"):
                builder.add_meta_graph_and_variables(session, ["a"], signature)
    tf.add_to_collection(tf.saved_model.constants.MAIN_OP_KEY, tf.no_op())
    with pytest.raises(ValueError, match="one or more main ops under the collection saved_model_main_op"):
        builder.add_meta_graph_and_variables(session, ["a"], main_op=tf.no_op())
    builder.add_meta_graph_and_variables(session, ["a"])
    path = Path(builder.save())
    with pytest.raises(RuntimeError, match=r"\{'b'\} could not be found in SavedModel. Its graphs have .*\['a'\]"):
        tf.saved_model.load(session, ["b"], path.parent)
    path.write_text("invalid content")
    with pytest.raises(OSError, match=r"Cannot parse file .*saved_model.json"):
        tf.saved_model.load(session, ["a"], path.parent)


def test_signatures_say_what_is_missing(session: Any):
    x = tf.placeholder(tf.float32, [2], name="x")
    utils = tf.saved_model.signature_def_utils
    texts = tf.placeholder(tf.string, [2], name="texts")
    whole = utils.classification_signature_def(texts, None, x)
    assert sorted(whole.outputs) == ["scores"]
    assert utils.is_valid_signature(whole)
    assert utils.is_valid_signature(utils.classification_signature_def(texts, texts, x))
    assert utils.is_valid_signature(utils.regression_signature_def(texts, x))
    for wrong in ((x, None, x), (texts, x, None), (texts, None, texts)):
        with pytest.raises(ValueError, match=r"must be a (string|float) Tensor"):
            utils.classification_signature_def(*wrong)
    for pair in ((x, x), (texts, texts)):
        with pytest.raises(ValueError, match=r"must be a (string|float) Tensor"):
            utils.regression_signature_def(*pair)
    named = {"inputs": whole.inputs["inputs"]}
    assert not utils.is_valid_signature(utils.build_signature_def(named, {"a": whole.outputs["scores"]}, "x"))
    for method in ("classify", "regress"):
        key = f"tensorflow/serving/{method}"
        assert not utils.is_valid_signature(utils.build_signature_def(named, {"a": whole.outputs["scores"]}, key))
    assert not utils.is_valid_signature(utils.build_signature_def())
    with pytest.raises(ValueError, match="Prediction outputs cannot be None or empty"):
        utils.predict_signature_def({"x": x}, {})
    with pytest.raises(ValueError, match="Classification classes and scores cannot both be None"):
        utils.classification_signature_def(x, None, None)
    with pytest.raises(ValueError, match="Regression predictions cannot be None"):
        utils.regression_signature_def(x, None)


def test_infos_of_sparse_tensors_and_operations(session: Any):
    sparse = tf.sparse_placeholder(tf.float32, [4, 3], name="s")
    info = tf.saved_model.build_tensor_info(sparse)
    assert (info.coo_sparse.values_tensor_name, list(info.tensor_shape)) == (sparse.values.name, [4, 3])
    again = tf.saved_model.get_tensor_from_tensor_info(type(info).of(info.described()))
    assert again.indices is sparse.indices
    from steepest.v1.python.saved_model import signature_def_utils, utils_impl

    named = utils_impl.build_tensor_info_from_op(tf.no_op("n"))
    assert (named.name, named.dtype, list(named.tensor_shape)) == ("n", 0, [])
    named.ClearField("name")
    with pytest.raises(ValueError, match="Invalid TensorInfo"):
        utils_impl.get_tensor_from_tensor_info(named)
    x = {"x": tf.constant(1.0, name="x")}
    trained = signature_def_utils.supervised_train_signature_def(x, {"l": x["x"]}, metrics={"m": x["x"]})
    assert (sorted(trained.outputs), trained.method_name) == (["l", "m"], "tensorflow/supervised/training")
    with pytest.raises(ValueError, match="inputs cannot be None or empty"):
        signature_def_utils.supervised_eval_signature_def({}, x)


def test_the_internal_modules_have_the_same_names():
    from steepest.v1.python.saved_model import builder, loader_impl, simple_save, tag_constants, utils_impl

    assert builder.SavedModelBuilder is tf.saved_model.Builder
    assert loader_impl.load is tf.saved_model.load
    assert simple_save.simple_save is tf.saved_model.simple_save
    assert tag_constants.SERVING == "serve"
    assert utils_impl.build_tensor_info is tf.saved_model.build_tensor_info


def test_the_main_operation_fills_tables_too_and_may_restore_after_it():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [7]), -1)
    v = tf.Variable(1.0)
    found = table.lookup(tf.constant(["a", "b"]))
    first = tf.saved_model.main_op.main_op()
    restored = tf.saved_model.main_op_with_restore(tf.assign(v, 5.0).op)
    with tf.Session() as session:
        session.run(first)
        assert session.run([found, v])[0].tolist() == [7, -1]
        session.run(restored)
        assert session.run(v) == 5.0


def test_the_newer_builder_takes_what_trains_and_gives_it_again(tmp_path: Path, session: Any):
    v, w = tf.Variable(1, name="v", use_resource=False), tf.Variable(10, name="w")
    (tmp_path / "words.txt").write_text("some words")
    words = tf.constant(str(tmp_path / "words.txt"), name="words")
    train, begin = tf.assign_add(v, 2), tf.group(tf.assign(w, v + 4), name="begin")
    default = tf.constant([1.5, 2.5], name="default")
    utils = tf.saved_model.signature_def_utils
    signature = utils.build_signature_def({}, {}, "method", {"x": default})
    with pytest.raises(ValueError, match="it is no constant"):
        utils.build_signature_def({}, {}, "method", {"x": tf.placeholder(tf.float32)})
    session.run(tf.global_variables_initializer())
    made = builder._SavedModelBuilder(str(tmp_path / "model"))
    with pytest.raises(KeyError, match="__saved_model_train_op"):
        made.add_meta_graph_and_variables(session, ["a"], {constants.TRAIN_OP_SIGNATURE_KEY: signature})
    made.add_meta_graph_and_variables(session, ["a"], {"s": signature}, [words], init_op=begin, train_op=train)
    made.add_meta_graph(["b"])
    made.save(as_text=True)
    with tf.Graph().as_default(), tf.Session() as other:
        loaded = loader.load(other, ["a"], str(tmp_path / "model"), import_scope="in")
        assert other.run(["in/v:0", "in/w:0"]) == [1, 5]
        assert loader_impl.get_init_op(loaded, "in").name == "in/begin"
        assert other.run(loader_impl.get_train_op(loaded, "in")) == 3
        assert tf.make_ndarray(loaded.signature_def["s"].defaults["x"]).tolist() == [1.5, 2.5]
        (file,) = loaded.asset_file_def
        assert (file.filename, file.tensor_info.name) == ("words.txt", "words:0")
    with tf.Graph().as_default(), tf.Session() as other:
        assert loader_impl.get_train_op(loader.load(other, ["b"], str(tmp_path / "model"))) is None


def test_a_saved_model_of_tensorflows_own_is_told_apart_from_none(tmp_path: Path, session: Any):
    with pytest.raises(OSError, match="does not exist"):
        loader.load(session, ["a"], str(tmp_path))
    (tmp_path / "saved_model.pb").write_text("anything")
    assert tf.saved_model.maybe_saved_model_directory(str(tmp_path))
    with pytest.raises(OSError, match=r"Cannot parse file .*saved_model\.pb"):
        loader.load(session, ["a"], str(tmp_path))


def test_a_test_evaluates_names_of_nodes(session: Any):
    case = tf.test.TestCase()
    tf.constant(3.0, name="three")
    assert case.evaluate("three:0") == 3.0
