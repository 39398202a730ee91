"""Decides what an error may say: the texts it carries never contain the key or what was sent about a person."""
from __future__ import annotations

import re
from typing import Any, Callable, Sequence


def create_redact(secrets: Sequence[Any]) -> Callable[[str], str]:
    """Makes a function that removes secrets from a text, whatever their case. Absent and empty ones are ignored."""
    texts = sorted({each.strip() for each in secrets if isinstance(each, str) and each.strip()}, key=len, reverse=True)
    if not texts:
        return lambda text: text
    pattern = re.compile("|".join(map(re.escape, texts)), re.IGNORECASE)
    return lambda text: pattern.sub("[redacted]", text)
