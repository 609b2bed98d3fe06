"""``tf.train.QueueRunner``: threads that fill queues while a session trains."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from typing import Any

from ...variables.collections import GraphKeys
from ..graph import errors, log
from ..graph.default_session import get_default_session
from ..graph.errors import OpError, OutOfRangeError, error_code_from_exception_type, exception_type_from_error_code
from ..graph.graph import get_default_graph
from ..graph.message_fields import Enumeration, Field
from ..graph.messages import Message
from ..graph.mode import executing_eagerly
from ..graph.session import Session
from ..saving.collection_items import file_form
from .coordinator import Coordinator

__all__ = ["QueueRunner", "QueueRunnerDef", "add_queue_runner", "start_queue_runners"]


_NUMBERS = {name: getattr(errors, name) for name in errors.__all__ if name.isupper()}
_CODE = Enumeration("tensorflow.error.Code", _NUMBERS)


class QueueRunnerDef(Message):
    """A `QueueRunner` by the names of its operations. Source: ``queue_runner_pb2.QueueRunnerDef``."""

    FIELDS = (
        Field("queue_name", 1, "string"),
        Field("enqueue_op_name", 2, "string", repeated=True),
        Field("close_op_name", 3, "string"),
        Field("cancel_op_name", 4, "string"),
        Field("queue_closed_exception_types", 5, _CODE, repeated=True),
    )


class QueueRunner:
    """Threads that run operations which fill a queue again and again, until one of them finds the end.

    Args:
        queue: the queue.
        enqueue_ops: what is run, each in a thread of its own; they may be the same.
        close_op: run when all threads are at the end; by default it closes the queue.
        cancel_op: run when the coordinator asks for a stop; by default it closes the queue, and cancels what waits.
        queue_closed_exception_types: the errors that are the end; by default OutOfRangeError.
        queue_runner_def: what `to_proto` gives, in place of the rest.
        import_scope: put before the names in it.

    Raises ValueError without a queue or operations, RuntimeError in eager mode. Source: ``tf.train.QueueRunner``.
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[Any] | None = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: tuple[type[OpError], ...] | None = None,
        queue_runner_def: QueueRunnerDef | None = None,
        import_scope: str | None = None,
    ) -> None:
        if executing_eagerly():
            raise RuntimeError("QueueRunners are not supported when eager execution is enabled.")
        if queue_runner_def is not None:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            queue, enqueue_ops, close_op, cancel_op = _elements_of(queue_runner_def, import_scope)
            codes = queue_runner_def.queue_closed_exception_types
            queue_closed_exception_types = tuple(map(exception_type_from_error_code, codes)) or None
        if not queue or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        ends = queue_closed_exception_types
        if ends is not None and not (
            isinstance(ends, tuple) and ends and all(issubclass(each, OpError) for each in ends)
        ):
            raise TypeError(
                f"queue_closed_exception_types, when provided, must be a tuple of tf.error types, but saw: {ends}"
            )
        self._queue, self._enqueue_ops = queue, enqueue_ops
        self._close_op = queue.close() if close_op is None else close_op
        self._cancel_op = queue.close(cancel_pending_enqueues=True) if cancel_op is None else cancel_op
        self._ends: tuple[type[OpError], ...] = ends or (OutOfRangeError,)
        self._lock = threading.Lock()
        self._running: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()  # threads by session
        self._raised: list[Exception] = []

    queue = property(lambda self: self._queue, doc="The queue.")
    enqueue_ops = property(lambda self: self._enqueue_ops, doc="What the threads run.")
    close_op = property(lambda self: self._close_op, doc="What is run at the end.")
    cancel_op = property(lambda self: self._cancel_op, doc="What is run when a stop is asked for.")
    queue_closed_exception_types = property(lambda self: self._ends, doc="The errors that are the end.")
    exceptions_raised = property(lambda self: self._raised, doc="What threads without a coordinator have raised.")
    name = property(lambda self: self._queue.name, doc="The queue's name.")

    def create_threads(
        self, sess: Any, coord: Coordinator | None = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """Return a thread for each operation, none where those of before still run in the session.

        With a coordinator there is one more, which cancels what waits at the queue when a stop is asked for; errors
        ask for one.
        """
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._raised = []
        start_of_name = f"QueueRunnerThread-{self.name}-"
        threads = [
            threading.Thread(target=self._run, args=(sess, op, coord), name=f"{start_of_name}{op.name}")
            for op in self._enqueue_ops
        ]
        if coord is not None:
            stop = threading.Thread(target=self._stop, args=(sess, coord), name=f"{start_of_name}close_on_stop")
            threads.append(stop)
        for thread in threads:
            if coord is not None:
                coord.register_thread(thread)
            thread.daemon = thread.daemon or daemon
            if start:
                thread.start()
        return threads

    def _run(self, session: Any, op: Any, coord: Coordinator | None) -> None:
        counted = False
        try:
            call = session.make_callable(op)
            while coord is None or not coord.should_stop():
                try:
                    call()
                except self._ends:
                    with self._lock:
                        self._running[session] -= 1
                        counted, last = True, not self._running[session]
                    if last:
                        _ignoring_errors(session, self._close_op)
                    return
        except Exception as error:
            if coord is not None:
                coord.request_stop(error)
                return
            log.error("Exception in QueueRunner: %s", error)
            with self._lock:
                self._raised.append(error)
        finally:
            if not counted:
                with self._lock:
                    self._running[session] -= 1

    def _stop(self, session: Any, coord: Coordinator) -> None:
        coord.wait_for_stop()
        _ignoring_errors(session, self._cancel_op)

    def to_proto(self, export_scope: str | None = None) -> QueueRunnerDef | None:
        """Return the names of what it runs, without those of the scope; None where the queue is not in the scope."""
        if export_scope is not None and not self.name.startswith(export_scope):
            return None
        scope = f"{export_scope}/" if export_scope else ""

        def name(what: Any) -> str:
            full: str = what.name
            return full.removeprefix(scope)

        return QueueRunnerDef(
            name(self._queue),
            [name(op) for op in self._enqueue_ops],
            name(self._close_op),
            name(self._cancel_op),
            [error_code_from_exception_type(each) for each in self._ends],
        )

    @staticmethod
    def from_proto(queue_runner_def: QueueRunnerDef, import_scope: str | None = None) -> QueueRunner:
        """Return the runner of these names in the default graph."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


def _parts(runner: QueueRunner) -> list[Any]:
    ends = [error_code_from_exception_type(each) for each in runner.queue_closed_exception_types]
    queue = runner.close_op.graph.as_graph_element(runner.queue.name)
    return [queue, list(runner.enqueue_ops), runner.close_op, runner.cancel_op, ends]


def _of_parts(parts: list[Any]) -> QueueRunner:
    queue, enqueue_ops, close_op, cancel_op, ends = parts
    return QueueRunner(
        queue, enqueue_ops, close_op, cancel_op, tuple(exception_type_from_error_code(code) for code in ends)
    )


file_form("queue runner", QueueRunner, _parts, _of_parts)


def _ignoring_errors(session: Any, op: Any) -> None:
    """Run what closes a queue: it may be closed, and so may the session."""
    try:
        session.run(op)
    except Exception as error:
        log.debug("Ignored exception: %s", error)


def _elements_of(proto: QueueRunnerDef, scope: str | None) -> tuple[Any, list[Any], Any, Any]:
    graph, prefix = get_default_graph(), f"{scope}/" if scope else ""
    names = [proto.queue_name, proto.close_op_name, proto.cancel_op_name, *proto.enqueue_op_name]
    queue, close, cancel, *enqueue = [graph.as_graph_element(prefix + name) for name in names]
    return queue, enqueue, close, cancel


def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Let `start_queue_runners` start a runner: put it into the graph's collection."""
    get_default_graph().add_to_collection(collection, qr)


def start_queue_runners(
    sess: Any = None,
    coord: Coordinator | None = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Start the threads of all queue runners of the graph, in a session or in the default one; return them.

    A monitored session has started them itself: there are none to return.

    Raises ValueError without a session, TypeError for anything else, RuntimeError in eager mode.
    """
    if executing_eagerly():
        raise RuntimeError("Queues are not compatible with eager execution.")
    sess = get_default_session() if sess is None else sess
    if sess is None:
        raise ValueError(
            "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass an "
            "explicit session to tf.start_queue_runners(sess=sess)"
        )
    if not isinstance(sess, Session):
        if type(sess).__name__ in ("MonitoredSession", "SingularMonitoredSession"):
            return []
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {type(sess)}")
    runners = sess.graph.get_collection(collection)
    if not runners:
        log.warning(
            "`tf.train.start_queue_runners()` was called when no queue runners were defined. You can safely remove the "
            "call to this deprecated function."
        )
    return [thread for runner in runners for thread in runner.create_threads(sess, coord, daemon, start)]
