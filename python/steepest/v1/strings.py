"""``tf.strings``: strings joined, cut, replaced, and read as numbers."""

from .graph.missing import namespace
from .ops.regex_ops import regex_full_match, regex_replace
from .ops.string_encoding_ops import unicode_encode, unicode_transcode, unsorted_segment_join
from .ops.string_format_ops import string_format as format
from .ops.string_hash_ops import string_to_hash_bucket as to_hash_bucket
from .ops.string_hash_ops import string_to_hash_bucket_fast as to_hash_bucket_fast
from .ops.string_hash_ops import string_to_hash_bucket_strong as to_hash_bucket_strong
from .ops.string_ops import as_string, reduce_join
from .ops.string_ops import string_join as join
from .ops.string_ops import string_lower as lower
from .ops.string_ops import string_strip as strip
from .ops.string_ops import string_to_number as to_number
from .ops.string_ops import string_upper as upper
from .ops.string_split_ops import string_split_v2 as split
from .ops.string_unit_ops import string_length as length
from .ops.string_unit_ops import substr

__all__ = [
    "as_string",
    "format",
    "join",
    "length",
    "lower",
    "reduce_join",
    "regex_full_match",
    "regex_replace",
    "split",
    "strip",
    "substr",
    "to_hash_bucket",
    "to_hash_bucket_fast",
    "to_hash_bucket_strong",
    "to_number",
    "unicode_encode",
    "unicode_transcode",
    "unsorted_segment_join",
    "upper",
]

__getattr__, __dir__ = namespace(__name__)
