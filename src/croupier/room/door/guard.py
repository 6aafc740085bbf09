"""The guard at the door: every request and socket passes here first, and what is not allowed stops.

It limits how often and how much anybody may ask, knows the session behind a cookie, sees that
requests come from our own pages, and asks ``roles`` whether this role may call this endpoint.
Endpoints find the session, or None, in ``request.state.session``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from ipaddress import IPv6Address, ip_address, ip_network
from secrets import compare_digest
from time import monotonic

import msgspec
from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.law.refused import Refused
from croupier.ledger.entry import stamp
from croupier.ledger.outside import utc
from croupier.room.api.answers import refusal
from croupier.room.door.buckets import Buckets, Rate
from croupier.room.door.roles import Role, endpoint, may, methods
from croupier.room.door.sessions import Session, Sessions

COOKIE = "croupier_session"
CSRF = "X-Croupier-CSRF"
SAFE = ("GET", "HEAD", "OPTIONS")
# Nobody has a token before these; the Origin alone guards them.
WITHOUT_TOKEN = ("POST /api/guest", "POST /api/login")
COSTLY = (
    *WITHOUT_TOKEN,
    "POST /api/password",
    "POST /api/name",
    "POST /api/link",
    "POST /api/link/password",
    "POST /api/accounts",
)
WHO_AM_I = "GET /api/me"  # every page asks; that nobody has come in yet alarms nobody
NOT_OURS = 1008  # what a socket from elsewhere is closed with

log = logging.getLogger("croupier.room.refused")


class Limits(Struct, frozen=True):
    address: Rate = Rate(50, 400)  # a page is some dozens of files
    session: Rate = Rate(20, 100)
    costly: Rate = Rate(0.2, 20)  # per address: logging in, coming as a guest
    body_bytes: int = 64 * 1024
    body_seconds: float = 10


class Turned(Exception):
    """Somebody is turned away at the door."""

    def __init__(self, status: int, code: str, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status, self.code, self.sentence = status, code, sentence
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Guard:
    """The application's first middleware."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        sessions: Sessions,
        origins: Collection[str],
        limits: Limits | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.app = app
        self.sessions = sessions
        self.origins = frozenset(each.rstrip("/").lower() for each in origins)
        self.limits = limits or Limits()
        self._addresses = Buckets(self.limits.address, clock)
        self._sessions = Buckets(self.limits.session, clock)
        self._costly = Buckets(self.limits.costly, clock)
        self._headers = security_headers(self.origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A socket must say where it comes from: cookies and pages of others open none here."""
        try:
            self._count(self._addresses, address(scope))
            self._ours(Headers(scope=scope).get("origin", ""))
        except Turned as turned:
            note(f"SOCKET {scope['path']}", turned.code, None, address(scope))
            await send({"type": "websocket.close", "code": NOT_OURS, "reason": turned.sentence})
            return
        await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def dressed(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._dress(scope, MutableHeaders(scope=message))
            await send(message)

        state = scope["state"] = dict(scope.get("state") or {})
        state["session"] = None
        try:
            await self._admit(scope)
            given = await self._body(receive)
        except Turned as turned:
            if turned.status in (401, 403, 429):
                action = f"{scope['method']} {scope['path']}"
                note(action, turned.code, state["session"], address(scope))
            told = refusal(turned.status, turned.code, turned.sentence, headers=turned.headers)
            await told(scope, receive, dressed)
            return
        try:
            await self.app(scope, given, dressed)
        except Exception:
            if not started:
                broken = refusal(500, "BROKEN", "Something went wrong here; it was written down.")
                await broken(scope, receive, dressed)
            raise

    # --- may it come in -------------------------------------------------------------------------

    async def _admit(self, scope: Scope) -> None:
        method, path, headers = scope["method"], scope["path"], Headers(scope=scope)
        self._count(self._addresses, address(scope))
        if "origin" in headers and method not in SAFE:
            self._ours(headers["origin"])
        if not path.startswith("/api/"):
            return
        action = endpoint(method, path)
        if action in COSTLY:
            self._count(self._costly, address(scope))
        session = await self._session(scope)
        scope["state"]["session"] = session
        if session:
            self._count(self._sessions, session.id)
        if action is None:
            raise Turned(404, "NOT_FOUND", "There is nothing at this address.")
        if not action:
            sentence = f"{method} is not understood at this address."
            raise Turned(405, "WRONG_METHOD", sentence, Allow=", ".join(methods(path)))
        if not may(session.role if session else Role.NOBODY, action):
            if session is None:
                raise Turned(401, "WHO_ARE_YOU", "Come in as a guest, or log in.")
            raise Turned(403, "FORBIDDEN", f"This is not for the {session.role} to do.")
        if session and method not in SAFE and action not in WITHOUT_TOKEN:
            given = headers.get(CSRF, "").encode()
            if not compare_digest(given, session.csrf.encode()):
                raise Turned(403, "WRONG_TOKEN", "The request lacks the token of its session.")

    def _ours(self, origin: str) -> None:
        if origin.lower() not in self.origins:
            raise Turned(403, "WRONG_ORIGIN", "Requests from other sites are not answered.")

    def _count(self, buckets: Buckets, who: str) -> None:
        if wait := buckets.take(who):
            sentence = "Too many requests: wait a little."
            raise Turned(429, "TOO_FAST", sentence, Retry_After=str(wait))

    async def _session(self, scope: Scope) -> Session | None:
        token = HTTPConnection(scope).cookies.get(COOKIE)
        if not token:
            return None
        try:
            return await run_in_threadpool(self.sessions.find, token)
        except Refused:  # nobody is let in because nobody could look
            raise Turned(503, "UNREAD", "Sessions cannot be read just now: try again.") from None

    # --- what it carries ------------------------------------------------------------------------

    async def _body(self, receive: Receive) -> Receive:
        """Take the whole body, if it is neither too long nor too slow, and hand it on."""
        body = bytearray()
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                while True:
                    message = await receive()
                    body += message.get("body", b"")
                    if len(body) > self.limits.body_bytes:
                        most = f"A request has at most {self.limits.body_bytes} bytes."
                        raise Turned(413, "TOO_LONG", most)
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            raise Turned(408, "TOO_SLOW", "The request took too long to arrive.") from None
        waiting: list[Message] = [{**message, "body": bytes(body)} if body else message]

        async def given() -> Message:
            return waiting.pop() if waiting else await receive()

        return given

    # --- what goes out --------------------------------------------------------------------------

    def _dress(self, scope: Scope, headers: MutableHeaders) -> None:
        for name, value in self._headers.items():
            headers[name] = value
        if scope["scheme"] == "https":
            headers["Strict-Transport-Security"] = "max-age=31536000"
        if scope["path"].startswith("/api/"):
            headers.setdefault("Cache-Control", "no-store")


def security_headers(origins: Collection[str]) -> dict[str, str]:
    # Not every browser counts sockets of the same host as 'self'.
    sockets = sorted(each.replace("http", "ws", 1) for each in origins)
    policy = {
        "default-src": "'self'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": " ".join(["'self'", *sockets]),
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{what} {who}" for what, who in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


def address(scope: Scope) -> str:
    """Where somebody comes from. One house has a whole IPv6 network, and counts as one."""
    client = scope.get("client")
    if not client:
        return ""
    try:
        found = ip_address(client[0])
    except ValueError:
        return str(client[0])
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)


def note(action: str, code: str, session: Session | None, address: str) -> None:
    """Write down who was refused what, and when: a line of JSON, whatever a name may hold."""
    line = {
        "time": stamp(utc()),
        "event": "refused",
        "action": action,
        "code": code,
        "name": session.name if session else "",
        "role": session.role if session else Role.NOBODY,
        "address": address,
    }
    level = logging.INFO if action == WHO_AM_I else logging.WARNING
    log.log(level, "%s", msgspec.json.encode(line).decode())
