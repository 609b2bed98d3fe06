"""``tf.contrib.summary``: summaries that are written when they run, in graphs and in eager mode."""

from ..graph.missing import namespace
from ..summaries.file_writers import create_file_writer, create_summary_file_writer, eval_dir
from ..summaries.recording import (
    all_summary_ops,
    always_record_summaries,
    never_record_summaries,
    record_summaries_every_n_global_steps,
)
from ..summaries.recording import legacy_should_record_summaries as should_record_summaries
from ..summaries.resource_writers import SummaryWriter, summary_writer_initializer_op
from ..summaries.resource_writers import legacy_raw_flush as flush
from ..summaries.written import audio, generic, histogram, image, scalar
from ..summaries.written_tensors import graph_v1 as graph
from ..summaries.written_tensors import import_event, initialize
from ..testing.event_files import SummaryDbTest as SummaryDbTest  # of TensorFlow's module for tests
from ..testing.event_files import events_from_file as events_from_file
from ..testing.event_files import events_from_logdir as events_from_logdir
from ..testing.event_files import get_all as get_all
from ..testing.event_files import get_one as get_one

__all__ = [
    "SummaryWriter",
    "all_summary_ops",
    "always_record_summaries",
    "audio",
    "create_file_writer",
    "create_summary_file_writer",
    "eval_dir",
    "flush",
    "generic",
    "graph",
    "histogram",
    "image",
    "import_event",
    "initialize",
    "never_record_summaries",
    "record_summaries_every_n_global_steps",
    "scalar",
    "should_record_summaries",
    "summary_writer_initializer_op",
]

__getattr__, __dir__ = namespace(__name__, "summary summary_ops summary_test_util")
