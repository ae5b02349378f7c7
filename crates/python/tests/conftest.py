"""Random bytes with a seed, and pycryptodome as a peer."""

import random

import pytest


@pytest.fixture
def rng() -> random.Random:
    return random.Random(20261122)
