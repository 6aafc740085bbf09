"""Under which names and addresses others on the network reach a room."""

from __future__ import annotations

import re
import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from croupier.law.refused import Refused

EVERYWHERE = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}
# Reserved for documentation: nothing is sent there, but the way would begin at our own address.
FAR_AWAY = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
DEFAULT_PORTS = {"http": 80, "https": 443}
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_-]{1,63})*\.?")


def hosts(host: str) -> tuple[str, ...]:
    """What a browser may call the machine that listens at ``host``; the best for others first."""
    here = ("127.0.0.1", "localhost")
    if host not in EVERYWHERE:
        return tuple(dict.fromkeys((host.lower(), *here)))
    families = FAR_AWAY if host == "::" else (socket.AF_INET,)
    found = [each for family in families if (each := _own(family))]
    name = socket.gethostname().lower()
    names = [name] if "." in name else [name, f"{name}.local"]  # as others on the network see it
    return tuple(dict.fromkeys((*found, *names, *here)))


def _own(family: int) -> str:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((FAR_AWAY[socket.AddressFamily(family)], 9))
            return str(way.getsockname()[0])
    except OSError:  # no network of this kind
        return ""


def origin(host: str, port: int, scheme: str = "http") -> str:
    """As browsers write it: without the port where it is the scheme's own."""
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}" if port == DEFAULT_PORTS[scheme] else f"{scheme}://{name}:{port}"


def names_of(origin: str) -> tuple[str, ...]:
    """What the Host header of a request to this origin may say."""
    parts = urlsplit(origin)
    if parts.port is not None and parts.port != DEFAULT_PORTS.get(parts.scheme):
        return (parts.netloc,)
    bare = parts.netloc.removesuffix(f":{parts.port}")
    return bare, f"{bare}:{DEFAULT_PORTS.get(parts.scheme)}"


def read_origin(text: str) -> str:
    """An origin that was typed in, as browsers write it."""
    wrong = Refused(
        f"--origin {text!r} is no origin: give scheme, host and perhaps a port, "
        "such as https://tables.example or http://192.168.1.5:8700."
    )
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise wrong from None
    scheme, host = parts.scheme.lower(), parts.hostname or ""
    if scheme not in DEFAULT_PORTS or not is_host(host) or port == 0:
        raise wrong
    found = origin(host, port or DEFAULT_PORTS[scheme], scheme)
    if text.lower() not in (found, f"{found}:{port}"):  # a path, a user, or anything else
        raise wrong
    return found


def is_host(text: str) -> bool:
    """Whether this is an address, or could be a machine's name."""
    try:
        ip_address(text)
    except ValueError:
        return _NAME.fullmatch(text.lower()) is not None and not text.replace(".", "").isdigit()
    return True
