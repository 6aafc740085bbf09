"""The closed list of questions a worker answers. Each takes plain data and gives bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from croupier.analysis.par.compare import compare
from croupier.analysis.par.sheet import Sheet, sheet
from croupier.house.submission import default_house, read_data
from croupier.law.refused import Refused
from croupier.room.api.par_data import par, side_by_side
from croupier.room.study.advice import advised, charted
from croupier.room.study.prices import priced
from croupier.room.study.ways import way, ways

Data = Mapping[str, Any]

json = msgspec.json.encode


def _par(house: Data) -> bytes:
    return json(par(_sheet(json(house, order="sorted"))))


def _file(house: Data, format: str) -> bytes:
    made = _sheet(json(house, order="sorted"))
    try:
        match format:
            case "html":
                from croupier.analysis.par.html import page as write
            case "pdf":
                from croupier.analysis.par.pdf import document as write
            case _:
                from croupier.analysis.par.xlsx import workbook as write
    except ModuleNotFoundError as missing:
        sentence = f"A sheet in {format} needs {missing.name}, which is not installed here."
        raise Refused(sentence, code="NOT_INSTALLED") from None
    return write(made)


@lru_cache(maxsize=2)  # a sheet that is read is often taken away as well
def _sheet(house: bytes) -> Sheet:
    return sheet(read_data(msgspec.json.decode(house)))


def _compare(a: Data, b: Data) -> bytes:
    return json(side_by_side(compare(read_data(a), read_data(b))))


QUESTIONS: dict[str, Callable[..., bytes]] = {
    "advise": lambda **given: json(advised(**given)),
    "chart": lambda house: json(charted(house)),
    "edge": lambda house: json(priced(house)),
    "par": _par,
    "file": _file,
    "compare": _compare,
    "strategies": lambda house: json(ways(house)),
    "strategy": lambda house, name: json(way(house, name)),
}


def _warm(book: str, hand: str, board: str, dealer: str) -> None:
    advised({**default_house(book).source}, hand, board, dealer, "", 0)


# Short questions that load what a player's first question needs.
WARM_UP: tuple[Callable[[], object], ...] = (
    lambda: _warm("nj-ultimate-texas-holdem", "Ah 7d", "2c 7c Ts 4d 5d", ""),
    lambda: _warm("nj-ultimate-texas-holdem", "Ah 7d", "2c 7c Ts", ""),
    lambda: _warm("nj-let-it-ride", "Ah 7d 2c", "", ""),
    lambda: _warm("nj-caribbean-stud", "Ah 7d 2c 7c Ts", "", "2d"),
    lambda: _warm("nj-pik-it-poker", "Ah Kd Jc 8s 3h", "", ""),
)
