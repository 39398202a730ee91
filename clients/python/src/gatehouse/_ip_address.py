"""What an IP address and a range of them are: text → one canonical form, the same as in every other client."""
from __future__ import annotations

import ipaddress
import re
from typing import Optional, Union

Address = Union[ipaddress.IPv4Address, ipaddress.IPv6Address]
Network = Union[ipaddress.IPv4Network, ipaddress.IPv6Network]

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")
#: ``[2001:db8::1]:443`` and ``203.0.113.7:51234``, as some proxies write; RFC 7239 also allows ``203.0.113.7:_hidden``.
_WITH_PORT = re.compile(r"(?:\[([^\]]*)\]|([0-9]+\.[0-9]+\.[0-9]+\.[0-9]+))(?::(?:[0-9]{1,5}|_[A-Za-z0-9_.-]+))?")
_IPV6 = re.compile(r"([0-9A-Fa-f:.]+)(?:%[A-Za-z0-9_.-]+)?")
_MAPPED_BITS = 96
#: RFC 6052, and RFC 8215 with a /96 for each site.
_NAT64 = [ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48")]
_CLASS_E = ipaddress.IPv4Network("240.0.0.0/4")


def parse_ip_address(text: str) -> Optional[Address]:
    """Reads an address, with or without a port. IPv4 inside IPv6 (``::ffff:…``) is that IPv4 address."""
    trimmed = text.strip()
    port = _WITH_PORT.fullmatch(trimmed)
    address = trimmed if port is None else (port[1] if port[1] is not None else port[2])
    if _IPV4.fullmatch(address):
        return ipaddress.IPv4Address(address)
    found = _IPV6.fullmatch(address)
    if found is None or ":" not in address:
        return None
    try:
        parsed = ipaddress.IPv6Address(found[1])
    except ValueError:
        return None
    return parsed if parsed.ipv4_mapped is None else parsed.ipv4_mapped


def parse_ip_range(text: str) -> Optional[Network]:
    """Reads ``10.0.0.0/8``, ``2001:db8::/32``, ``::ffff:10.0.0.0/104`` or one address."""
    base, slash, length = text.strip().partition("/")
    address = parse_ip_address(base)
    if address is None:
        return None
    bits = address.max_prefixlen
    if slash:
        if not re.fullmatch(r"[0-9]{1,3}", length):
            return None
        is_mapped = bits == 32 and ":" in base
        bits = int(length) - (_MAPPED_BITS if is_mapped else 0)
        if not 0 <= bits <= address.max_prefixlen:
            return None
    return ipaddress.ip_network((address, bits), strict=False)


def unwrap_nat64(address: Address) -> Address:
    """An IPv4 address that NAT64 wrote into an IPv6 one is that IPv4 address."""
    if isinstance(address, ipaddress.IPv6Address) and any(address in network for network in _NAT64):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def is_pseudo_ipv4(address: Address) -> bool:
    """Class E is nobody's: Cloudflare writes such an address for a visitor with IPv6, as "Pseudo IPv4"."""
    return isinstance(address, ipaddress.IPv4Address) and address in _CLASS_E
