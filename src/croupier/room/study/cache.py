"""Answers kept by their question, bounded by bytes; the one unused for longest goes first."""

from __future__ import annotations

from collections import OrderedDict

LARGEST_SHARE = 8  # an answer above an eighth of the cache is not kept


class Cache:
    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()

    def get(self, question: bytes) -> bytes | None:
        answer = self._kept.get(question)
        if answer is not None:
            self._kept.move_to_end(question)
        return answer

    def put(self, question: bytes, answer: bytes) -> None:
        self._drop(question)
        if len(question) + len(answer) > self.most_bytes // LARGEST_SHARE:
            return
        self._kept[question] = answer
        self.bytes += len(question) + len(answer)
        while self.bytes > self.most_bytes:
            self._drop(next(iter(self._kept)))

    def _drop(self, question: bytes) -> None:
        answer = self._kept.pop(question, None)
        if answer is not None:
            self.bytes -= len(question) + len(answer)
