package gatehouse

import (
	"log"
	"net/http"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// TrustedProxies says which proxies are trusted to report where a request came from. nil: nobody, so the visitor's address
// is that of the connection.
type TrustedProxies interface {
	// find returns the address, and whether it is that of the connection.
	find(request *http.Request, peer netip.Addr) (netip.Addr, bool)
	check() error
}

// Proxy is a well-known proxy by its name: cloudflare, vercel, fly, aws-alb, aws-cloudfront, nginx.
type Proxy string

// ProxyCount is so many proxies of yours that append to X-Forwarded-For, or to Forwarded where they send no
// X-Forwarded-For.
type ProxyCount int

// ProxyList has addresses, CIDR blocks, "loopback" and "private": the proxies by their address.
type ProxyList []string

// OverwrittenHeader is the name of a header that your proxy overwrites.
type OverwrittenHeader string

// AppendedHeader is a header that your proxies append to, X-Forwarded-For or Forwarded, and no other.
type AppendedHeader struct {
	Header string
	// Proxies is a ProxyCount or a ProxyList.
	Proxies TrustedProxies
}

var (
	namedRanges = map[string][]string{
		"loopback": {"127.0.0.0/8", "::1"},
		"private": {
			"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
			"::1", "fc00::/7", "fe80::/10",
		},
	}
	headerOf = map[Proxy]string{
		"cloudflare":     "Cf-Connecting-Ip",
		"vercel":         "X-Vercel-Forwarded-For",
		"fly":            "Fly-Client-Ip",
		"aws-cloudfront": "Cloudfront-Viewer-Address",
		"nginx":          "X-Real-Ip",
	}
	appendedHeaders   = []string{"X-Forwarded-For", "Forwarded"}
	forwardingHeaders = []string{"X-Forwarded-For", "Forwarded", "X-Real-Ip", "Cf-Connecting-Ip"}
	headerName        = regexp.MustCompile("^[!#$%&'*+.^_`|~\\w-]+$")
	portAtEnd         = regexp.MustCompile(`:[0-9]{1,5}\s*(,|$)`)
	said              sync.Map
)

// ClientIP finds the IP of the visitor in canonical form; "" where no trusted party names it. Gatehouse then scores the
// email alone.
func ClientIP(request *http.Request, trusted TrustedProxies) (string, error) {
	if trusted != nil {
		if err := trusted.check(); err != nil {
			return "", err
		}
	}
	return findIP(request, trusted), nil
}

func findIP(request *http.Request, trusted TrustedProxies) string {
	if request == nil {
		return ""
	}
	peer, _ := parseIPAddress(request.RemoteAddr)
	if trusted == nil {
		return textOf(unwrapNAT64(peer))
	}
	found, isPeer := trusted.find(request, peer)
	address := unwrapNAT64(found)
	if !address.IsValid() {
		warnOnce("TrustedProxies is set, but no trusted proxy named the visitor's address: signups are assessed without it")
		return ""
	}
	// Nobody comes from class E: Cloudflare writes such an address for a visitor with IPv6.
	if classE.Contains(address) && !isPeer {
		if twin := agreedAddress(header(request, "Cf-Connecting-Ipv6")); twin.Is6() {
			return textOf(twin)
		}
		warnOnce(`Cloudflare sent a made-up IPv4 address without CF-Connecting-IPv6: turn "Pseudo IPv4" off at Cloudflare`)
	}
	return textOf(address)
}

func (p Proxy) check() error {
	if _, ok := headerOf[p]; !ok && p != "aws-alb" {
		return invalidOptions("TrustedProxies: " + strconv.Quote(string(p)) + " is not known.")
	}
	return nil
}

func (p Proxy) find(request *http.Request, peer netip.Addr) (netip.Addr, bool) {
	if p == "aws-alb" {
		return ProxyCount(1).find(request, peer)
	}
	value := header(request, headerOf[p])
	if p == "aws-cloudfront" {
		// It writes a port, also after an IPv6 address without brackets.
		value = portAtEnd.ReplaceAllString(value, "$1")
	}
	return agreedAddress(value), false
}

func (n ProxyCount) check() error {
	if n < 0 {
		return invalidOptions("TrustedProxies: a number of proxies is not negative.")
	}
	return nil
}

func (n ProxyCount) find(request *http.Request, peer netip.Addr) (netip.Addr, bool) {
	return n.past(peer, appended(request))
}

func (n ProxyCount) past(peer netip.Addr, forwarded []string) (netip.Addr, bool) {
	if n == 0 {
		return peer, true
	}
	if int(n) > len(forwarded) {
		return netip.Addr{}, false
	}
	address, _ := parseIPAddress(forwarded[len(forwarded)-int(n)])
	return address, false
}

func (l ProxyList) check() error {
	_, err := l.ranges()
	return err
}

func (l ProxyList) find(request *http.Request, peer netip.Addr) (netip.Addr, bool) {
	return l.past(peer, appended(request))
}

// past returns the first address from the right that is no proxy; the farthest one if all are.
func (l ProxyList) past(peer netip.Addr, forwarded []string) (netip.Addr, bool) {
	ranges, _ := l.ranges()
	nearest, isPeer := peer, true
	for at := len(forwarded) - 1; at >= 0 && nearest.IsValid() && isIn(nearest, ranges); at-- {
		nearest, _ = parseIPAddress(forwarded[at])
		isPeer = false
	}
	if isPeer && isIn(nearest, ranges) {
		warnOnce("TrustedProxies is set, but a request names no visitor before the proxies: the address of the connection is assessed")
	}
	return nearest, isPeer
}

func (l ProxyList) ranges() ([]netip.Prefix, error) {
	var ranges []netip.Prefix
	for _, name := range l {
		texts, isNamed := namedRanges[name]
		if !isNamed {
			texts = []string{name}
		}
		for _, text := range texts {
			found, ok := parseIPRange(text)
			if !ok {
				return nil, invalidOptions("TrustedProxies: " + strconv.Quote(text) + " is not an address, CIDR block or name.")
			}
			ranges = append(ranges, found)
		}
	}
	return ranges, nil
}

func (h OverwrittenHeader) check() error {
	if !headerName.MatchString(string(h)) {
		return invalidOptions("TrustedProxies: the name of a header.")
	}
	return nil
}

func (h OverwrittenHeader) find(request *http.Request, peer netip.Addr) (netip.Addr, bool) {
	// Several proxies append to this one: the nearest wrote the last element.
	if strings.EqualFold(string(h), "Forwarded") {
		return ProxyCount(1).past(peer, splitForwarded(header(request, "Forwarded")))
	}
	return agreedAddress(header(request, string(h))), false
}

func (h AppendedHeader) check() error {
	if !strings.EqualFold(h.Header, appendedHeaders[0]) && !strings.EqualFold(h.Header, appendedHeaders[1]) {
		return invalidOptions("TrustedProxies: proxies append to X-Forwarded-For or Forwarded.")
	}
	switch h.Proxies.(type) {
	case ProxyCount, ProxyList:
		return h.Proxies.check()
	}
	return invalidOptions("TrustedProxies: the proxies of an AppendedHeader are a ProxyCount or a ProxyList.")
}

func (h AppendedHeader) find(request *http.Request, peer netip.Addr) (netip.Addr, bool) {
	forwarded := split(h.Header, header(request, h.Header))
	if list, ok := h.Proxies.(ProxyList); ok {
		return list.past(peer, forwarded)
	}
	count, _ := h.Proxies.(ProxyCount)
	return count.past(peer, forwarded)
}

// agreedAddress is the address in a header that a proxy overwrites; none where it came several times and differs.
func agreedAddress(value string) netip.Addr {
	var first netip.Addr
	for _, part := range strings.Split(value, ",") {
		text := unquote(part)
		if text == "" {
			continue
		}
		address, ok := parseIPAddress(text)
		if !ok || (first.IsValid() && first != address) {
			return netip.Addr{}
		}
		first = address
	}
	return first
}

// appended reads X-Forwarded-For, which nearly all proxies write; Forwarded only where it is absent or empty.
func appended(request *http.Request) []string {
	for _, name := range appendedHeaders {
		if hops := split(name, header(request, name)); len(hops) > 0 {
			return hops
		}
	}
	return nil
}

func split(name, value string) []string {
	if strings.EqualFold(name, "Forwarded") {
		return splitForwarded(value)
	}
	return splitForwardedFor(value)
}

// header joins the lines of a header.
func header(request *http.Request, name string) string {
	return strings.Join(request.Header.Values(name), ", ")
}

func textOf(address netip.Addr) string {
	if !address.IsValid() {
		return ""
	}
	return address.String()
}

// warnOnce says something about the set-up in the log, once in a process.
func warnOnce(text string) {
	if _, wasSaid := said.LoadOrStore(text, true); !wasSaid {
		log.Print("gatehouse: " + text)
	}
}
