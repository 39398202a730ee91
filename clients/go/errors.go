package gatehouse

import "time"

// Kind of a failure.
type Kind string

const (
	// KindOptions: the options of the client cannot be used.
	KindOptions Kind = "options"
	// KindConnection: no answer; the connection failed, or was lost.
	KindConnection Kind = "connection"
	// KindTimeout: no answer within the timeout, retries included.
	KindTimeout Kind = "timeout"
	// KindCircuitOpen: nothing was sent, because the last calls failed.
	KindCircuitOpen Kind = "circuit_open"
	// KindAborted: the caller's own context ended the call.
	KindAborted Kind = "aborted"
	// KindInvalidRequest: the request cannot be used; Param names the field. The same request fails again.
	KindInvalidRequest Kind = "invalid_request"
	// KindAuthentication: the key is wrong, was revoked, has expired, or may not be used from this address.
	KindAuthentication Kind = "authentication"
	// KindRateLimit: the plan's requests per second are used up.
	KindRateLimit Kind = "rate_limit"
	// KindQuotaExceeded: the month's assessments are used up. Never retried.
	KindQuotaExceeded Kind = "quota_exceeded"
	// KindServer: the service cannot answer now.
	KindServer Kind = "server"
	// KindUnexpectedResponse: the answer did not come from Gatehouse.
	KindUnexpectedResponse Kind = "unexpected_response"
	// KindAPI: any other code of the API.
	KindAPI Kind = "api"
)

// Error is every way a call can fail. It contains neither the key nor an email address nor an IP of the request.
type Error struct {
	Kind Kind
	// Code of the API, or of this client: invalid_options, connection_failed, timeout, circuit_open, aborted,
	// unexpected_response.
	Code    string
	Message string
	// Status is the HTTP status; 0 where nothing was answered.
	Status int
	// Param is the field at fault.
	Param string
	// Resolution says what to do about it.
	Resolution string
	// RetryAfter is the time after which the same request may succeed; 0 where nobody said.
	RetryAfter time.Duration
	RateLimit  *RateLimitState
	Quota      *QuotaState
	// Tries is the number of requests that were sent.
	Tries int
}

func (e *Error) Error() string {
	return "gatehouse: " + e.Code + ": " + e.Message
}

var kindByCode = map[string]Kind{
	"missing_field":          KindInvalidRequest,
	"invalid_email":          KindInvalidRequest,
	"invalid_ip":             KindInvalidRequest,
	"challenge_invalid":      KindInvalidRequest,
	"challenge_expired":      KindInvalidRequest,
	"challenge_redeemed":     KindInvalidRequest,
	"challenge_code_wrong":   KindInvalidRequest,
	"challenge_mails_used":   KindInvalidRequest,
	"challenge_mailbox_full": KindInvalidRequest,
	"challenge_proof_wrong":  KindInvalidRequest,
	"bad_request":            KindInvalidRequest,
	"payload_too_large":      KindInvalidRequest,
	"headers_too_large":      KindInvalidRequest,
	"unauthorized":           KindAuthentication,
	"token_revoked":          KindAuthentication,
	"key_expired":            KindAuthentication,
	"ip_not_allowed":         KindAuthentication,
	"rate_limit":             KindRateLimit,
	"quota_exceeded":         KindQuotaExceeded,
	"internal_error":         KindServer,
	"storage_full":           KindServer,
	"unavailable":            KindServer,
}

func invalidRequest(code, message, param string) *Error {
	return &Error{Kind: KindInvalidRequest, Code: code, Message: message, Param: param}
}

func invalidOptions(message string) *Error {
	return &Error{Kind: KindOptions, Code: "invalid_options", Message: message}
}
