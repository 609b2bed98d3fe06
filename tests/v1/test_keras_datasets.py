"""Sets of examples: fetched once from a server of this test, checked, and taken apart."""

import functools
import gzip
import hashlib
import http.server
import json
import pickle
import tarfile
import threading
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import steepest.v1 as tf
from steepest.v1.keras.datasets import (
    boston_housing,
    cifar,
    cifar10,
    cifar100,
    fashion_mnist,
    imdb,
    mnist,
    reuters,
    texts,
)

RANDOM = np.random.RandomState(0)


class Served(NamedTuple):
    """A folder, where it is served, and what was asked for."""

    folder: Path
    url: str
    asked: list

    def __truediv__(self, name):
        return self.folder / name


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Serve a folder, in which the sets are looked for; ``~`` is another folder."""
    folder = tmp_path / "served"
    folder.mkdir()
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            asked.append(self.path)

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        for module in (mnist, fashion_mnist, boston_housing, texts):
            monkeypatch.setattr(module, "FOLDER", url)
        monkeypatch.setattr(cifar, "_ORIGIN", url)
        yield Served(folder, url, asked)
        server.shutdown()


def _hashed(monkeypatch, module, path, name="_HASH"):
    monkeypatch.setattr(module, name, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.fixture(autouse=True)
def _plain_seed():
    state = np.random.get_state()  # noqa: NPY002
    yield
    np.random.set_state(state)  # noqa: NPY002


def test_digits_are_fetched_once(served, monkeypatch, tmp_path):
    arrays = {"x_train": RANDOM.randint(0, 256, (5, 28, 28)).astype(np.uint8), "y_train": np.arange(5, dtype=np.uint8)}
    arrays |= {"x_test": arrays["x_train"][:2], "y_test": arrays["y_train"][:2]}
    np.savez(served / "mnist.npz", **arrays)
    _hashed(monkeypatch, mnist, served / "mnist.npz")
    for _ in range(2):
        (x, y), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
        for found, name in ((x, "x_train"), (y, "y_train"), (x_test, "x_test"), (y_test, "y_test")):
            np.testing.assert_array_equal(found, arrays[name])
    assert served.asked == ["/mnist.npz"]
    assert (tmp_path / "home/.keras/datasets/mnist.npz").exists()


def test_a_file_of_another_hash_is_fetched_again_and_kept_until_then(served, monkeypatch, tmp_path):
    kept = tmp_path / "home/.keras/datasets/mnist.npz"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"old")
    with pytest.raises(OSError, match="origin must be reachable"):
        mnist.load_data()
    assert kept.read_bytes() == b"old"
    np.savez(served / "mnist.npz", x_train=[1])
    with pytest.raises(ValueError, match="origin must be a file of the hash"):
        mnist.load_data()
    assert kept.read_bytes() == b"old"
    assert [each.name for each in kept.parent.iterdir()] == ["mnist.npz"]


def test_clothes(served):
    for name, count in (("train", 4), ("t10k", 2)):
        images = np.arange(count * 784, dtype=np.int64).astype(np.uint8)
        (served / f"{name}-images-idx3-ubyte.gz").write_bytes(gzip.compress(bytes(16) + images.tobytes()))
        (served / f"{name}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(bytes(8) + bytes(range(count))))
    (x, y), (x_test, y_test) = fashion_mnist.load_data()
    assert (x.shape, x.dtype, y.tolist()) == ((4, 28, 28), np.uint8, [0, 1, 2, 3])
    assert (x_test.shape, y_test.tolist(), x[0, 0, 5]) == ((2, 28, 28), [0, 1], 5)


def test_houses_are_shuffled_by_a_seed(served, monkeypatch):
    x, y = RANDOM.randn(10, 13), np.arange(10.0)
    np.savez(served / "boston_housing.npz", x=x, y=y)
    _hashed(monkeypatch, boston_housing, served / "boston_housing.npz")
    order = np.arange(10)
    np.random.RandomState(113).shuffle(order)
    (x_train, y_train), (x_test, y_test) = boston_housing.load_data()
    np.testing.assert_array_equal(np.concatenate([x_train, x_test]), x[order])
    np.testing.assert_array_equal(np.concatenate([y_train, y_test]), y[order])
    assert len(x_test) == 2
    assert len(boston_housing.load_data(test_split=0.5, seed=3)[1][1]) == 5


def _texts(path, **parts):
    arrays = {}
    for name, several in parts.items():
        arrays[name] = np.empty(len(several), object)
        arrays[name][:] = several
    np.savez(path, allow_pickle=True, **arrays)


def test_reviews_and_news(served, monkeypatch):
    reviews = [[1, 5, 2], [3], [9, 9, 9, 1], [4, 2]]
    _texts(served / "imdb.npz", x_train=reviews, y_train=[1, 0, 1, 0], x_test=reviews[:2], y_test=[0, 1])
    _hashed(monkeypatch, imdb, served / "imdb.npz")
    order = np.arange(4)
    np.random.RandomState(113).shuffle(order)
    (x, y), (x_test, _) = imdb.load_data()
    longest = max(max(review) for review in reviews) + 3
    assert x.tolist() == [[1, *(w + 3 if w + 3 < longest else 2 for w in reviews[k])] for k in order]
    assert y.tolist() == [[1, 0, 1, 0][k] for k in order]
    assert sorted(map(len, x_test)) == [2, 4]
    (x, _), _ = imdb.load_data(num_words=6, skip_top=2, oov_char=None, start_char=None, index_from=0)
    assert x.tolist() == [[w for w in reviews[k] if 2 <= w < 6] for k in order]
    with pytest.raises(ValueError, match="no sequence was kept"):
        imdb.load_data(maxlen=1)
    with pytest.raises(TypeError, match="Unrecognized keyword arguments"):
        imdb.load_data(words=3)

    _texts(served / "reuters.npz", x=reviews, y=[1, 2, 3, 4])
    _hashed(monkeypatch, reuters, served / "reuters.npz")
    (x, y), (x_test, y_test) = reuters.load_data(nb_words=100, maxlen=5)
    kept = [k for k in order if len(reviews[k]) < 4]
    assert [*x.tolist(), *x_test.tolist()] == [[1, *(w + 3 for w in reviews[k])] for k in kept]
    assert [*y.tolist(), *y_test.tolist()] == [k + 1 for k in kept]

    for module, name in ((imdb, "imdb_word_index.json"), (reuters, "reuters_word_index.json")):
        (served / name).write_text(json.dumps({"the": 1}))
        _hashed(monkeypatch, module, served / name, "_WORDS_HASH")
        assert module.get_word_index() == {"the": 1}


def test_coloured_images(served, monkeypatch, tmp_path):
    def archived(folder, files):
        inside = tmp_path / folder
        inside.mkdir()
        for name, held in files.items():
            (inside / name).write_bytes(pickle.dumps({key.encode(): value for key, value in held.items()}))
        path = served / f"{folder.removesuffix('-batches-py').removesuffix('-python')}-python.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            archive.add(inside, folder)
        return path

    images = RANDOM.randint(0, 256, (2, 3072)).astype(np.uint8)
    batch = {"data": images, "labels": [3, 7]}
    names = [*(f"data_batch_{k}" for k in range(1, 6)), "test_batch"]
    _hashed(monkeypatch, cifar10, archived("cifar-10-batches-py", dict.fromkeys(names, batch)))
    (x, y), (x_test, y_test) = cifar10.load_data()
    assert (x.shape, y.shape, y.dtype, y_test.tolist()) == ((10, 32, 32, 3), (10, 1), np.uint8, [[3], [7]])
    np.testing.assert_array_equal(x_test, images.reshape(2, 3, 32, 32).transpose(0, 2, 3, 1))
    both = {"data": images, "fine_labels": [99, 1], "coarse_labels": [19, 0]}
    _hashed(monkeypatch, cifar100, archived("cifar-100-python", {"train": both, "test": both}))
    assert cifar100.load_data()[0][1].tolist() == [[99], [1]]
    assert cifar100.load_data("coarse")[1][1].tolist() == [[19], [0]]
    with pytest.raises(ValueError, match="label_mode"):
        cifar100.load_data("other")


def test_files_and_archives(served, tmp_path):
    (served / "a.csv").write_text("1,2")
    with zipfile.ZipFile(served / "b.zip", "w") as archive:
        archive.writestr("in/c.txt", "c")
    md5 = hashlib.md5(b"1,2", usedforsecurity=False).hexdigest()
    path = tf.keras.utils.get_file("own.csv", f"{served.url}a.csv", md5_hash=md5, cache_dir=str(tmp_path / "cache"))
    assert path == str(tmp_path / "cache/datasets/own.csv")
    path = tf.keras.utils.get_file(str(tmp_path / "d.zip"), f"{served.url}b.zip", extract=True, cache_subdir="other")
    assert path == str(tmp_path / "d.zip")
    assert (tmp_path / "home/.keras/other/in/c.txt").read_text() == "c"


def test_classes_as_vectors_and_rows_of_length_one():
    found = tf.keras.utils.to_categorical([[0], [2]], dtype="int32")
    np.testing.assert_array_equal(found, [[1, 0, 0], [0, 0, 1]])
    assert found.dtype == np.int32
    assert tf.keras.utils.to_categorical([[0, 1], [1, 0]], 4).shape == (2, 2, 4)
    with pytest.raises(IndexError):
        tf.keras.utils.to_categorical([3], 3)
    rows = tf.keras.utils.normalize(np.array([[3.0, 4.0], [0.0, 0.0]]))
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0.0, 0.0]])
