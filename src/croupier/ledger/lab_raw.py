"""Tests of the generator's raw output: chi-square, mono-bit and runs, after NJ 13:69E-1.28G.

Mono-bit and runs are those of NIST SP 800-22.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.ledger.chance import chi_square, normal
from croupier.ledger.finding import Finding

Bits = NDArray[np.uint8]


def raw_findings(output: bytes) -> list[Finding]:
    """The three tests on one stretch of output."""
    values = np.frombuffer(output, np.uint8)
    bits = np.unpackbits(values)
    return [byte_values(values), mono_bit(bits), bit_runs(bits)]


def byte_values(values: NDArray[np.uint8]) -> Finding:
    """How often each byte comes."""
    mean = len(values) / 256
    statistic = float(((np.bincount(values, minlength=256) - mean) ** 2).sum()) / mean
    p = chi_square(statistic, 255)
    return Finding("chi-square", "each value of a byte", statistic, "chi-square", 255, p)


def mono_bit(bits: Bits) -> Finding:
    """Whether ones and noughts are as many."""
    ones = int(bits.sum(dtype=np.int64))
    statistic = (2 * ones - len(bits)) / sqrt(len(bits))
    return Finding("mono-bit", "ones and noughts", statistic, "normal", 1, normal(statistic))


def bit_runs(bits: Bits) -> Finding:
    """Whether ones and noughts take turns as often as their shares let expect."""
    ones = int(bits.sum(dtype=np.int64))
    changes = int((bits[1:] != bits[:-1]).sum(dtype=np.int64))
    share = ones / len(bits)
    turn = 2 * share * (1 - share)
    if not turn:  # one value only: there is nothing to take turns with
        return Finding("runs", "runs of equal bits", changes, "normal", 1, 0.0)
    statistic = (changes + 1 - len(bits) * turn) / (sqrt(len(bits)) * turn)
    return Finding("runs", "runs of equal bits", statistic, "normal", 1, normal(statistic))
