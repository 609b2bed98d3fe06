"""``parsing_ops.decode_raw`` as TensorFlow's internal module has it: that of TensorFlow 2."""

from ..ops.string_code_ops import decode_padded_raw as decode_raw

__all__ = ["decode_raw"]
