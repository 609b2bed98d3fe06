"""``tf.io``: files, codes of strings, lines of CSV, examples, TFRecords, and queues."""

from ..graph.missing import namespace
from ..ops.csv_ops import decode_csv
from ..ops.example_ops import FixedLenFeature, VarLenFeature, parse_example, parse_single_example
from ..ops.file_ops import matching_files, read_file, write_file
from ..ops.queue_ops import PaddingFIFOQueue, PriorityQueue, QueueBase, RandomShuffleQueue
from ..ops.string_code_ops import decode_base64, decode_raw, encode_base64
from ..saving.write_graph import write_graph
from . import gfile
from .records import TFRecordCompressionType, TFRecordOptions, TFRecordWriter, tf_record_iterator

__all__ = [
    "FixedLenFeature",
    "PaddingFIFOQueue",
    "PriorityQueue",
    "QueueBase",
    "RandomShuffleQueue",
    "TFRecordCompressionType",
    "TFRecordOptions",
    "TFRecordWriter",
    "VarLenFeature",
    "decode_base64",
    "decode_csv",
    "decode_raw",
    "encode_base64",
    "gfile",
    "matching_files",
    "parse_example",
    "parse_single_example",
    "read_file",
    "tf_record_iterator",
    "write_file",
    "write_graph",
]

__getattr__, __dir__ = namespace(__name__)
