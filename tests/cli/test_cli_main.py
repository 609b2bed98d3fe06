"""The commands as a user runs them: results, errors of one line, Ctrl-C, a bare installation."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from steepest.cli import main
from steepest.cli.train import OPTIMIZERS

SMALL = ["--epochs", "2", "--size", "8", "--negatives", "3"]
BARE = """
import importlib.abc, sys
class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("tqdm", "matplotlib"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in ("tqdm", "matplotlib") else found(name, *rest)
sys.meta_path.insert(0, Blocker())
from steepest.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def text(tmp_path: Path) -> str:
    rng = np.random.default_rng(0)
    animals, tools = ["cat", "dog", "horse", "goat", "sheep"], ["hammer", "saw", "drill", "wrench", "pliers"]
    lines = [" ".join(rng.choice(kind, 8)) for _ in range(150) for kind in (animals, tools)]
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join(lines), "utf-8")
    return str(path)


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "steepest", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=cwd, check=False)


# Results ------------------------------------------------------------------------------------------


def test_the_defaults_train_sensible_vectors_of_pythons_documentation(tmp_path: Path) -> None:
    done = run("words", "--save", str(tmp_path / "v.npz"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "nearest words (cosine):" in done.stdout
    with np.load(tmp_path / "v.npz") as saved:
        words, vectors = saved["words"].tolist(), saved["vectors"]
    directions = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def nearest(word: str, count: int = 40) -> set[str]:
        return {words[i] for i in np.argsort(-(directions @ directions[words.index(word)]))[1 : count + 1]}

    assert nearest("list") & {"tuple", "lists", "sequence", "comprehension"}
    assert nearest("import") & {"module", "package", "imported", "modules"}
    assert nearest("float") & {"int", "complex", "decimal", "floating"}
    assert nearest("exception") & {"handler", "raised", "raises", "except"}


@pytest.mark.parametrize("optimizer", list(OPTIMIZERS))
def test_every_optimizer_tells_animals_from_tools(optimizer: str, text: str, tmp_path: Path) -> None:
    saved = tmp_path / "v.txt"
    options = ["--optimizer", optimizer, "--subsample", "0", "--epochs", "15", "--size", "8", "--batch", "64"]
    assert main(["words", text, *options, "--save", str(saved)]) == 0
    rows = [line.split() for line in saved.read_text("utf-8").splitlines()[1:]]
    vectors = {row[0]: np.array(row[1:], float) for row in rows}
    for word, friend in (("cat", "dog"), ("horse", "sheep"), ("saw", "drill"), ("hammer", "pliers")):
        assert vectors[word] @ vectors[friend] > 0.0
        assert (
            vectors[word] @ vectors["goat" if word in ("saw", "hammer") else "wrench"] < vectors[word] @ vectors[friend]
        )


def test_equal_seeds_give_equal_bytes_whatever_the_threads(text: str, tmp_path: Path) -> None:
    for name, seed, threads in (("a", "5", "1"), ("b", "5", "2"), ("c", "6", "1")):
        assert main(["words", text, *SMALL, "--seed", seed, "--threads", threads, "--save", str(tmp_path / name)]) == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_several_files_and_a_plot(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", text, text, *SMALL, "--plot", str(tmp_path / "loss.png")]) == 0
    assert (tmp_path / "loss.png").read_bytes().startswith(b"\x89PNG")
    out = capsys.readouterr().out
    assert "4,800 words, 10 different" in out
    assert re.search(r"epoch 1/2  loss \d\.\d+  [\d,]+ words/s\nepoch 2/2", out)


def test_compare_prints_a_row_for_every_optimizer_and_plots(text: str, tmp_path: Path) -> None:
    done = run("compare", text, *SMALL, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    header = next(i for i, line in enumerate(lines) if line.startswith("optimizer"))
    assert lines[header].split() == ["optimizer", "rate", "final", "loss", "words/s", "seconds"]
    assert [line.split()[0] for line in lines[header + 1 : header + 1 + len(OPTIMIZERS)]] == list(OPTIMIZERS)
    assert len({len(line) for line in lines[header : header + 1 + len(OPTIMIZERS)]}) == 1
    assert (tmp_path / "compare.png").read_bytes().startswith(b"\x89PNG")


def test_info_prints_the_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0
    out = capsys.readouterr().out
    assert np.__version__ in out
    assert "version" in out


def test_help_is_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", "--help"]) == 0
    assert "--save PATH" in capsys.readouterr().out


def test_a_bare_installation_trains_and_says_how_to_get_the_rest(text: str, tmp_path: Path) -> None:
    def bare(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", BARE, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path, check=False)

    done = bare("words", text, *SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    assert 'pip install "steepest[cli]"' in done.stdout
    assert "epoch 2/2" in done.stdout
    done = bare("compare", text, *SMALL)
    assert (done.returncode, done.stderr) == (0, "")
    assert 'for a plot: pip install "steepest[cli]"' in done.stdout
    done = bare("words", text, *SMALL, "--plot", "loss.png")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert '--plot must find matplotlib, got no such package; pip install "steepest[cli]"' in done.stderr


# Errors -------------------------------------------------------------------------------------------


def bad_file(folder: Path, kind: str) -> str:
    path = folder / f"{kind}.txt"
    contents = {
        "empty": b"",
        "blank": b" \n\n ",
        "binary": b"word\0word",
        "latin1": "größe".encode("latin-1"),
        "utf16": "some words".encode("utf-16"),
        "tiny": b"two words",
    }
    if kind == "directory":
        path.mkdir()
    elif kind in contents:
        path.write_bytes(contents[kind])
    return str(path)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("missing", "FILE must exist, got "),
        ("directory", "FILE must be a text file, got the directory"),
        ("empty", "FILE must contain text, got the empty file"),
        ("blank", "FILE must contain text, got the empty file"),
        ("binary", "FILE must be UTF-8 text, got the binary file"),
        ("utf16", "FILE must be UTF-8 text, got the binary file"),
        ("latin1", "FILE must be UTF-8 text, got byte 0xf6 at position 2 of"),
        ("tiny", "text must have at least 2 different words"),
    ],
)
def test_a_bad_file_is_one_line(kind: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", bad_file(tmp_path, kind), "--save", str(tmp_path / "v.txt")]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("steepest words: ")
    assert text in shown.err
    assert shown.err.count("\n") == 1
    assert not (tmp_path / "v.txt").exists()


def test_a_file_that_cannot_be_read_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["words", "/proc/self/mem"]) == 1  # reading its first page is an I/O error
    assert capsys.readouterr().err.startswith("steepest words: FILE must be readable, got '/proc/self/mem' (")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--save", "/no/such/folder/v.txt"], "--save must be in an existing folder, got '/no/such/folder/v.txt'"),
        (["--save", "/dev/null"], "--save must be a file, got '/dev/null'"),
        (["--save", "/proc/v.txt"], "--save must be writable, got '/proc/v.txt'"),
        (["--plot", "loss.xyz"], "--plot must end in one of"),
        (["--plot", "/no/such/folder/loss.png"], "--plot must be in an existing folder"),
        (["--learning-rate", "1e30", "--optimizer", "sgd", "--batch", "8"], "loss must stay finite, got"),
    ],
)
def test_a_bad_target_or_rate_is_one_line(
    options: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    assert main(["words", request.getfixturevalue("text"), *SMALL, *options]) == 1
    shown = capsys.readouterr()
    assert text in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["train"],
        ["words", "--size", "0"],
        ["words", "--size", "many"],
        ["words", "--epochs", "-3"],
        ["words", "--learning-rate", "nan"],
        ["words", "--learning-rate", "-1"],
        ["words", "--subsample", "2"],
        ["words", "--seed", "-1"],
        ["words", "--threads", "0"],
        ["words", "--optimizer", "newton"],
        ["words", "--nonsense"],
    ],
)
def test_a_wrong_command_line_is_one_line(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(options) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("steepest")
    assert shown.err.count("\n") == 1


# Ctrl-C -------------------------------------------------------------------------------------------


def interrupt(*arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-u", "-m", "steepest", "words", "--epochs", "100000", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        while not (line := process.stdout.readline()).startswith("epoch 1/"):
            assert line, "training ended before it was interrupted"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err
    finally:
        process.kill()
        process.wait()


def test_ctrl_c_saves_the_vectors_so_far(text: str, tmp_path: Path) -> None:
    saved = tmp_path / "v.npz"
    code, out, err = interrupt(text, "--size", "8", "--save", str(saved))
    assert code == 130
    assert re.fullmatch(r"steepest words: interrupted in epoch \d+ of 100000; the vectors so far are saved\n", err)
    assert "saved 10 vectors of size 8" in out
    with np.load(saved) as arrays:
        assert arrays["vectors"].shape == (10, 8)
        assert np.all(np.isfinite(arrays["vectors"]))
    assert sorted(os.listdir(tmp_path)) == ["text.txt", "v.npz"]


def test_ctrl_c_without_save_says_that_nothing_was_saved(text: str) -> None:
    code, _, err = interrupt(text, "--size", "8")
    assert code == 130
    assert err.endswith("nothing was saved (no --save)\n")
    assert err.count("\n") == 1


def test_a_reader_that_stops_reading_is_no_error(text: str) -> None:
    command = f"{sys.executable} -u -m steepest words {text} --epochs 200 --size 8 | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
