"""The guard: the first middleware of every request and WebSocket.

It checks the Host and the Origin, limits rate and size, finds the session behind a cookie, and asks
``roles`` whether this role may call this endpoint. Endpoints find the session, or None, in
``request.state.session``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from ipaddress import IPv6Address, ip_address, ip_network
from secrets import compare_digest
from time import monotonic

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.law.refused import Refused
from croupier.ledger.entry import stamp
from croupier.ledger.outside import utc
from croupier.room.api.answers import refusal
from croupier.room.door.buckets import Buckets
from croupier.room.door.roles import Role, endpoint, may, methods
from croupier.room.door.sessions import Session, Sessions
from croupier.room.limits import Limits
from croupier.room.reach import names_of

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
GUARDED = ("/metrics",)  # beside everything below /api/
LONGEST_ACTION = 200  # characters of a method and path in the log
CLOSE = {"Connection": "close"}

log = logging.getLogger("croupier.room.refused")


class Turned(Exception):
    """A request is refused before any endpoint sees it."""

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
        hsts: bool = True,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """``hsts``: whether browsers that came over https must never come without it again."""
        self.app = app
        self.sessions = sessions
        self.origins = frozenset(each.rstrip("/").lower() for each in origins)
        self.hosts = frozenset(name for each in self.origins for name in names_of(each))
        self.hsts = hsts
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
        """Browsers send the Origin with every WebSocket: pages of others open none here."""
        headers = Headers(scope=scope)
        try:
            await self._count(self._addresses, address(scope))
            self._our_host(headers)
            self._ours(headers.get("origin", ""))
        except Turned as turned:
            note(f"SOCKET {scope['path']}", turned.code, None, address(scope))
            told = refusal(turned.status, turned.code, turned.sentence, headers=turned.headers)
            await told(scope, receive, send)
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
            if turned.status in (401, 403, 421, 429):
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
        await self._count(self._addresses, address(scope))
        self._framed(headers)
        self._our_host(headers)
        if "origin" in headers and method not in SAFE:
            self._ours(headers["origin"])
        if not path.startswith("/api/") and path not in GUARDED:
            return
        action = endpoint(method, path)
        if action in COSTLY:
            await self._count(self._costly, address(scope))
        session = await self._session(scope)
        scope["state"]["session"] = session
        if session:
            await self._count(self._sessions, session.id)
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

    def _our_host(self, headers: Headers) -> None:
        """A page of another site that points its own name at this machine gets nothing."""
        if headers.get("host", "").lower() not in self.hosts:
            sentence = "The room is not known by this name; --origin adds one."
            raise Turned(421, "WRONG_HOST", sentence, **CLOSE)

    def _framed(self, headers: Headers) -> None:
        """A proxy could see another end of a request that states its length twice."""
        if "content-length" in headers and "transfer-encoding" in headers:
            sentence = "A request has a Content-Length or a Transfer-Encoding, not both."
            raise Turned(400, "TWO_LENGTHS", sentence, **CLOSE)

    async def _count(self, buckets: Buckets, who: str) -> None:
        """The answer to a request above the rate is delayed: it costs the sender a connection."""
        if wait := buckets.take(who):
            await asyncio.sleep(self.limits.too_fast_seconds)
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
        if scope["scheme"] == "https" and self.hsts:
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
    """Where a request comes from, as it is counted."""
    client = scope.get("client")
    return counted(str(client[0])) if client else ""


def counted(host: str) -> str:
    """An IPv6 address counts with its whole /64, which is one household."""
    try:
        found = ip_address(host)
    except ValueError:
        return host
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)


def note(action: str, code: str, session: Session | None, address: str) -> None:
    """Log who was refused what, and when: a line of JSON, whatever a name may hold."""
    action = action[:LONGEST_ACTION]
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
    kind = {"kind": f"refused {code}", "address": address}  # for the limits of the log
    log.log(level, "%s", msgspec.json.encode(line).decode(), extra=kind)
