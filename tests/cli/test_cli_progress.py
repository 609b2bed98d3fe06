"""``steepest words --checkpoint FOLDER --resume``: a run that is stopped goes on to the same vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steepest.checkpoint import CheckpointManager
from steepest.cli import main
from steepest.cli.train import OPTIMIZERS

OPTIONS = ["--size", "8", "--negatives", "3", "--epochs", "4", "--batch", "64"]


@pytest.fixture
def text(tmp_path: Path) -> str:
    rng = np.random.default_rng(0)
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join(" ".join(rng.choice(list("abcdefgh"), 8)) for _ in range(60)), "utf-8")
    return str(path)


@pytest.mark.parametrize("optimizer", list(OPTIMIZERS))
def test_a_stopped_run_goes_on_to_the_same_vectors(optimizer: str, text: str, tmp_path: Path) -> None:
    options, folder = [*OPTIONS, "--optimizer", optimizer], tmp_path / "run"
    assert main(["words", text, *options, "--save", str(tmp_path / "whole.txt"), "--checkpoint", str(folder)]) == 0
    manager = CheckpointManager(folder)
    assert manager.steps == [3, 4]
    Path(manager.path(4)).unlink()  # as if it had been killed in the last epoch
    assert (
        main(["words", text, *options, "--save", str(tmp_path / "v.txt"), "--checkpoint", str(folder), "--resume"]) == 0
    )
    assert (tmp_path / "v.txt").read_text() == (tmp_path / "whole.txt").read_text()
    assert manager.steps == [3, 4]


def test_what_cannot_be_resumed_is_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    assert main(["words", text, *OPTIONS, "--checkpoint", folder]) == 0
    capsys.readouterr()
    for arguments, message in (
        ([*OPTIONS, "--checkpoint", folder], "words: --checkpoint must be an empty folder for a new run"),
        ([*OPTIONS, "--resume"], "words: --resume must come with --checkpoint"),
        ([*OPTIONS, "--checkpoint", text], "words: --checkpoint must be a folder"),
        ([*OPTIONS, "--checkpoint", folder, "--resume", "--size", "9"], "words: size must be the same as before"),
    ):
        assert main(["words", text, *arguments]) == 1
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
    Path(CheckpointManager(folder).path(4)).write_bytes(b"damaged")
    assert main(["words", text, *OPTIONS, "--checkpoint", folder, "--resume"]) == 1
    assert "must be a whole checkpoint" in capsys.readouterr().err
