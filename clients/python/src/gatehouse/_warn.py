"""Says something about the set-up in the log, once in a process."""
from __future__ import annotations

import logging

logger = logging.getLogger("gatehouse")
_said = set()


def warn_once(text: str) -> None:
    if text not in _said:
        _said.add(text)
        logger.warning("%s", text)
