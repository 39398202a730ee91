package gatehouse

import (
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// RateLimitState says how many requests may follow.
type RateLimitState struct {
	// Limit is the plan's number of requests per second.
	Limit int
	// Remaining requests may follow at once.
	Remaining int
	// ResetAtSeconds is when a refused caller may try again, in seconds since 1970.
	ResetAtSeconds int
}

// QuotaState says how much of the month is used.
type QuotaState struct {
	// Used assessments this month.
	Used int
	// Limit is the monthly cap.
	Limit int
}

// AnswerMeta is what the headers of an answer say.
type AnswerMeta struct {
	// RateLimit is nil where the answer does not say, as for feedback.
	RateLimit *RateLimitState
	// Quota is nil where the answer does not say.
	Quota *QuotaState
	// Replayed: the service had answered this idempotency key before, and answers the same again.
	Replayed bool
	// ShadowVerdict is what the verdict would be, for a key in shadow mode; empty otherwise.
	ShadowVerdict string
	// Tries is the number of requests that were sent until this answer arrived.
	Tries int
	// Raw is the whole answer, with members that this client does not know.
	Raw []byte
}

var digits = regexp.MustCompile(`^[0-9]{1,15}$`)

func readMeta(headers http.Header, tries int, raw []byte) AnswerMeta {
	meta := AnswerMeta{Replayed: headers.Get("Idempotent-Replayed") == "true", Tries: tries, Raw: raw}
	if shadow := headers.Get("X-Gatehouse-Shadow"); isVerdict(shadow) {
		meta.ShadowVerdict = shadow
	}
	limit, hasLimit := readCount(headers, "X-RateLimit-Limit")
	remaining, hasRemaining := readCount(headers, "X-RateLimit-Remaining")
	reset, hasReset := readCount(headers, "X-RateLimit-Reset")
	if hasLimit && hasRemaining && hasReset {
		meta.RateLimit = &RateLimitState{Limit: limit, Remaining: remaining, ResetAtSeconds: reset}
	}
	used, hasUsed := readCount(headers, "X-Quota-Used")
	quota, hasQuota := readCount(headers, "X-Quota-Limit")
	if hasUsed && hasQuota {
		meta.Quota = &QuotaState{Used: used, Limit: quota}
	}
	return meta
}

// readRetryAfter reads only the form in seconds, which the service sends.
func readRetryAfter(headers http.Header) time.Duration {
	seconds, _ := readCount(headers, "Retry-After")
	if seconds > maxNumber {
		seconds = maxNumber
	}
	return time.Duration(seconds) * time.Second
}

func readCount(headers http.Header, name string) (int, bool) {
	text := headers.Get(name)
	if !digits.MatchString(text) {
		return 0, false
	}
	value, err := strconv.Atoi(text)
	return value, err == nil
}

func isVerdict(text string) bool {
	return text == string(Allow) || text == string(Challenge) || text == string(Block)
}
