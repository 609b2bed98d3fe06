"""``tf.io``: files, codes of strings, lines of CSV, examples, TFRecords, and queues."""

from ..graph.missing import namespace
from ..ops.csv_ops import decode_csv
from ..ops.example_json_ops import decode_json_example
from ..ops.example_ops import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    SparseFeature,
    VarLenFeature,
    parse_example,
    parse_single_example,
)
from ..ops.file_ops import matching_files, read_file, write_file
from ..ops.image_file_ops import decode_png, encode_png
from ..ops.queue_ops import PaddingFIFOQueue, PriorityQueue, QueueBase, RandomShuffleQueue
from ..ops.sequence_example_ops import parse_sequence_example, parse_single_sequence_example
from ..ops.sparse_serial_ops import deserialize_many_sparse, serialize_many_sparse, serialize_sparse
from ..ops.string_code_ops import decode_base64, decode_compressed, decode_raw, encode_base64
from ..ops.tensor_text_ops import parse_tensor, serialize_tensor
from ..pipelines.producers import match_filenames_once
from ..saving.write_graph import write_graph
from . import gfile
from .records import TFRecordCompressionType, TFRecordOptions, TFRecordWriter, tf_record_iterator

__all__ = [
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "PaddingFIFOQueue",
    "PriorityQueue",
    "QueueBase",
    "RandomShuffleQueue",
    "SparseFeature",
    "TFRecordCompressionType",
    "TFRecordOptions",
    "TFRecordWriter",
    "VarLenFeature",
    "decode_base64",
    "decode_compressed",
    "decode_csv",
    "decode_json_example",
    "decode_png",
    "decode_raw",
    "deserialize_many_sparse",
    "encode_base64",
    "encode_png",
    "gfile",
    "match_filenames_once",
    "matching_files",
    "parse_example",
    "parse_sequence_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "parse_tensor",
    "read_file",
    "serialize_many_sparse",
    "serialize_sparse",
    "serialize_tensor",
    "tf_record_iterator",
    "write_file",
    "write_graph",
]

__getattr__, __dir__ = namespace(__name__)
