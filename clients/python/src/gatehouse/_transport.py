"""Sends one request within its time, and reads its answer: every step together, the look-up of the name too."""
from __future__ import annotations

import http.client
import socket
import ssl
import threading
from dataclasses import dataclass
from typing import Dict, Mapping, Optional
from urllib.parse import urlsplit

#: Max. bytes of an answer; Gatehouse's own are far smaller.
MAX_ANSWER_BYTES = 1_048_576


class DeadlineError(Exception):
    """The time of the call is over."""


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: Optional[bytes] = None


@dataclass(frozen=True)
class Response:
    status: int
    #: By names in lower case.
    headers: Mapping[str, str]
    body: bytes


def send(request: Request, timeout_s: float) -> Response:
    """Raises ``DeadlineError``, or the ``OSError`` or ``HTTPException`` of a connection that failed.

    A thread of its own does it: sockets limit the time of one step, not of all, and the look-up of a name not at all.
    """
    exchange = _Exchange(request, timeout_s)
    thread = threading.Thread(target=exchange.run, name="gatehouse", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if exchange.response is not None:
        return exchange.response
    if exchange.failure is not None:
        # The system's own time-outs have a number; the one of this call has none.
        if isinstance(exchange.failure, socket.timeout) and exchange.failure.errno is None:
            raise DeadlineError
        raise exchange.failure
    exchange.close()
    raise DeadlineError


class _Exchange:
    def __init__(self, request: Request, timeout_s: float) -> None:
        self._request = request
        url = urlsplit(request.url)
        self._path = url.path
        if url.scheme == "https":
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                url.netloc, timeout=timeout_s, context=ssl.create_default_context()
            )
        else:
            self._connection = http.client.HTTPConnection(url.netloc, timeout=timeout_s)
        self.response: Optional[Response] = None
        self.failure: Optional[BaseException] = None

    def run(self) -> None:
        try:
            self.response = self._exchange()
        except BaseException as failure:  # noqa: BLE001: the caller's thread raises it
            self.failure = failure
        finally:
            self._connection.close()

    def close(self) -> None:
        """Ends the thread: its next step fails."""
        sock = self._connection.sock
        try:
            if sock is not None:
                sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _exchange(self) -> Response:
        request = self._request
        self._connection.request(request.method, self._path, body=request.body, headers=dict(request.headers))
        answer = self._connection.getresponse()
        body = b""
        while chunk := answer.read(65_536):
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                raise http.client.HTTPException("the answer is too large")
        if answer.length:
            raise http.client.IncompleteRead(body, answer.length)
        headers: Dict[str, str] = {}
        for name, value in answer.getheaders():
            headers[name.lower()] = f"{headers[name.lower()]}, {value}" if name.lower() in headers else value
        return Response(answer.status, headers, body)
