"""``tf.train.Server``: tasks of a cluster that are all in one process, whose sessions share variables."""

from __future__ import annotations

import itertools
import threading
from typing import Any

from ..graph.errors import InternalError, InvalidArgumentError, NotFoundError
from ..graph.session_targets import serve
from .clusters import ClusterDef, ClusterSpec

__all__ = ["Server", "ServerDef"]

_ports = itertools.count(40001)


class ServerDef:
    """A cluster, and which of its tasks a server is. Source: ``tf.train.ServerDef``."""

    def __init__(
        self,
        cluster: Any = None,
        job_name: str = "",
        task_index: int = 0,
        default_session_config: Any = None,
        protocol: str = "",
    ) -> None:
        self.cluster = ClusterSpec(cluster or {}).as_cluster_def()
        self.job_name, self.task_index = job_name, task_index
        self.default_session_config, self.protocol = default_session_config, protocol


class Server:
    """A task of a cluster, in this process; sessions with its `target` share variables, by name.

    Nothing listens at the addresses. A session waits until each task of the cluster has a server in this process.

    Args:
        server_or_cluster_def: a cluster, a dict or `ClusterSpec`, or a `ServerDef`.
        job_name, task_index: the task; they may be left out where there is only one.
        protocol: ``"grpc"``.
        config: kept in `server_def`.
        start: whether sessions may be on it at once.

    Raises:
        TypeError, ValueError: for a cluster that is none, or where the task cannot be told.
        InternalError, InvalidArgumentError: for a job or a task that the cluster does not have.
        NotFoundError: for another protocol.

    Source: ``tf.train.Server``.
    """

    def __init__(
        self,
        server_or_cluster_def: Any,
        job_name: str | None = None,
        task_index: int | None = None,
        protocol: str | None = None,
        config: Any = None,
        start: bool = True,
    ) -> None:
        given = server_or_cluster_def
        if isinstance(given, ServerDef):
            job_name = job_name or given.job_name or None
            task_index = given.task_index if task_index is None else task_index
            protocol, config, given = protocol or given.protocol, config or given.default_session_config, given.cluster
        if not isinstance(given, (dict, ClusterSpec, ClusterDef)):
            raise TypeError(
                "Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or `tf.train.ClusterSpec`."
            )
        cluster = ClusterSpec(given)
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError("Must specify an explicit `job_name`.")
            job_name = cluster.jobs[0]
        if task_index is None:
            indices = cluster.task_indices(job_name)
            if len(indices) != 1:
                raise ValueError("Must specify an explicit `task_index`.")
            task_index = indices[0]
        if (protocol or "grpc") != "grpc":
            raise NotFoundError(
                None, None, f"No server factory registered for the given ServerDef: protocol {protocol!r}"
            )
        if job_name not in cluster.jobs:
            raise InternalError(None, None, f'Job "{job_name}" was not defined in cluster')
        if task_index not in cluster.task_indices(job_name):
            raise InvalidArgumentError(None, None, f'Task {task_index} was not defined in job "{job_name}"')
        self._spec = cluster
        self._server_def = ServerDef(cluster, job_name, task_index, config, protocol or "grpc")
        address = str(cluster.task_address(job_name, task_index))
        host, _, port = address.rpartition(":")
        self._target = f"grpc://{host or address}:{next(_ports) if port == '0' else port}"
        if start:
            self.start()

    def start(self) -> None:
        """Let sessions be on this task."""
        jobs = self._spec.as_cluster_def().job
        names = {
            f"/job:{job.name}/replica:0/task:{k}": str(address) for job in jobs for k, address in job.tasks.items()
        }
        own = f"/job:{self._server_def.job_name}/replica:0/task:{self._server_def.task_index}"
        if names[own].rpartition(":")[2] == "0":  # any port: a cluster of its own
            names[own] = self._target
        serve(names, own, self._target)

    def join(self) -> None:
        """Wait for as long as the process runs."""
        while True:
            threading.Event().wait(3600)

    @property
    def server_def(self) -> ServerDef:
        """The cluster and the task."""
        return self._server_def

    @property
    def target(self) -> str:
        """What sessions take as their target."""
        return self._target

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> Server:
        """Return the server of a cluster of one task."""
        return Server({"local": ["localhost:0"]}, protocol="grpc", config=config, start=start)
