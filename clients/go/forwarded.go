package gatehouse

import (
	"regexp"
	"strings"
)

var (
	pair    = regexp.MustCompile(`(?s)^\s*([^\s=]+)\s*=(.*)$`)
	escaped = regexp.MustCompile(`(?s)\\(.)`)
)

// splitForwardedFor returns the entries of X-Forwarded-For, the nearest proxy's last; empty ones are none.
func splitForwardedFor(value string) []string {
	var entries []string
	for _, part := range strings.Split(value, ",") {
		if strings.TrimSpace(part) != "" {
			entries = append(entries, unquote(part))
		}
	}
	return entries
}

// splitForwarded returns the `for` of each element of Forwarded (RFC 7239); empty where an element has none, or two.
func splitForwarded(value string) []string {
	var nodes []string
	for _, element := range splitUnquoted(value, ',') {
		if strings.TrimSpace(element) != "" {
			nodes = append(nodes, nodeOf(element))
		}
	}
	return nodes
}

func nodeOf(element string) string {
	var nodes []string
	for _, part := range splitUnquoted(element, ';') {
		if found := pair.FindStringSubmatch(part); found != nil && strings.EqualFold(found[1], "for") {
			nodes = append(nodes, unquote(found[2]))
		}
	}
	if len(nodes) != 1 {
		return ""
	}
	return nodes[0]
}

// unquote makes `[2001:db8::7]:443` of the same text in quotes.
func unquote(text string) string {
	trimmed := strings.TrimSpace(text)
	if len(trimmed) < 2 || trimmed[0] != '"' || trimmed[len(trimmed)-1] != '"' {
		return trimmed
	}
	return strings.TrimSpace(escaped.ReplaceAllString(trimmed[1:len(trimmed)-1], "$1"))
}

// splitUnquoted splits where the separator is in no quoted text. It reads from the right: a quote that the sender of the
// request opened and did not close must not swallow what a trusted proxy appended.
func splitUnquoted(text string, separator byte) []string {
	var parts []string
	end := len(text)
	isQuoted := false
	for at := len(text) - 1; at >= 0; at-- {
		if text[at] == '"' && !(isQuoted && isEscaped(text, at)) {
			isQuoted = !isQuoted
		} else if text[at] == separator && !isQuoted {
			parts = append([]string{text[at+1 : end]}, parts...)
			end = at
		}
	}
	return append([]string{text[:end]}, parts...)
}

func isEscaped(text string, at int) bool {
	before := text[:at]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}
