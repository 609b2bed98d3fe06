"""``tf.python_io``: TFRecord files, written and read by Python."""

from .graph.missing import namespace
from .io.records import TFRecordCompressionType, TFRecordOptions, TFRecordWriter, tf_record_iterator

__all__ = ["TFRecordCompressionType", "TFRecordOptions", "TFRecordWriter", "tf_record_iterator"]

__getattr__, __dir__ = namespace(__name__)
