"""``tensorflow.examples.tutorials.mnist.input_data`` reads MNIST's files, and fetches what is missing."""

from __future__ import annotations

import functools
import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.examples.tutorials.mnist import input_data, mnist

IMAGES = np.random.default_rng(1).integers(0, 256, (60, 28, 28), np.uint8)
LABELS = np.arange(60, dtype=np.uint8) % 10


def idx(path: Path, array: Any) -> None:
    head = np.array([2048 + array.ndim, *array.shape], ">u4").tobytes()
    path.write_bytes(gzip.compress(head + array.tobytes()))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, array in (
        ("train-images-idx3-ubyte.gz", IMAGES[:50]),
        ("train-labels-idx1-ubyte.gz", LABELS[:50]),
        ("t10k-images-idx3-ubyte.gz", IMAGES[50:]),
        ("t10k-labels-idx1-ubyte.gz", LABELS[50:]),
    ):
        idx(tmp_path / name, array)
    return tmp_path


def test_the_parts_and_their_forms(folder: Path):
    mnist = input_data.read_data_sets(str(folder), one_hot=True, validation_size=8)
    assert (mnist.train.num_examples, mnist.validation.num_examples, mnist.test.num_examples) == (42, 8, 10)
    np.testing.assert_array_equal(mnist.test.images, IMAGES[50:].reshape(10, 784) * np.float32(1 / 255))
    np.testing.assert_array_equal(mnist.validation.images, IMAGES[:8].reshape(8, 784) * np.float32(1 / 255))
    np.testing.assert_array_equal(mnist.train.labels, np.eye(10)[LABELS[8:50]])
    assert mnist.test.images.dtype == np.float32
    raw = input_data.read_data_sets(str(folder), dtype=tf.uint8, reshape=False, validation_size=0)
    np.testing.assert_array_equal(raw.train.images, IMAGES[:50, ..., None])
    np.testing.assert_array_equal(raw.train.labels, LABELS[:50])


def test_batches_go_through_all_images_in_every_epoch(folder: Path):
    train = input_data.read_data_sets(str(folder), validation_size=0, seed=7).train
    by_image = {image.tobytes(): label for image, label in zip(train.images, train.labels, strict=True)}
    seen: list[Any] = []
    for _ in range(5):
        images, labels = train.next_batch(20)
        assert all(by_image[image.tobytes()] == label for image, label in zip(images, labels, strict=True))
        seen += [image.tobytes() for image in images]
    assert train.epochs_completed == 1
    assert set(seen[:50]) == set(seen[50:]) == set(by_image)
    assert seen[:50] != seen[50:]
    again = input_data.read_data_sets(str(folder), validation_size=0, seed=7).train
    assert again.next_batch(20)[0].tobytes() == b"".join(seen[:20])
    in_order = input_data.read_data_sets(str(folder), validation_size=0).train.next_batch(3, shuffle=False)
    np.testing.assert_array_equal(in_order[1], LABELS[:3])


def test_files_that_are_not_there_are_fetched(folder: Path, tmp_path: Path):
    target = tmp_path / "new" / "deeper"
    mnist = input_data.read_data_sets(str(target), validation_size=0, source_url=f"{folder.as_uri()}/")
    np.testing.assert_array_equal(mnist.test.labels, LABELS[50:])
    assert len(list(target.iterdir())) == 4
    with pytest.raises(
        OSError, match=r"train_dir must hold train-images-idx3-ubyte.gz, got .*; put it there, or file:"
    ):
        input_data.read_data_sets(str(tmp_path / "other"), source_url=(tmp_path / "none").as_uri() + "/")


def test_damaged_files_and_bad_arguments_are_told(folder: Path):
    with pytest.raises(ValueError, match="validation_size must be between 0 and 50, got 51"):
        input_data.read_data_sets(str(folder), validation_size=51)
    with pytest.raises(TypeError, match="Invalid image dtype 'float64', expected uint8 or float32"):
        input_data.read_data_sets(str(folder), validation_size=0, dtype=tf.float64)
    with pytest.raises(ValueError, match="labels must be as many as images, 3, got 2"):
        input_data.DataSet(IMAGES[:3, ..., None], LABELS[:2])
    path = folder / "t10k-labels-idx1-ubyte.gz"
    for content, what in ((b"", "Invalid magic number None"), (bytes(8), "Invalid magic number 0")):
        path.write_bytes(gzip.compress(content))
        with pytest.raises(ValueError, match=f"{what} in MNIST file"):
            input_data.read_data_sets(str(folder), validation_size=0)
    path.write_bytes(gzip.compress(np.array([2049, 10], ">u4").tobytes() + bytes(9)))
    with pytest.raises(ValueError, match=r"must hold \[10\] values, got 9 bytes"):
        input_data.read_data_sets(str(folder), validation_size=0)


def test_fake_data():
    mnist = input_data.read_data_sets("nowhere", fake_data=True, one_hot=True)
    images, labels = mnist.train.next_batch(2)
    assert (np.shape(images), labels) == ((2, 784), [[1] + [0] * 9] * 2)
    assert mnist.test.num_examples == 10000


def test_a_tutorial_runs_untouched(folder: Path):
    program = folder / "program.py"
    program.write_text(
        "from tensorflow.examples.tutorials.mnist import input_data\n"
        "import tensorflow.examples.tutorials.mnist.input_data as again\n"
        f"mnist = input_data.read_data_sets({str(folder)!r}, one_hot=True, validation_size=0)\n"
        "print(mnist.train.next_batch(4)[0].shape, again is input_data)\n"
    )
    command = [sys.executable, "-m", "steepest", "tf1", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    names = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
    lines = [f"Extracting {folder}/{name}-ubyte.gz" for name in names]
    assert done.stdout.splitlines() == [*lines, "(4, 784) True"], done.stderr


def test_the_tutorials_network_learns():
    images, labels = tf.placeholder(tf.float32, [6, mnist.IMAGE_PIXELS]), tf.placeholder(tf.int32, [6])
    tf.set_random_seed(1)
    logits = mnist.inference(images, 64, 32)
    loss = mnist.loss(logits, labels)
    step, right = mnist.training(loss, 0.1), mnist.evaluation(logits, labels)
    named = [
        f"{layer}/{part}:0" for layer in ("hidden1", "hidden2", "softmax_linear") for part in ("weights", "biases")
    ]
    assert [variable.name for variable in tf.trainable_variables()] == named
    rows = np.random.default_rng(3).random((6, mnist.IMAGE_PIXELS))
    feeds = {images: rows, labels: [0, 1, 2, 9, 0, 1]}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        first = session.run(loss, feeds)
        for _ in range(500):
            session.run(step, feeds)
        assert session.run(loss, feeds) < 0.1 * first
        assert session.run(right, feeds) == 6
        assert session.run(tf.global_variables()[-1]) == 500


def test_the_paths_of_contrib_learn_have_the_same_digits(folder: Path, monkeypatch: pytest.MonkeyPatch):
    assert tf.contrib.learn.datasets.mnist.read_data_sets is input_data.read_data_sets
    small = functools.partial(input_data.read_data_sets, validation_size=0)
    monkeypatch.setattr(tf.contrib.learn.datasets.mnist, "read_data_sets", small)
    monkeypatch.chdir(folder.parent)
    folder.rename(folder.parent / "MNIST-data")
    assert tf.contrib.learn.datasets.load_dataset("mnist").test.images.shape == (10, 784)
    with pytest.raises(ValueError, match="Name of dataset is not found: iris"):
        tf.contrib.learn.datasets.load_dataset("iris")
    with pytest.raises(AttributeError, match="estimators and Keras are left out"):
        _ = tf.contrib.learn.LinearRegressor
    program = (
        "from steepest.v1.as_tensorflow import install; install()\n"
        "from tensorflow.contrib.learn.python.learn.datasets.mnist import read_data_sets, DataSet\n"
        "from tensorflow.contrib.learn.python.learn.datasets import base, mnist\n"
        "assert mnist.read_data_sets is read_data_sets and base.Dataset\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_tables_are_read_from_files(tmp_path: Path):
    base = tf.contrib.learn.datasets.base
    plain, headed = tmp_path / "plain.csv", tmp_path / "headed.csv"
    plain.write_text("1,2.5,0\n3,4.5,1\n")
    headed.write_text("2,2,setosa,other\n" + plain.read_text())
    for table in (
        base.load_csv_without_header(str(plain), np.int64, np.float32),
        base.load_csv_with_header(str(headed), np.int64, np.float32),
    ):
        assert (table.data.dtype, table.target.dtype) == (np.float32, np.int64)
        np.testing.assert_array_equal(table.data, [[1, 2.5], [3, 4.5]])
        np.testing.assert_array_equal(table.target, [0, 1])
    headed.write_text("3,2\n" + plain.read_text())
    with pytest.raises(ValueError, match=r"the table's size, \(2, 2\), got \(3, 2\)"):
        base.load_csv_with_header(str(headed), np.int64, np.float32)
