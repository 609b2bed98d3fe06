"""``tf.train.Supervisor``: sessions that begin from a checkpoint, and threads that save and summarise meanwhile."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...variables.collections import GraphKeys
from ..graph import log
from ..graph.graph import get_default_graph
from ..graph.session import Session
from ..saving.saver import Saver
from ..saving.scoped_graphs import told
from ..saving.write_graph import write_graph
from ..training.coordinator import Coordinator, LooperThread
from ..training.session_creators import Scaffold
from ..training.session_manager import SessionManager
from .nodes import merged_once
from .step_rates import StepRate
from .writer import FileWriter, add_session_log

__all__ = ["Supervisor"]

_DEFAULT: Any = 0
"""Stands for what is made where nothing is given; None turns it off."""


class Supervisor:
    """Begins sessions from the newest checkpoint, saves in a thread, and tells threads when to stop, in one process.

    Args:
        logdir: the folder of checkpoints and of summaries; None for neither.
        graph: by default the default graph, which is finalized.
        init_op, init_feed_dict, init_fn, local_init_op: what gives variables their values where there is no checkpoint;
            an operation is by default made, or what is in the collection, and None for none.
        saver, summary_op, global_step, summary_writer: by default made, or what is in the collection; None for none.
        save_model_secs, save_summaries_secs: how often; 0 for never.
        checkpoint_basename: the beginning of the files' names.
        stop_grace_secs: how long `stop` waits for threads.
        session_manager, ready_op, ready_for_local_init_op, recovery_wait_secs: see `SessionManager`.
        is_chief: others write neither checkpoints nor summaries, and their variables must be on a device.
        local_init_run_options: accepted for TensorFlow's sake.

    Source: ``tf.train.Supervisor``.
    """

    USE_DEFAULT = _DEFAULT

    def __init__(
        self,
        graph: Any = None,
        ready_op: Any = _DEFAULT,
        ready_for_local_init_op: Any = _DEFAULT,
        is_chief: bool = True,
        init_op: Any = _DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = _DEFAULT,
        logdir: str | None = None,
        summary_op: Any = _DEFAULT,
        saver: Any = _DEFAULT,
        global_step: Any = _DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: Any = None,
        summary_writer: Any = _DEFAULT,
        init_fn: Callable[[Any], None] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        del local_init_run_options
        self.coord, self.is_chief = Coordinator(), is_chief
        self._graph = get_default_graph() if graph is None else graph
        if not is_chief:
            self._check_devices()
            logdir = saver = summary_writer = None
        self._grace, self._init_fn = stop_grace_secs, init_fn
        self.save_model_secs, self.save_summaries_secs = save_model_secs, save_summaries_secs
        self.save_path = None if not logdir else os.path.join(logdir, checkpoint_basename)
        self._logdir = logdir
        with self._graph.as_default():
            if ready_for_local_init_op is _DEFAULT:  # a scaffold would make one
                checks = self._graph.get_collection(GraphKeys.READY_FOR_LOCAL_INIT_OP)
                ready_for_local_init_op = checks[0] if checks else None
            given = [None if op is _DEFAULT else op for op in (init_op, local_init_op, ready_op)]
            scaffold = Scaffold(given[0], init_feed_dict, local_init_op=given[1], ready_op=given[2])
            scaffold.made()
            self.saver: Saver | None = scaffold.saver if saver is _DEFAULT else saver
            self.global_step = _default_step() if global_step is _DEFAULT else global_step
            self.summary_op = merged_once() if summary_op is _DEFAULT else summary_op
            self.init_feed_dict, self.ready_for_local_init_op = init_feed_dict, ready_for_local_init_op
            self.init_op = None if init_op is None else scaffold.init_op
            self.ready_op = None if ready_op is None else scaffold.ready_op
            self.local_init_op = None if local_init_op is None else scaffold.local_init_op
            self.session_manager = session_manager or SessionManager(
                self.local_init_op, self.ready_op, self.ready_for_local_init_op, self._graph, recovery_wait_secs
            )
        if logdir:
            os.makedirs(logdir, exist_ok=True)
        self.summary_writer = (FileWriter(logdir) if logdir else None) if summary_writer is _DEFAULT else summary_writer
        self._graph.finalize()
        self._drawn = False

    def _check_devices(self) -> None:
        for op in self._graph.get_operations():
            if op.type in ("Variable", "VariableV2") and not op.device:
                raise ValueError(f"When using replicas, all Variables must have their device set: {op.name}")

    # Sessions ----------------------------------------------------------------------------------

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Session:
        """Return a session whose variables have the newest checkpoint's values, or their initial ones."""
        self.coord.clear_stop()
        if self.summary_writer is not None:
            self.summary_writer.reopen()
        session = self.session_manager.prepare_session(
            master,
            self.init_op,
            self.saver,
            self._logdir,
            None,
            wait_for_checkpoint,
            max_wait_secs,
            config,
            self.init_feed_dict,
            self._init_fn,
        )
        self._write_graph()
        if start_standard_services:
            if self.is_chief:
                log.info("Starting standard services.")
                self.start_standard_services(session)
            log.info("Starting queue runners.")
            self.start_queue_runners(session)
        return session

    def _write_graph(self) -> None:
        """Write the graph beside the checkpoints, and into each file of events."""
        if self._logdir:
            write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self.summary_writer is not None and not self._drawn:
            self.summary_writer.add_graph(self._graph)
            saved = self.saver.saver_def if self.saver else None
            self.summary_writer.add_meta_graph(told(self._graph, saved))
            self._drawn = True

    @contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Session]:
        """Give a session that is the default one; stop all threads at the end, and raise what one of them raised.

        An error that asks for a clean stop, such as OutOfRangeError, ends the block without one.
        """
        session = self.prepare_or_wait_for_session(master, config, start_standard_services=start_standard_services)
        try:
            with self._graph.as_default(), session.as_default():
                yield session
        except Exception as error:
            self.coord.request_stop(error)
        try:
            self.stop(close_summary_writer=close_summary_writer)
        finally:
            session.close()

    # Threads -----------------------------------------------------------------------------------

    def start_standard_services(self, sess: Session) -> list[threading.Thread] | None:
        """Begin to save, and to write summaries and steps a second, where there is a folder; return the threads.

        Raises RuntimeError where this is not the chief.
        """
        if not self.is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief supervisors can write events."
            )
        if not self._logdir:
            log.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        threads: list[threading.Thread] = []
        counts = self.summary_writer is not None and self.global_step is not None
        if counts:
            self._tell("START", self._step_in(sess))
        if self.summary_writer is not None and self.save_summaries_secs:
            if self.summary_op is not None:
                threads.append(self.loop(self.save_summaries_secs, self._summarise, (sess,)))
            if counts:
                rate = StepRate(self.summary_writer, self.global_step, lambda: self._step_in(sess) or 0)
                threads.append(self.loop(self.save_summaries_secs, rate))
        if self.saver is not None and self.save_model_secs:
            threads.append(self.loop(self.save_model_secs, self._save, (sess,)))
        return threads

    def _step_in(self, session: Any) -> int | None:
        return None if self.global_step is None else int(np.asarray(session.run(self.global_step)).item())

    def _save(self, session: Session) -> None:
        assert self.saver is not None
        assert self.save_path is not None
        with session._updating:  # between two steps
            log.info("Saving checkpoint to path %s", self.save_path)
            step = self._step_in(session)
            self.saver.save(session, self.save_path, global_step=step)
        if step is not None:
            self._tell("CHECKPOINT", step, checkpoint_path=self.save_path)

    def _summarise(self, session: Session) -> None:
        summary, step = session.run(self.summary_op), self._step_in(session)
        log.info("Recording summary at step %s.", step)
        self.summary_computed(session, summary, step)

    def summary_computed(self, sess: Session, summary: Any, global_step: int | None = None) -> None:
        """Write a summary, at the global step where there is one. Raises RuntimeError without a writer."""
        if self.summary_writer is None:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self.global_step is not None:
            global_step = self._step_in(sess)
        self.summary_writer.add_summary(summary, global_step)

    def loop(
        self, timer_interval_secs: float | None, target: Callable[..., Any], args: Any = None, kwargs: Any = None
    ) -> threading.Thread:
        """Start a thread that calls ``target`` at once and then every so many seconds, until a stop is asked for."""

        return LooperThread.loop(self.coord, timer_interval_secs, target, args, kwargs)

    def start_queue_runners(self, sess: Any, queue_runners: Any = None) -> list[threading.Thread]:
        """Start the threads of queue runners, by default of all in the graph; return them."""
        if queue_runners is None:
            queue_runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        return [
            thread
            for runner in queue_runners
            for thread in runner.create_threads(sess, coord=self.coord, daemon=True, start=True)
        ]

    def should_stop(self) -> bool:
        """Tell whether a stop was asked for."""
        return self.coord.should_stop()

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop."""
        self.coord.request_stop(ex)

    def wait_for_stop(self) -> None:
        """Wait until a stop is asked for."""
        self.coord.wait_for_stop()

    def stop(self, threads: Any = None, close_summary_writer: bool = True, ignore_live_threads: bool = False) -> None:
        """Stop all threads, and raise what one of them raised."""
        self.coord.request_stop()
        try:
            self.coord.join(threads, self._grace, ignore_live_threads)
        finally:
            if close_summary_writer and self.summary_writer is not None and not self.summary_writer.closed:
                self._tell("STOP")
                self.summary_writer.close()
                self._drawn = False

    def _tell(self, status: str, step: int | None = None, **fields: Any) -> None:
        """Write what happened to the session, where there are messages for it."""
        add_session_log(self.summary_writer, step, status, **fields)

    PrepareSession = prepare_or_wait_for_session
    StartStandardServices = start_standard_services
    StartQueueRunners = start_queue_runners
    Loop, Stop, RequestStop, WaitForStop, ShouldStop = loop, stop, request_stop, wait_for_stop, should_stop
    SummaryComputed = summary_computed


def _default_step() -> Any:
    """Return the graph's global step: what the collection has, else the integer tensor ``global_step:0``."""
    graph = get_default_graph()
    found = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if found:
        return found[0]
    if GraphKeys.GLOBAL_STEP not in graph._operations:
        return None
    step = graph.get_tensor_by_name(f"{GraphKeys.GLOBAL_STEP}:0")
    return step if step.dtype.base_dtype.is_integer else None
