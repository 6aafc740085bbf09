"""Under which names and addresses others on the network reach a room."""

from __future__ import annotations

import socket

EVERYWHERE = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}
# Reserved for documentation: nothing is sent there, but the way would begin at our own address.
FAR_AWAY = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


def hosts(host: str) -> tuple[str, ...]:
    """What a browser may call the machine that listens at ``host``; the best for others first."""
    here = ("127.0.0.1", "localhost")
    if host not in EVERYWHERE:
        return tuple(dict.fromkeys((host, *here)))
    families = FAR_AWAY if host == "::" else (socket.AF_INET,)
    found = [each for family in families if (each := _own(family))]
    return tuple(dict.fromkeys((*found, socket.gethostname().lower(), *here)))


def _own(family: int) -> str:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((FAR_AWAY[socket.AddressFamily(family)], 9))
            return str(way.getsockname()[0])
    except OSError:  # no network of this kind
        return ""


def origin(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
