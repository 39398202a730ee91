"""Finds the address that a request came from, only in text that trusted proxies wrote, never in text that the client could have written."""
from __future__ import annotations

import re
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Union

from ._errors import OptionsError
from ._forwarded import split_forwarded, split_forwarded_for, unquote
from ._ip_address import Address, Network, is_pseudo_ipv4, parse_ip_address, parse_ip_range, unwrap_nat64
from ._request import RequestView
from ._warn import warn_once

#: Proxies that are trusted to say where a request came from: a name, a number, a list of addresses and CIDR blocks,
#: ``{"header": …}`` for a header that your proxy overwrites, ``{"header": …, "proxies": …}`` for one that it appends to.
TrustedProxies = Union[str, int, Sequence[str], Mapping[str, Any]]

_NAMED_RANGES = {
    "loopback": ["127.0.0.0/8", "::1"],
    "private": [
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "100.64.0.0/10",
        "::1",
        "fc00::/7",
        "fe80::/10",
    ],
}
#: Name of a proxy → the header that it overwrites.
_HEADER_OF = {
    "cloudflare": "cf-connecting-ip",
    "vercel": "x-vercel-forwarded-for",
    "fly": "fly-client-ip",
    "aws-cloudfront": "cloudfront-viewer-address",
    "nginx": "x-real-ip",
}
_APPENDED_HEADERS = ("x-forwarded-for", "forwarded")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_PORT_AT_END = re.compile(r":[0-9]{1,5}(?=\s*(?:,|$))")
#: Headers that a hint names where they came; of others not even the name is told.
_KNOWN_HEADERS = (*_APPENDED_HEADERS, *_HEADER_OF.values(), "cf-connecting-ipv6", "true-client-ip", "x-client-ip")


class _Found(NamedTuple):
    address: Optional[Address]
    hint: Optional[str] = None


def client_ip(
    request: Any, *, trusted_proxies: Optional[TrustedProxies] = None, peer: Optional[str] = None
) -> Optional[str]:
    """Finds the IP of the visitor, in canonical form; ``None`` where no trusted party names it.

    ``request``: of Django, Flask, FastAPI, a WSGI environ, an ASGI scope, or headers. ``peer``: the connection's
    address, where the request does not know it.

    Raises ``OptionsError`` when ``trusted_proxies`` has an entry that is neither an address nor a block nor a name.
    """
    view = RequestView(request)
    found = _find(view, trusted_proxies, peer)
    if found.hint is not None:
        seen = ", ".join(name for name in _KNOWN_HEADERS if view.header(name) is not None)
        warn_once(f"{_HINTS[found.hint]} (headers that came: {seen or 'none of the usual ones'})")
    return None if found.address is None else str(found.address)


def check_trusted_proxies(trusted_proxies: Optional[TrustedProxies]) -> None:
    _find(RequestView(None), trusted_proxies, None)


_HINTS = {
    "no_address": "trusted_proxies is set, but no trusted proxy named the visitor's address: signups are assessed without it",
    "proxy_address": "trusted_proxies is set, but a request names no visitor before the proxies: the address of the connection is assessed",
    "pseudo_ipv4": 'Cloudflare sent a made-up IPv4 address without CF-Connecting-IPv6: turn "Pseudo IPv4" off at Cloudflare',
}


def _find(view: RequestView, trusted: Optional[TrustedProxies], peer_text: Optional[str]) -> _Found:
    text = peer_text if peer_text is not None else view.peer
    peer = parse_ip_address(text) if isinstance(text, str) else None
    if trusted is None:
        return _Found(None if peer is None else unwrap_nat64(peer))
    found = _find_trusted(view, peer, trusted)
    if found is None:
        return _Found(None, "no_address")
    address = unwrap_nat64(found)
    if is_pseudo_ipv4(address) and found is not peer:
        twin = _agreed_address(view.header("cf-connecting-ipv6"))
        return _Found(twin) if twin is not None and twin.version == 6 else _Found(address, "pseudo_ipv4")
    return _Found(address, "proxy_address" if found is peer and _is_proxy(trusted, address) else None)


def _find_trusted(view: RequestView, peer: Optional[Address], trusted: TrustedProxies) -> Optional[Address]:
    if isinstance(trusted, Mapping):
        name = _read_name(trusted.get("header"))
        proxies = trusted.get("proxies")
        if proxies is not None:
            if name not in _APPENDED_HEADERS:
                raise _unknown("proxies append to X-Forwarded-For or Forwarded.")
            return _past(proxies, peer, _split(name, view.header(name)))
        # Several proxies append to this one: the nearest wrote the last element.
        if name == "forwarded":
            return _past(1, peer, _split(name, view.header(name)))
        return _agreed_address(view.header(name))
    if not isinstance(trusted, str):
        return _past(trusted, peer, _appended(view))
    if trusted == "aws-alb":
        return _past(1, peer, _appended(view))
    if trusted not in _HEADER_OF:
        raise _unknown(f"{trusted!r} is not known.")
    value = view.header(_HEADER_OF[trusted])
    # CloudFront writes a port, also after an IPv6 address without brackets.
    return _agreed_address(_PORT_AT_END.sub("", value) if value and trusted == "aws-cloudfront" else value)


def _past(trusted: Any, peer: Optional[Address], forwarded: List[str]) -> Optional[Address]:
    """The address before the trusted proxies. ``forwarded``: what they appended, the nearest one last."""
    if isinstance(trusted, int) and not isinstance(trusted, bool) and trusted >= 0:
        if trusted == 0:
            return peer
        return parse_ip_address(forwarded[-trusted]) if trusted <= len(forwarded) else None
    if not isinstance(trusted, Sequence) or isinstance(trusted, str):
        raise _unknown(f"{trusted!r} is not known.")
    ranges = _read_ranges(trusted)
    nearest = peer
    for text in reversed(forwarded):
        if nearest is None or not _is_in(nearest, ranges):
            break
        nearest = parse_ip_address(text)
    return nearest


def _is_proxy(trusted: TrustedProxies, address: Address) -> bool:
    proxies = trusted.get("proxies") if isinstance(trusted, Mapping) else trusted
    is_list = isinstance(proxies, Sequence) and not isinstance(proxies, str)
    return is_list and _is_in(address, _read_ranges(proxies))


def _is_in(address: Address, ranges: List[Network]) -> bool:
    return any(address.version == each.version and address in each for each in ranges)


def _agreed_address(value: Optional[str]) -> Optional[Address]:
    """The address in a header that a proxy overwrites; ``None`` where it came several times and differs."""
    texts = [unquote(part) for part in (value or "").split(",")]
    addresses = [parse_ip_address(text) for text in texts if text]
    return addresses[0] if addresses and all(each == addresses[0] for each in addresses) else None


def _appended(view: RequestView) -> List[str]:
    """``X-Forwarded-For``, which nearly all proxies write; ``Forwarded`` only where it is absent or empty."""
    for name in _APPENDED_HEADERS:
        hops = _split(name, view.header(name))
        if hops:
            return hops
    return []


def _split(name: str, value: Optional[str]) -> List[str]:
    if value is None:
        return []
    return split_forwarded(value) if name == "forwarded" else split_forwarded_for(value)


def _read_name(header: Any) -> str:
    if isinstance(header, str) and _HEADER_NAME.fullmatch(header):
        return header.lower()
    raise _unknown("the name of a header.")


def _read_ranges(names: Sequence[str]) -> List[Network]:
    ranges = []
    for name in names:
        for text in _NAMED_RANGES.get(name, [name]):
            found = parse_ip_range(text) if isinstance(text, str) else None
            if found is None:
                raise _unknown(f"{text!r} is not an address, CIDR block or name.")
            ranges.append(found)
    return ranges


def _unknown(what: str) -> OptionsError:
    return OptionsError("invalid_options", f"trusted_proxies: {what}")
