"""Who may do what: one table for every endpoint and everything said on the socket.

What is not listed is forbidden. A supervisor never plays at the tables he rules on.
"""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    NOBODY = "nobody"  # without a session
    PLAYER = "player"  # guests too
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    OWNER = "owner"

    @property
    def one(self) -> str:
        """With its article."""
        return f"{'an' if self[0] in 'ao' else 'a'} {self}"


ANYONE = frozenset(Role)
SOMEBODY = ANYONE - {Role.NOBODY}
PLAYERS = frozenset({Role.PLAYER})
FLOOR = frozenset({Role.SUPERVISOR, Role.OWNER})
AUDITORS = FLOOR | {Role.AUDITOR}
OWNERS = frozenset({Role.OWNER})
STAFF = SOMEBODY - PLAYERS

ENDPOINTS: dict[str, frozenset[Role]] = {
    "POST /api/guest": ANYONE,
    "POST /api/login": ANYONE,
    "POST /api/logout": SOMEBODY,
    "GET /api/me": SOMEBODY,
    "POST /api/password": SOMEBODY,
    "POST /api/name": PLAYERS,  # guests
    "POST /api/ticket": SOMEBODY,
    "POST /api/link": ANYONE,
    "POST /api/link/password": ANYONE,
    "GET /api/accounts": OWNERS,
    "POST /api/accounts": OWNERS,
    "POST /api/accounts/{name}/role": OWNERS,
    "POST /api/accounts/{name}/disable": OWNERS,
    "POST /api/accounts/{name}/enable": OWNERS,
    "POST /api/accounts/{name}/delete": OWNERS,
    "POST /api/accounts/{name}/reset": OWNERS,
    "POST /api/accounts/{name}/unlock": OWNERS,
    "POST /api/accounts/{name}/end-sessions": OWNERS,
    "GET /api/tables": ANYONE,
    "POST /api/tables": PLAYERS | FLOOR,
    "GET /api/tables/{id}": ANYONE,
    "DELETE /api/tables/{id}": PLAYERS | FLOOR,  # of players, whoever opened it
    "GET /api/tables/{id}/rounds": SOMEBODY,
    "GET /api/tables/{id}/rounds/{n}": SOMEBODY,
    "GET /api/presets": ANYONE,
    "POST /api/check": SOMEBODY,
    "POST /api/edge": SOMEBODY,
    "POST /api/advise": SOMEBODY,
    "GET /api/chart": ANYONE,
    "POST /api/par": SOMEBODY,
    "POST /api/compare": SOMEBODY,
    "POST /api/strategies": SOMEBODY,
    "POST /api/strategies/{name}": SOMEBODY,
    "GET /api/audit": AUDITORS,
    "GET /api/audit/{table}": AUDITORS,
    "POST /api/witness/{name}": ANYONE,
    "GET /api/witness/{name}": ANYONE,
    "GET /api/witness/{name}/heads": ANYONE,
    "GET /api/law": ANYONE,
    "GET /api/law/clauses": ANYONE,
    "GET /api/law/clauses/{id}": ANYONE,
    "GET /api/supervisor": FLOOR,
    "GET /api/supervisor/{table}": FLOOR,
    "GET /metrics": FLOOR,
}

# What a table is told, by the name of the command.
COMMANDS: dict[str, frozenset[Role]] = {
    **dict.fromkeys(("SitDown", "StandUp", "BuyChips"), PLAYERS),
    **dict.fromkeys(("PlaceWagers", "TakeBackWagers", "Choose", "AddEntropy"), PLAYERS),
    **dict.fromkeys(("OrderRecut", "RemoveDeck", "RemoveDevice", "InstallDevice"), FLOOR),
    **dict.fromkeys(("ChangeMethod", "FillInventory", "ReportJam"), FLOOR),
    **dict.fromkeys(("ReportExposedCard", "ReportFaceUpCard"), FLOOR),
    **dict.fromkeys(("ReportCardDrawnInError", "ReportWrongNumber"), FLOOR),
}

# The other messages of the socket, by their type.
MESSAGES: dict[str, frozenset[Role]] = {
    **dict.fromkeys(("hello", "watch", "unwatch", "command", "ping"), SOMEBODY),
    "ready": PLAYERS,
    **dict.fromkeys(("pause", "resume", "preview", "act"), FLOOR),
}

_MATRIX = ENDPOINTS | COMMANDS | MESSAGES
_TEMPLATES = [(*action.split(" "), action) for action in ENDPOINTS]


def may(role: Role | str, action: str) -> bool:
    """Whether this role may do it: an endpoint such as "POST /api/tables", a table command such
    as "SitDown", or a message such as "pause"."""
    return role in _MATRIX.get(action, ())


def endpoint(method: str, path: str) -> str | None:
    """The endpoint a request is for; "" if its address has others only, None if it has none."""
    asked = "GET" if method == "HEAD" else method
    fitting = {verb: action for verb, template, action in _TEMPLATES if _fits(template, path)}
    return fitting.get(asked, "") if fitting else None


def methods(path: str) -> list[str]:
    """What an address understands."""
    verbs = {verb for verb, template, _ in _TEMPLATES if _fits(template, path)}
    return sorted(verbs | {"HEAD"} if "GET" in verbs else verbs)


def _fits(template: str, path: str) -> bool:
    parts, given = template.split("/"), path.split("/")
    return len(parts) == len(given) and all(
        there == here or (here.startswith("{") and there != "")
        for here, there in zip(parts, given, strict=True)
    )
