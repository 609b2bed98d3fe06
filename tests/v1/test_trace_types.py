"""TensorFlow's internal ``trace_type``: types and shapes as messages, compared to what TensorFlow 2.21 wrote."""

import pytest

import steepest.v1 as tf
from steepest.v1.python import trace_types


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (tf.float32, b"\n4\n.type.googleapis.com/tensorflow.SerializedDType\x12\x02\x08\x01"),
        (
            tf.TensorShape([None, 2]),
            b"\nD\n/type.googleapis.com/tensorflow.TensorShapeProto"
            b"\x12\x11\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x12\x02\x08\x02",
        ),
        (tf.TensorShape(None), b"\n5\n/type.googleapis.com/tensorflow.TensorShapeProto\x12\x02\x18\x01"),
    ],
)
def test_what_is_serialized_is_what_tensorflow_writes_and_can_be_read(value, written):
    message = trace_types.serialize(value)
    assert message.SerializeToString() == written
    found = trace_types.deserialize(type(message).FromString(written))
    assert type(found) is type(value)
    assert repr(found) == repr(value)


def test_what_has_no_message_is_refused():
    with pytest.raises(ValueError, match=r"Can not serialize int since it is not Serializable\. For object 3"):
        trace_types.serialize(3)
    message = trace_types.serialize(tf.int32)
    message.representation.type_url = "other"
    with pytest.raises(ValueError, match="Can not deserialize proto of url: other since no matching Python class"):
        trace_types.deserialize(message)
