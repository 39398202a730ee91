"""The content of an answer's headers: rate limit, quota, whether it is a replay, the verdict in shadow mode."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Mapping, Optional

VERDICTS = ("allow", "challenge", "block")


@dataclass(frozen=True)
class RateLimitState:
    #: Requests per second of the plan.
    limit: int
    #: Requests that may follow at once.
    remaining: int
    #: Time at which a refused caller may try again: seconds since 1970.
    reset_at_seconds: int


@dataclass(frozen=True)
class QuotaState:
    #: Assessments charged this month.
    used: int
    #: Monthly cap.
    limit: int


@dataclass(frozen=True)
class AnswerMeta:
    #: ``None`` where the answer does not say, as for feedback.
    rate_limit: Optional[RateLimitState]
    #: ``None`` where the answer does not say.
    quota: Optional[QuotaState]
    #: The service had answered this idempotency key before, and answers the same again: nothing was charged.
    replayed: bool
    #: The key is in shadow mode, and does not enforce for this person: what the verdict would be.
    shadow_verdict: Optional[str]
    #: Requests that were sent until this answer arrived: 1 without a retry.
    tries: int


def read_meta(headers: Mapping[str, str], tries: int) -> AnswerMeta:
    """``headers`` by names in lower case."""
    limit, remaining, reset = (_count(headers, f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset"))
    used, cap = (_count(headers, f"x-quota-{name}") for name in ("used", "limit"))
    shadow = headers.get("x-gatehouse-shadow")
    return AnswerMeta(
        rate_limit=None
        if limit is None or remaining is None or reset is None
        else RateLimitState(limit, remaining, reset),
        quota=None if used is None or cap is None else QuotaState(used, cap),
        replayed=headers.get("idempotent-replayed") == "true",
        shadow_verdict=shadow if shadow in VERDICTS else None,
        tries=tries,
    )


def read_retry_after_ms(headers: Mapping[str, str]) -> Optional[int]:
    """``Retry-After`` in milliseconds. Only the form in seconds, which the service sends, is read."""
    seconds = _count(headers, "retry-after")
    return None if seconds is None else seconds * 1000


def _count(headers: Mapping[str, str], name: str) -> Optional[int]:
    text = headers.get(name, "")
    return int(text) if re.fullmatch(r"[0-9]{1,15}", text) else None
