package gatehouse

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

var (
	// withPort is `[2001:db8::1]:443` or `203.0.113.7:51234`; RFC 7239 also allows `203.0.113.7:_hidden`.
	withPort    = regexp.MustCompile(`^(?:\[([^\]]*)\]|([0-9]+\.[0-9]+\.[0-9]+\.[0-9]+))(?::(?:[0-9]{1,5}|_[\w.-]+))?$`)
	withoutZone = regexp.MustCompile(`^([0-9A-Fa-f:.]+)(?:%[\w.-]+)?$`)
	// nat64 is RFC 6052, and RFC 8215 with a /96 for each site.
	nat64  = []netip.Prefix{netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48")}
	classE = netip.MustParsePrefix("240.0.0.0/4")
)

// mappedBits are the bits before the IPv4 address in an IPv4-mapped one.
const mappedBits = 96

// parseIPAddress reads an address, with or without a port. IPv4 inside IPv6 (`::ffff:…`) is that IPv4 address.
func parseIPAddress(text string) (netip.Addr, bool) {
	address := strings.TrimSpace(text)
	if found := withPort.FindStringSubmatch(address); found != nil {
		address = found[1] + found[2]
	}
	found := withoutZone.FindStringSubmatch(address)
	if found == nil || (found[1] != address && !strings.Contains(address, ":")) {
		return netip.Addr{}, false
	}
	parsed, err := netip.ParseAddr(found[1])
	return parsed.Unmap(), err == nil
}

// parseIPRange reads `10.0.0.0/8`, `2001:db8::/32`, `::ffff:10.0.0.0/104` or one address.
func parseIPRange(text string) (netip.Prefix, bool) {
	base, length, hasLength := strings.Cut(strings.TrimSpace(text), "/")
	address, ok := parseIPAddress(base)
	if !ok {
		return netip.Prefix{}, false
	}
	bits := address.BitLen()
	if hasLength {
		if len(length) > 3 || !digits.MatchString(length) {
			return netip.Prefix{}, false
		}
		bits, _ = strconv.Atoi(length)
		if address.Is4() && strings.Contains(base, ":") {
			bits -= mappedBits
		}
	}
	prefix, err := address.Prefix(bits)
	return prefix, err == nil
}

// unwrapNAT64: an IPv4 address that NAT64 wrote into an IPv6 one is that IPv4 address.
func unwrapNAT64(address netip.Addr) netip.Addr {
	if !isIn(address, nat64) {
		return address
	}
	bytes := address.As16()
	return netip.AddrFrom4([4]byte{bytes[12], bytes[13], bytes[14], bytes[15]})
}

func isIn(address netip.Addr, ranges []netip.Prefix) bool {
	for _, each := range ranges {
		if each.Contains(address) {
			return true
		}
	}
	return false
}
