"""Closing the sockets of whoever is no longer logged in."""

from __future__ import annotations


async def close_sockets(connections: object, *, name: str = "", session: str = "") -> None:
    """Of a person, or of one session. Sockets at other processes notice by themselves: each looks
    from time to time whether its session still lives."""
    if name and (close := getattr(connections, "close_name", None)):
        close(name)
    if session and (close := getattr(connections, "close_session", None)):
        close(session)
