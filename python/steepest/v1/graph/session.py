"""Sessions: they hold the values of variables, and evaluate nodes."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from types import TracebackType
from typing import Any, NamedTuple

from ...base.freed_memory import keep_freed_memory
from ...base.locks import let_go, renew_lock_in_children
from ...variables.variable import Variable
from .default_session import entered_sessions
from .errors import InvalidArgumentError, NotFoundError, OpError
from .feeds import fed_tensor, feed_value
from .fetches import Fetches, fetches_of
from .graph import Graph, get_default_graph
from .graph_def import GraphDef
from .graph_rewrites import session_made
from .log import error
from .node import Operation
from .options import CallableOptions, ConfigProto
from .partial_runs import PartialRun
from .plan import ExecutionPlan
from .plan_flow import plan_of
from .run_limits import limited
from .run_messages import RunMetadata, RunOptions
from .run_records import recorded
from .session_targets import cluster_of, reset
from .tensor_kind import Tensor as Result

__all__ = ["InteractiveSession", "Session"]


class Device(NamedTuple):
    """Where nodes run. Source: what ``tf.Session.list_devices`` gives."""

    name: str
    device_type: str


class Session:
    """Evaluates nodes of a graph; the variables' values live here, so two sessions of one graph do not share them.

    Args:
        target: that of a ``tf.train.Server``, whose sessions share variables by name; others are accepted.
        graph: the graph to evaluate, by default the default graph.
        config: ``operation_timeout_in_ms`` says how long a run may wait at queues; the rest has no effect.

    Source: ``tf.Session``.
    """

    _nested = True  # whether it is left as the default before those that were entered earlier

    def __init__(self, target: str = "", graph: Graph | None = None, config: ConfigProto | None = None) -> None:
        if not isinstance(target, str | bytes):
            raise _wrong("target", "a string", target)
        address = target.decode() if isinstance(target, bytes) else target
        scheme = address.partition("://")
        if scheme[0] not in ("", "local") and not scheme[1]:
            raise NotFoundError(
                None, None, f"No session factory registered for the given session options: {{target: {target!r}}}"
            )
        if config is not None and not isinstance(config, ConfigProto):
            raise _wrong("config", "a tf.ConfigProto", config)
        if graph is not None and not isinstance(graph, Graph):
            raise _wrong("graph", "a tf.Graph", graph)
        keep_freed_memory()
        session_made()
        self._graph = graph if graph is not None else get_default_graph()
        self._target = target
        self._config = config
        self._closed = False
        self._variables: MutableMapping[Operation, Variable] = {}
        self._generators: dict[Any, Any] = {}
        self._optimizers: dict[Any, Any] = {}
        self._plans: dict[Any, ExecutionPlan] = {}
        self._nests: dict[Any, Fetches] = {}
        self._queues: dict[Any, Any] = {}  # what runs put into queues, and wait for
        self._handles: dict[str, Any] = {}  # values that stay for later runs, by the names of their handles
        self._watched: set[Variable] = set()  # of the tape of the run that is going on
        self._updating = threading.RLock()  # threads may share a session: runs that write or differentiate take turns
        renew_lock_in_children(self, "_updating")
        self._cluster = cluster_of(address) if address else None
        if self._cluster is not None:
            self._variables, self._optimizers = self._cluster.variables, self._cluster.optimizers
            self._updating = self._cluster.updating
        self._entered: list[ExitStack] = []

    @property
    def graph(self) -> Graph:
        """The graph that this session evaluates."""
        return self._graph

    @property
    def sess_str(self) -> bytes:
        """The target that was given, as bytes."""
        return self._target if isinstance(self._target, bytes) else self._target.encode()

    @property
    def graph_def(self) -> GraphDef:
        """The graph's names, types and inputs, with shapes where ``graph_options.infer_shapes`` says so."""
        shapes = bool(self._config and getattr(self._config.graph_options, "infer_shapes", False))
        return self._graph.as_graph_def(add_shapes=shapes)

    def run(
        self,
        fetches: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        options: RunOptions | None = None,
        run_metadata: RunMetadata | None = None,
    ) -> Any:
        """Evaluate ``fetches``, each needed node once; return the values in the same structure.

        Args:
            fetches: a tensor, variable, operation, their names, or a nest of lists, tuples and dicts of them.
            feed_dict: values for placeholders, and for any other tensor that is to be replaced.
            options: ``timeout_in_ms`` says how long the run may wait at queues.
            run_metadata: what the run tells of itself, as far as ``options`` asks for it.

        Returns:
            Arrays and NumPy scalars; None for an operation. A fetched variable gives its value after the run.

        Raises:
            RuntimeError: on a closed session or an empty graph. TypeError, ValueError: for fetches and feeds that are
            not nodes of this graph, and fed values that do not fit. `steepest.v1.errors`: when a node fails.

        Source: ``tf.Session.run``.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if options is not None or run_metadata is not None:
            timeout = 0 if options is None else options.timeout_in_ms
            with limited(timeout) if timeout else nullcontext(), recorded(self._graph, options, run_metadata):
                return Session.run(self, fetches, feed_dict)  # a subclass may come here from its own ``run``
        if not self._graph.version:
            raise RuntimeError("The Session graph is empty. Add operations to the graph before calling run().")
        graph = self._graph
        fed: dict[Any, Any] = {}
        if feed_dict:
            if not hasattr(feed_dict, "items"):
                raise TypeError(f"feed_dict must be a dict from tensors to values, got {type(feed_dict).__name__}")
            for key, value in feed_dict.items():
                if type(key) is Result and key.op.graph is graph:
                    fed[key] = feed_value(key, value)
                else:
                    fed.update((tensor, feed_value(tensor, part)) for tensor, part in fed_tensor(graph, key, value))
        nest = fetches_of(graph, fetches, self._nests)
        key = (tuple(nest.targets), tuple(fed), graph._edits)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = plan_of(graph, nest.targets, list(fed))
        try:
            if not plan.alone:
                return nest.structured(plan.run(self, list(fed.values())))
            with self._updating:
                return nest.structured(plan.run(self, list(fed.values())))
        except OpError as failed:  # a program's traceback ends here: the steps of a plan say nothing of it
            raise failed.with_traceback(None) from failed.__cause__

    def make_callable(
        self, fetches: Any, feed_list: Sequence[Any] | None = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """Return a function of the values of ``feed_list`` that runs ``fetches``; options may follow as keywords."""
        if not (feed_list is None or isinstance(feed_list, (list, tuple))):
            raise TypeError(f"Argument `feed_list` must be a list or tuple. Received: feed_list={feed_list!r}")
        feeds = list(feed_list or ())

        def run(*values: Any, **options: Any) -> Any:
            if len(values) > len(feeds):
                raise TypeError(f"make_callable: takes a value for each of the {len(feeds)} feeds, got {len(values)}")
            return self.run(fetches, dict(zip(feeds, values, strict=False)), **options)

        return run

    def _make_callable_from_options(self, callable_options: CallableOptions) -> Callable[..., Any]:
        """Return a function of the values of ``feed`` that runs what ``fetch`` and ``target`` name."""
        asked = callable_options
        run = self.make_callable([list(asked.fetch), list(asked.target)], asked.feed, accept_options=True)
        return lambda *values, run_metadata=None: run(*values, options=asked.run_options, run_metadata=run_metadata)[0]

    def partial_run_setup(self, fetches: Any, feeds: Sequence[Any] | None = None) -> PartialRun:
        """Return a run in parts, which may fetch and feed what is given here, each once."""
        return PartialRun(self._graph, fetches, feeds)

    def partial_run(self, handle: PartialRun, fetches: Any, feed_dict: Mapping[Any, Any] | None = None) -> Any:
        """Run a part: what was fed or fetched in earlier parts has the value that it had there."""
        if not isinstance(handle, PartialRun):
            raise InvalidArgumentError(None, None, f"Must run 'setup' before performing partial runs, got {handle!r}")
        return handle.run(self, fetches, feed_dict)

    def list_devices(self) -> list[Device]:
        """Return the processors: one, or as many as the settings' ``device_count`` says."""
        count = ((self._config and self._config.device_count) or {}).get("CPU", 1)
        return [Device(f"/job:localhost/replica:0/task:0/device:CPU:{k}", "CPU") for k in range(count)]

    @staticmethod
    def reset(target: str, containers: Any = None, config: Any = None) -> None:
        """Forget the variables of the server whose target this is; nothing for another target."""
        reset(target.decode() if isinstance(target, bytes) else target)

    def close(self) -> None:
        """Forget the variables' values; the session cannot run any more, and what waits at a queue is cancelled."""
        self._closed = True
        for queue in list(self._queues.values()):
            queue.cancel()
        for table in (self._generators, self._plans, self._nests, self._handles):
            table.clear()
        if self._cluster is None:  # else others share them
            self._variables.clear()
            self._optimizers.clear()

    @contextmanager
    def _aside(self) -> Iterator[None]:
        """Let the runs of other threads go on while that of this thread waits for them."""
        if not self._updating._is_owned():  # type: ignore[attr-defined]
            yield  # nothing was taken, and what is watched now is of a run of another thread
            return
        watched = self._watched
        with let_go(self._updating):
            yield
        self._watched = watched

    def _read(self, op: Operation) -> Variable | None:
        """Return the variable that holds an operation's value in this session, None before it is initialised."""
        return self._variables.get(op)

    # As the default session --------------------------------------------------------------------

    @contextmanager
    def as_default(self) -> Iterator[Session]:
        """Make this the session that ``eval`` and ``run`` of nodes use in this thread."""
        entered_sessions.stack.append(self)
        try:
            yield self
        finally:
            entered_sessions.leave(self, self._nested)

    def __enter__(self) -> Session:
        if self._entered:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a "
                "session multiple times."
            )
        with ExitStack() as stack:
            stack.enter_context(self._graph.as_default())
            stack.enter_context(self.as_default())
            self._entered.append(stack.pop_all())
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.pop().close()
        self.close()

    def __repr__(self) -> str:
        doing = "closed" if self._closed else f"with {len(self._variables)} initialized variables"
        return f"<steepest.v1.{type(self).__name__} {doing}>"


def _wrong(name: str, kind: str, value: Any) -> TypeError:
    # The words of TensorFlow 1, and behind them those of TensorFlow 2.
    return TypeError(f"{name} must be {kind}, but got {value!r}. Argument `{name}` must be {kind}")


class InteractiveSession(Session):
    """A session that is the default from its making to ``close``, for notebooks."""

    _nested = False
    _active_session_count = 0

    def __init__(self, target: str = "", graph: Graph | None = None, config: ConfigProto | None = None) -> None:
        super().__init__(target, graph, config)
        if InteractiveSession._active_session_count > 0:
            told = (
                "An interactive session is already active. This can cause out-of-memory errors {} in some cases. You "
                "must explicitly call `InteractiveSession.close()` to release resources held by the other session(s)."
            )
            warnings.warn(told.replace(" {}", ""), stacklevel=2)
            unforeseen = "or some other unexpected errors (due to the unpredictable timing of garbage collection)"
            error(f"{told.format(unforeseen)} Please use `tf.Session()` if you intend to productionize.")
        InteractiveSession._active_session_count += 1
        self._opened = ExitStack()
        self._opened.enter_context(self.as_default())
        if graph is not None:
            self._opened.enter_context(graph.as_default())

    def close(self) -> None:
        """Stop being the default, and forget the variables' values."""
        InteractiveSession._active_session_count -= not self._closed
        super().close()
        self._opened.close()
