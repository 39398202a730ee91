"""Decides whether a call may be sent: after failures in a row none is for a while, then one at a time until one succeeds."""
from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Callable, Optional, Union

#: The wait that is named while another call is the trial.
TRIAL_WAIT_MS = 1000.0

#: ``True``: the service is available; ``None``: the call ended without a result.
Outcome = Optional[bool]
Record = Callable[[Outcome], None]


@dataclass(frozen=True)
class BreakerOptions:
    #: Calls that fail in a row until it opens.
    failures: int = 5
    #: Time that it stays open until one call may try again.
    open_ms: float = 10_000


class CircuitBreaker:
    """Shared by all threads of a process."""

    def __init__(self, options: Optional[BreakerOptions], now_ms: Callable[[], float]) -> None:
        """``options``: ``None`` is a breaker that never opens."""
        self._options = options
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._failures = 0
        self._open_until_ms = 0.0
        self._is_trial_running = False

    def admit(self) -> Union[Record, float]:
        """Either the call may be sent, and must record its outcome once, or it must wait so many milliseconds."""
        if self._options is None:
            return lambda outcome: None
        with self._lock:
            if self._failures < self._options.failures:
                return self._record
            if self._is_trial_running:
                return TRIAL_WAIT_MS
            wait_ms = self._open_until_ms - self._now_ms()
            if wait_ms > 0:
                return wait_ms
            self._is_trial_running = True
            return self._record_trial

    def _record_trial(self, outcome: Outcome) -> None:
        with self._lock:
            self._is_trial_running = False
        self._record(outcome)

    def _record(self, outcome: Outcome) -> None:
        if outcome is None or self._options is None:
            return
        with self._lock:
            self._failures = 0 if outcome else self._failures + 1
            if self._failures >= self._options.failures:
                self._open_until_ms = self._now_ms() + self._options.open_ms
