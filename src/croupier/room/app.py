"""The room as a web application: pages, the API, the socket, and the guard before all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from croupier.room import health, metrics, socket
from croupier.room.api import (
    accounts,
    analysis,
    audit,
    floor,
    law,
    people,
    rounds,
    tables,
    witness,
)
from croupier.room.api.answers import answer
from croupier.room.api.endpoints import Served, routes
from croupier.room.api.openapi import document
from croupier.room.door.guard import Guard
from croupier.room.floor import Room
from croupier.room.limits import Limits

STATIC = Path(__file__).parent / "static"
PAGES = {
    "/": "lobby.html",
    "/table/{id}": "table.html",
    "/accounts": "accounts.html",
    "/password": "password.html",
    "/supervisor": "supervisor.html",
    "/audit": "audit.html",
    "/audit/{table}/{round:int}": "audit.html",
    "/mathematics": "mathematics.html",
    "/law": "law.html",
}


def create_app(room: Room, *, limits: Limits | None = None) -> Starlette:
    """The room is started and stopped with the application."""
    limits = limits or Limits()
    room.connections.set_limits(limits)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        room.start()
        yield
        await room.stop()

    api = served(room)
    return Starlette(
        routes=[
            *(Route(path, page(file)) for path, file in PAGES.items()),
            *routes(api),
            Route("/openapi.json", described(api)),
            *health.routes(room),
            WebSocketRoute("/ws", socket.endpoint(room)),
            Mount("/static", Assets(directory=STATIC)),
        ],
        middleware=[
            Middleware(
                Guard,
                sessions=room.sessions,
                origins=room.settings.allowed(),
                limits=limits,
                hsts=not room.settings.tls_local,  # or every other server on this machine needs TLS
            )
        ],
        lifespan=lifespan,
    )


def served(room: Room) -> list[Served]:
    """The whole API."""
    return [
        Served("GET", "/metrics", figures, "Figures for Prometheus", media=("text/plain",)),
        *people.served(room),
        *accounts.served(room),
        *tables.served(room),
        *rounds.served(room),
        *audit.served(room),
        *floor.served(room),
        *analysis.served(room),
        *law.served(room),
        *witness.served(room.settings),
    ]


class Assets(StaticFiles):
    """Kept by browsers, and asked for again by their ETag: a new release is seen at once."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def page(file: str) -> Callable[[Request], Response]:
    def show(request: Request) -> Response:
        return FileResponse(STATIC / file, headers={"Cache-Control": "no-cache"})

    return show


def described(api: list[Served]) -> Callable[[Request], Response]:
    told = document(api)

    def tell(request: Request) -> Response:
        return answer(told)

    return tell


async def figures(request: Request) -> Response:
    return Response(metrics.page(), media_type="text/plain; version=0.0.4")
