"""Dicts by identity: keys that are equal stay two, and the weak one forgets keys that nobody else holds."""

import gc

import pytest

from steepest.v1.graph.identity_dicts import ObjectIdentityDictionary, ObjectIdentityWeakKeyDictionary


class _Equal:
    """Equal to everything, with a hash that no dict could use."""

    __hash__ = None

    def __eq__(self, other):
        return True


@pytest.mark.parametrize("kind", [ObjectIdentityDictionary, ObjectIdentityWeakKeyDictionary])
def test_equal_objects_are_keys_of_their_own(kind):
    a, b = _Equal(), _Equal()
    found = kind()
    found[a], found[b] = "a", "b"
    assert (found[a], found[b], len(found)) == ("a", "b", 2)
    assert [key is each for key, each in zip(found, (a, b), strict=True)] == [True, True]
    found[a] = "again"
    assert (found[a], len(found)) == ("again", 2)
    del found[a]
    assert a not in found
    assert b in found
    assert len(found) == 1
    with pytest.raises(KeyError):
        found[a]
    assert found.pop(b) == "b"
    assert not found


def test_a_weak_dict_forgets_and_a_plain_one_holds():
    weak, plain = ObjectIdentityWeakKeyDictionary(), ObjectIdentityDictionary()
    weak[kept := _Equal()] = 1
    for found in (weak, plain):
        found[_Equal()] = 2
    gc.collect()
    assert len(weak) == 1
    assert next(iter(weak)) is kept
    assert len(plain) == 1
    plain.clear()
    weak[new := _Equal()] = 3  # perhaps at the address of a forgotten one
    assert weak[new] == 3
    assert weak[kept] == 1


def test_a_value_that_holds_its_key_keeps_it():
    weak = ObjectIdentityWeakKeyDictionary()
    key = _Equal()
    weak[key] = [key]
    del key
    gc.collect()
    assert len(weak) == 1
