"""Reads headers and the connection's peer from any kind of request: WSGI, ASGI, Django, Flask, FastAPI, ``http.server``, plain headers."""
from __future__ import annotations

from typing import Any, Iterable, List, Mapping, Optional, Tuple

Pairs = List[Tuple[str, str]]


class RequestView:
    """The headers of a request, and the address that its connection came from."""

    def __init__(self, request: Any) -> None:
        self._pairs, self.peer = _read(request)

    def header(self, name: str) -> Optional[str]:
        """Value of a header; several of one name are joined by commas. ``name`` is in lower case."""
        values = [value for key, value in self._pairs if key == name]
        return ", ".join(values) if values else None


def _read(request: Any) -> Tuple[Pairs, Optional[str]]:
    if request is None:
        return [], None
    for name in ("META", "environ"):  # Django; Flask and Werkzeug
        environ = getattr(request, name, None)
        if isinstance(environ, Mapping):
            return _from_environ(environ)
    scope = getattr(request, "scope", request)  # Starlette and FastAPI
    if isinstance(scope, Mapping):
        if isinstance(scope.get("type"), str) and isinstance(scope.get("headers"), Iterable):
            return _from_scope(scope)
        if "REMOTE_ADDR" in scope or "wsgi.version" in scope:
            return _from_environ(scope)
    client = getattr(request, "client_address", None)  # http.server
    peer = str(client[0]) if isinstance(client, tuple) and client else None
    return _pairs_of(getattr(request, "headers", request)), peer


def _from_environ(environ: Mapping[str, Any]) -> Tuple[Pairs, Optional[str]]:
    pairs = [
        (key[5:].replace("_", "-").lower(), value)
        for key, value in environ.items()
        if isinstance(key, str) and key.startswith("HTTP_") and isinstance(value, str)
    ]
    peer = environ.get("REMOTE_ADDR")
    return pairs, peer if isinstance(peer, str) else None


def _from_scope(scope: Mapping[str, Any]) -> Tuple[Pairs, Optional[str]]:
    client = scope.get("client")
    peer = str(client[0]) if isinstance(client, (tuple, list)) and client else None
    return _pairs_of(scope["headers"]), peer


def _pairs_of(headers: Any) -> Pairs:
    """``headers``: a mapping, or pairs of names and values; a value may be a list."""
    items = headers.items() if hasattr(headers, "items") else headers
    pairs: Pairs = []
    for item in items if isinstance(items, Iterable) else ():
        name, value = item
        values = value if isinstance(value, (list, tuple)) else [value]
        pairs.extend((_text(name).lower(), _text(each)) for each in values if isinstance(each, (str, bytes)))
    return pairs


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
