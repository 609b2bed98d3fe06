"""Checkpoints of a training run: after each epoch, and to go on from."""

from __future__ import annotations

import zlib
from dataclasses import asdict
from typing import Any

import steepest as st

from ..base.errors import must
from .errors import CommandError
from .settings import Settings
from .text import Corpus

__all__ = ["SavedProgress"]


class SavedProgress:
    """What ``--checkpoint FOLDER`` and ``--resume`` ask for.

    Raises CommandError where the folder cannot be made, or has checkpoints and ``resume`` is not asked for.
    """

    def __init__(self, folder: str, resume: bool) -> None:
        try:
            self._manager = st.CheckpointManager(folder, max_to_keep=2)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CommandError(must("words", "--checkpoint", "be a folder", f"{folder!r} ({reason})")) from None
        if self._manager.steps and not resume:
            got, remedy = f"{folder!r}, which has checkpoints", "add --resume, or name another one"
            raise CommandError(must("words", "--checkpoint", "be an empty folder for a new run", got, remedy))

    def restore(self, settings: Settings, corpus: Corpus, state: dict[str, Any]) -> int:
        """Give the run the newest state; return the epochs that are done.

        Raises CommandError for a checkpoint that is damaged, or of other settings or another text.
        """
        path = self._manager.latest
        if path is None:
            return 0
        try:
            found = st.checkpoint.load(path).get("run", {})
            for name, value in _run(settings, corpus).items():
                if found.get(name, value) != value:
                    got = f"{found[name]!r} in {path!r}, {value!r} now"
                    raise CommandError(must("words", name, "be the same as before for --resume", got))
            return self._manager.restore(run=_run(settings, corpus), **state) or 0
        except (OSError, ValueError) as error:
            raise CommandError(f"words: {error}") from None

    def save(self, epoch: int, settings: Settings, corpus: Corpus, state: dict[str, Any]) -> None:
        """Write the state after an epoch; CommandError where it cannot be written."""
        try:
            self._manager.save(epoch, run=_run(settings, corpus), **state)
        except OSError as error:
            raise CommandError(f"words: {error}") from None


def _run(settings: Settings, corpus: Corpus) -> dict[str, Any]:
    return {**asdict(settings), "text": zlib.crc32(corpus.ids.tobytes())}
