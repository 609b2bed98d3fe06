"""``tf.train.SessionManager``: sessions whose variables have a checkpoint's values, or their initial ones."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph import log
from ..graph.errors import DeadlineExceededError, FailedPreconditionError
from ..graph.graph import get_default_graph
from ..graph.session import Session
from ..saving.checkpoint_state import get_checkpoint_state, latest_checkpoint
from ..saving.saver import Saver

__all__ = ["SessionManager"]


class SessionManager:
    """Begins sessions, in one process.

    Args:
        local_init_op, local_init_feed_dict: run, and fed, in each session.
        ready_op: gives the names of variables without a value; the session is ready where it gives none.
        ready_for_local_init_op: the same, asked for before ``local_init_op``.
        graph: by default the default graph.
        recovery_wait_secs: how often `wait_for_session` looks.
        local_init_run_options: ignored.

    Raises:
        ValueError: for ``ready_for_local_init_op`` without ``local_init_op``.

    Source: ``tf.train.SessionManager``.
    """

    def __init__(
        self,
        local_init_op: Any = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        graph: Any = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        del local_init_run_options
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op , "
                f"ready_for_local_init_op [{ready_for_local_init_op}]"
            )
        self._graph = get_default_graph() if graph is None else graph
        self._local_init_op, self._local_feed = local_init_op, local_init_feed_dict
        self._ready_op, self._ready_for_local = ready_op, ready_for_local_init_op
        self._wait = recovery_wait_secs

    def prepare_session(
        self,
        master: str,
        init_op: Any = None,
        saver: Saver | None = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Session], None] | None = None,
    ) -> Session:
        """Return a session whose variables have the checkpoint's values, else what ``init_op`` and ``init_fn`` give.

        Raises RuntimeError where there is neither, or a variable is left without a value; ValueError for both kinds of
        path.
        """
        session, restored = self._restored(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        if not restored:
            if init_op is None and init_fn is None and self._local_init_op is None:
                raise RuntimeError("Model is not initialized and no init_op or init_fn or local_init_op was given")
            if init_op is not None:
                session.run(init_op, init_feed_dict)
            if init_fn is not None:
                init_fn(session)
        told = "Init operations did not make model ready"
        name = getattr(init_op, "name", init_op)
        if missing := self._prepared_locally(session):
            raise RuntimeError(f"{told} for local_init.  Init op: {name}, init fn: {init_fn}, error: {missing}")
        if missing := self._missing(session, self._ready_op):
            local = getattr(self._local_init_op, "name", None)
            raise RuntimeError(
                f"{told}.  Init op: {name}, init fn: {init_fn}, local_init_op: {local}, error: {missing}"
            )
        return session

    def recover_session(
        self,
        master: str,
        saver: Saver | None = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Session, bool]:
        """Return a session, and whether a checkpoint gave its variables their values."""
        session, restored = self._restored(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint, max_wait_secs, config
        )
        missing = self._prepared_locally(session)  # what is local is begun whether there is a checkpoint or not
        if not restored:
            return session, False
        file, told = checkpoint_dir or checkpoint_filename_with_path, "did not make model ready"
        if missing:
            log.info("Restoring model from %s %s for local init: %s", file, told, missing)
            return session, False
        if missing := self._missing(session, self._ready_op):
            log.info("Restoring model from %s %s: %s", file, told, missing)
            return session, False
        log.info("Restored model from %s", file)
        return session, True

    def wait_for_session(self, master: str, config: Any = None, max_wait_secs: float | None = None) -> Session:
        """Return a session that is ready; DeadlineExceededError where that takes longer than ``max_wait_secs``."""
        end = time.monotonic() + (float("inf") if max_wait_secs is None else max_wait_secs)
        while True:
            session = Session(master, self._graph, config)
            locally = self._prepared_locally(session)
            missing = locally or self._missing(session, self._ready_op)
            if not missing:
                return session
            session.close()
            if time.monotonic() + self._wait > end:
                message = f"Session was not ready after waiting {max_wait_secs} secs: {missing}"
                raise DeadlineExceededError(None, None, message)
            said = "Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s"
            log.info(said, locally or None, None if locally else missing)
            time.sleep(self._wait)

    def _restored(
        self,
        master: str,
        saver: Saver | None,
        folder: str | None,
        path: str | None,
        wait: bool,
        max_wait_secs: float,
        config: Any,
    ) -> tuple[Session, bool]:
        if folder and path:
            raise ValueError("Can not provide both checkpoint_dir and checkpoint_filename_with_path.")
        session = Session(master, self._graph, config)
        if saver is None or not (folder or path):
            return session, False
        end = time.monotonic() + max_wait_secs
        while (newest := path or latest_checkpoint(str(folder))) is None:
            if not wait or time.monotonic() >= end:
                return session, False
            log.info("Waiting for checkpoint to be available.")
            time.sleep(min(self._wait, max(end - time.monotonic(), 0)))
        saver.restore(session, newest)
        if path is None and (state := get_checkpoint_state(str(folder))) is not None:
            saver.recover_last_checkpoints(list(state.all_model_checkpoint_paths))  # old ones go as new ones come
        return session, True

    def _prepared_locally(self, session: Session) -> str:
        """Run the local initializers where the global ones were; return what is missing."""
        missing = self._missing(session, self._ready_for_local)
        if not missing and self._local_init_op is not None:  # no node is made: the graph may be finalized
            log.info("Running local_init_op.")
            session.run(self._local_init_op, self._local_feed)
            log.info("Done running local_init_op.")
        return missing

    def _missing(self, session: Session, ready_op: Any) -> str:
        """Return what a check says of variables without a value: their names, or an error that one has none.

        Integers of 32 bits say that all is ready, as in the first versions of TensorFlow.
        """
        if ready_op is None:
            return ""
        try:
            names = session.run(ready_op)
        except FailedPreconditionError as error:
            if "uninitialized" not in str(error):
                raise
            return f"Model is not ready: {error}"
        if names is None or names.dtype == np.int32 or not names.size:
            return ""
        return "Variables not initialized: " + ", ".join(name.decode() for name in names)
