"""Makes one call of the API within its time: sends, retries where that is safe, and asks the circuit breaker first."""
from __future__ import annotations

import json
import random
import time
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead
from typing import Any, Callable, Dict, Optional, Tuple

from ._breaker import CircuitBreaker, Outcome
from ._errors import (
    BY_CODE,
    ApiError,
    CircuitOpenError,
    ConnectionError,
    GatehouseError,
    ServerError,
    TimeoutError,
    UnexpectedResponseError,
)
from ._meta import AnswerMeta, read_meta, read_retry_after_ms
from ._transport import DeadlineError, Request, Response, send

_BASE_WAIT_MS = 100
_MAX_WAIT_MS = 1000
_REPEATABLE_STATUSES = (500, 502, 503, 504)

Answer = Tuple[Dict[str, Any], AnswerMeta]


@dataclass(frozen=True)
class Call:
    request: Request
    #: Max. time of all tries together, waits included.
    timeout_ms: float
    #: Tries after the first.
    max_retries: int
    #: Whether the same request may be sent again when nobody knows if it arrived.
    is_repeatable: bool
    #: Whether a body with status 200 is the expected message.
    is_answer: Callable[[Dict[str, Any]], bool]
    redact: Callable[[str], str]


def make_call(call: Call, breaker: CircuitBreaker) -> Answer:
    """Raises ``GatehouseError`` for every failure."""
    record = breaker.admit()
    if not callable(record):
        message = "The last calls failed, so nothing is sent until the next trial."
        raise CircuitOpenError("circuit_open", message, retry_after_ms=record, tries=0)
    outcome: Outcome = None
    try:
        answer = _send_until_answered(call)
        outcome = True
        return answer
    except GatehouseError as error:
        outcome = error.status is not None and error.status < 500 and error.code != "unexpected_response"
        raise
    finally:
        record(outcome)


def _send_until_answered(call: Call) -> Answer:
    ends_at = time.monotonic() + call.timeout_ms / 1000
    tries = 1
    while True:
        try:
            return _exchange(call, tries, ends_at - time.monotonic())
        except GatehouseError as error:
            if tries > call.max_retries or not _may_repeat(error, call.is_repeatable):
                raise
            # Full jitter: callers that failed together do not come back together.
            back_off_ms = random.random() * min(_MAX_WAIT_MS, _BASE_WAIT_MS * 2 ** (tries - 1))
            wait_s = (back_off_ms + (error.retry_after_ms or 0)) / 1000
            if wait_s >= ends_at - time.monotonic():
                raise
            time.sleep(wait_s)
            tries += 1


def _may_repeat(error: GatehouseError, is_repeatable: bool) -> bool:
    # Refused before anything was done: always safe.
    if error.code == "rate_limit":
        return True
    return is_repeatable and (error.code == "connection_failed" or error.status in _REPEATABLE_STATUSES)


def _exchange(call: Call, tries: int, remaining_s: float) -> Answer:
    try:
        if remaining_s <= 0:
            raise DeadlineError
        response = send(call.request, remaining_s)
    except DeadlineError:
        raise TimeoutError("timeout", f"No answer within {call.timeout_ms:g} ms.", tries=tries) from None
    except (OSError, HTTPException) as error:
        text = "the answer ended too early" if isinstance(error, IncompleteRead) else str(error) or type(error).__name__
        raise ConnectionError("connection_failed", call.redact(text), tries=tries) from None
    body = _parse_object(response.body)
    if response.status == 200 and body is not None and call.is_answer(body):
        return body, read_meta(response.headers, tries)
    raise _to_error(response, body, tries, call.redact)


def _to_error(
    response: Response, body: Optional[Dict[str, Any]], tries: int, redact: Callable[[str], str]
) -> GatehouseError:
    meta = read_meta(response.headers, tries)
    details: Dict[str, Any] = {
        "status": response.status,
        "tries": tries,
        "retry_after_ms": read_retry_after_ms(response.headers),
        "rate_limit": meta.rate_limit,
        "quota": meta.quota,
    }
    problem = body.get("error") if body is not None else None
    code = problem.get("code") if isinstance(problem, dict) else None
    is_server = response.status >= 500
    if response.status < 400 or not isinstance(problem, dict) or not isinstance(code, str):
        message = (
            f"Status {response.status}, but the answer did not come from Gatehouse: "
            "check the url and the proxies in front of the service."
        )
        return (ServerError if is_server else UnexpectedResponseError)("unexpected_response", message, **details)
    texts = {name: redact(problem[name]) for name in ("param", "resolution") if isinstance(problem.get(name), str)}
    message = problem["message"] if isinstance(problem.get("message"), str) else code
    kind = BY_CODE.get(code, ServerError if is_server else ApiError)
    return kind(code, redact(message), **details, **texts)


def _parse_object(body: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
