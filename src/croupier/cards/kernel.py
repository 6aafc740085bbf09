"""What kernels are made with: a typed way to numba, and tables that they look things up in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")
Int = Any  # a whole number inside a kernel, Python's or the machine's
Numbers = NDArray[np.uint16]
Codes = NDArray[np.int64]


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile at the first call and keep the machine code on disk for the next process.

    numba compiles anew when the file of the kernel has changed, but does not look at other
    files it calls into or takes tables from. After editing those, delete ``__pycache__``.
    """
    return _compiled(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that becomes part of every kernel that calls it, at no cost for the call."""
    return _compiled(function, forceinline=True)


def _compiled(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    decorate: Callable[[Callable[P, R]], Callable[P, R]] = numba.njit(
        cache=True, nogil=True, error_model="numpy", **options
    )
    return decorate(function)


def perfect_hash(
    keys: Codes, values: Numbers, row_bits: int, place_bits: int
) -> tuple[Numbers, Numbers]:
    """Tables (shifts, slots) such that ``slots[place ^ shifts[row]]`` is the value of a key.

    The lowest bits of a key are its place, those above them its row. No key whatever leads
    out of the tables, so nonsense in does not read astray.
    """
    rows = keys >> place_bits & (1 << row_bits) - 1
    places = keys & (1 << place_bits) - 1
    crowded_first = np.lexsort((rows, -np.bincount(rows)[rows]))
    rows, places, values = rows[crowded_first], places[crowded_first], values[crowded_first]
    shifts = np.zeros(1 << row_bits, np.uint16)
    slots = np.zeros(1 << place_bits, np.uint16)
    if not _fill(rows, places, values, shifts, slots):
        raise AssertionError("these keys do not fit into a table of this size")
    return shifts, slots


@kernel
def _fill(rows: Codes, places: Codes, values: Numbers, shifts: Numbers, slots: Numbers) -> bool:
    """Shift row after row to where all its places are free; False if a row finds no room."""
    taken = np.zeros(slots.size, np.bool_)
    start = 0
    while start < rows.size:
        end = start
        while end < rows.size and rows[end] == rows[start]:
            end += 1
        shift = 0
        at = start
        while at < end and shift < slots.size:
            if taken[places[at] ^ shift]:
                shift += 1
                at = start
            else:
                at += 1
        for at in range(start, end):
            slot = places[at] ^ shift
            if shift == slots.size or taken[slot]:  # taken by now: the same key twice
                return False
            taken[slot] = True
            slots[slot] = values[at]
        shifts[rows[start]] = shift
        start = end
    return True
