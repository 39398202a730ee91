"""Splits the headers that proxies append addresses to into one text for each proxy, the nearest one last; empty elements are none."""
from __future__ import annotations

import re
from typing import List

_PAIR = re.compile(r"\s*([^\s=]+)\s*=(.*)", re.DOTALL)


def split_forwarded_for(value: str) -> List[str]:
    """The entries of ``X-Forwarded-For``; a quoted one without its quotes."""
    return [unquote(part) for part in value.split(",") if part.strip()]


def split_forwarded(value: str) -> List[str]:
    """The ``for`` of each element of ``Forwarded`` (RFC 7239); empty where an element has none, or has two."""
    return [_node_of(element) for element in _split_unquoted(value, ",") if element.strip()]


def unquote(text: str) -> str:
    """``"[2001:db8::7]:443"`` with its quotes → without them."""
    trimmed = text.strip()
    if len(trimmed) < 2 or trimmed[0] != '"' or trimmed[-1] != '"':
        return trimmed
    return re.sub(r"\\(.)", r"\1", trimmed[1:-1], flags=re.DOTALL).strip()


def _node_of(element: str) -> str:
    pairs = [_PAIR.fullmatch(pair) for pair in _split_unquoted(element, ";")]
    nodes = [unquote(pair[2]) for pair in pairs if pair is not None and pair[1].lower() == "for"]
    return nodes[0] if len(nodes) == 1 else ""


def _split_unquoted(text: str, separator: str) -> List[str]:
    """Splits where the separator is in no quoted text.

    It reads from the right: a quote that the sender of the request opened and did not close must not swallow what a
    trusted proxy appended.
    """
    parts: List[str] = []
    end = len(text)
    is_quoted = False
    for at in range(len(text) - 1, -1, -1):
        if text[at] == '"' and not (is_quoted and _is_escaped(text, at)):
            is_quoted = not is_quoted
        elif text[at] == separator and not is_quoted:
            parts.insert(0, text[at + 1 : end])
            end = at
    return [text[:end], *parts]


def _is_escaped(text: str, at: int) -> bool:
    before = text[:at]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
