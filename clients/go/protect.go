package gatehouse

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"
)

// Decision about a signup.
type Decision string

const (
	// Allow lets the person in.
	Allow Decision = "allow"
	// Challenge asks for more proof first.
	Challenge Decision = "challenge"
	// Block creates no account.
	Block Decision = "block"
	// Invalid: the text cannot be an email address; ask for another one.
	Invalid Decision = "invalid"
)

// formWindow is the time in which a repeated form is the same signup.
const formWindow = 10 * time.Minute

// maxEmailBytes is longer than any address can be: longer ones are not sent, so that nobody can make the request too large
// to answer.
const maxEmailBytes = 1000

// maxTextBytes is longer than any session id: a visitor writes the cookie from which some applications take it.
const maxTextBytes = 8192

// Signup is what a person typed, and what your program knows.
type Signup struct {
	// Email is a string, a *string, or a []string such as r.PostForm["email"]. Without a value (nil, an empty list: a body
	// that nobody parsed, a wrong name of the field) there is no verdict, and OnFailure decides.
	Email any
	// IP is the visitor's address where you know it already. Default: found in the request.
	IP string
	// WithoutIP assesses the email alone, for a person whom somebody else's request brings.
	WithoutIP bool
	// SessionID is your own session or request id.
	SessionID string
	// BroughtBy is admin, member or directory. Only from what your backend knows, never from the form.
	BroughtBy string
	// IdempotencyKey is your own id of this attempt. Default: the same for the same email, address, session and person who
	// brings, for ten minutes.
	IdempotencyKey string
	// Timeout of this call. Default: the client's.
	Timeout time.Duration
}

// SignupDecision is what to do with a signup.
type SignupDecision struct {
	Decision Decision
	// Assessment is nil where there is no verdict.
	Assessment *Assessment
	// IP is the address that was sent; empty where none is known.
	IP string
	// MailUnwanted: send no mail to the address before a proof that needs none, such as a CAPTCHA, also with Allow.
	MailUnwanted bool
	// FailedOpen: the signup is allowed because Gatehouse failed, not because it was found good.
	FailedOpen bool
	// Err says why there is no verdict.
	Err *Error
}

// ProtectSignup decides about one signup. It never panics: without a verdict, OnFailure decides.
func (c *Client) ProtectSignup(ctx context.Context, request *http.Request, signup Signup) (decision SignupDecision) {
	ip := ""
	defer func() {
		if fault := recover(); fault != nil {
			log.Printf("gatehouse: a fault of the client: %T", fault)
			err := &Error{Kind: KindAPI, Code: "client_fault", Message: fmt.Sprintf("%T", fault)}
			decision = c.withoutVerdict(err, ip)
		}
	}()
	ip = c.ipOf(request, signup)
	email, hasEmail := readEmail(signup.Email)
	if !hasEmail {
		message := fmt.Sprintf("the email is of the type %T: is the body of the request parsed, and is this the name of its field?", signup.Email)
		return c.withoutVerdict(invalidRequest("missing_field", message, "email"), ip)
	}
	assessment, err := c.assessSignup(ctx, email, ip, signup)
	if err != nil {
		return c.withoutAssessment(err, ip)
	}
	decision = SignupDecision{Decision: Allow, Assessment: assessment, IP: ip}
	if c.options.Mode == Enforce {
		decision.Decision = Decision(assessment.Verdict)
		decision.MailUnwanted = assessment.Signals.Email.MailUnwanted
	}
	return decision
}

func (c *Client) ipOf(request *http.Request, signup Signup) string {
	if signup.WithoutIP {
		return ""
	}
	if signup.IP != "" {
		address, ok := parseIPAddress(signup.IP)
		if !ok {
			warnOnce("the IP of a signup is no address: it is assessed without it")
			return ""
		}
		return address.String()
	}
	if request != nil && c.options.TrustedProxies == nil {
		for _, name := range forwardingHeaders {
			if request.Header.Get(name) != "" {
				warnOnce("a proxy seems to be in front of this application: set TrustedProxies, otherwise the address of the proxy is assessed")
			}
		}
	}
	return findIP(request, c.options.TrustedProxies)
}

func (c *Client) assessSignup(ctx context.Context, email, ip string, signup Signup) (*Assessment, *Error) {
	if len(email) > maxEmailBytes {
		return nil, invalidRequest("invalid_email", "the email address is not valid", "email")
	}
	request := AssessmentRequest{Email: email, IP: ip, SessionID: signup.SessionID, BroughtBy: signup.BroughtBy}
	if len(request.SessionID) > maxTextBytes {
		c.report(invalidRequest("missing_field", "the signup is assessed without session_id, which is longer than 8192 bytes", "session_id"))
		request.SessionID = ""
	}
	key := signup.IdempotencyKey
	if key == "" {
		key = c.deriveKey(request)
	}
	timeout := WithTimeout(signup.Timeout)
	assessment, err := c.Assess(ctx, request, WithIdempotencyKey(key), timeout)
	failed := toOwnError(err)
	if failed == nil || !isDispensable(failed.Param) || failed.Kind != KindInvalidRequest {
		return assessment, failed
	}
	// A fault in what a signup can be assessed without must neither refuse people nor let them in.
	c.report(failed)
	switch failed.Param {
	case "ip":
		request.IP = ""
	case "session_id":
		request.SessionID = ""
	case "brought_by":
		request.BroughtBy = ""
	}
	assessment, err = c.Assess(ctx, request, timeout)
	return assessment, toOwnError(err)
}

// withoutAssessment: what was sent about this signup cannot be used, or Gatehouse failed.
func (c *Client) withoutAssessment(err *Error, ip string) SignupDecision {
	decision := SignupDecision{Decision: Allow, IP: ip, Err: err}
	switch {
	case !isUnusable(err.Code):
		return c.withoutVerdict(err, ip)
	case err.Code == "payload_too_large" || err.Param == "email":
		// A mistyped address is nothing to report.
		decision.Decision = Invalid
	case isDispensable(err.Param):
		// A value that the visitor may have chosen does not let them in.
		decision.Decision = Block
	default:
		return c.withoutVerdict(err, ip)
	}
	if c.options.Mode == Observe {
		decision.Decision = Allow
	}
	return decision
}

func (c *Client) withoutVerdict(err *Error, ip string) SignupDecision {
	c.report(err)
	decision := SignupDecision{Decision: Allow, IP: ip, FailedOpen: true, Err: err}
	if c.options.Mode == Enforce && c.options.OnFailure == ChallengeOnFailure {
		decision.Decision, decision.FailedOpen = Challenge, false
	}
	return decision
}

func (c *Client) report(err *Error) {
	if c.options.OnError == nil {
		log.Printf("gatehouse: no verdict for a signup: %s: %s", err.Code, err.Message)
		return
	}
	defer func() {
		// A fault of the callback must not stop a signup.
		if fault := recover(); fault != nil {
			log.Printf("gatehouse: OnError panicked: %T", fault)
		}
	}()
	c.options.OnError(err)
}

// deriveKey makes an equal key for a form that is sent again within ten minutes. It hides what is in it.
func (c *Client) deriveKey(request AssessmentRequest) string {
	window := time.Now().Unix() / int64(formWindow.Seconds())
	members := []any{c.key, window, request.Email, request.IP, request.SessionID, request.BroughtBy}
	text, _ := json.Marshal(members)
	sum := sha256.Sum256(text)
	return "form-" + hex.EncodeToString(sum[:])
}

// readEmail: a field that came twice is the text of both.
func readEmail(value any) (string, bool) {
	switch email := value.(type) {
	case string:
		return email, true
	case *string:
		if email != nil {
			return *email, true
		}
	case []string:
		return strings.Join(email, ","), len(email) > 0
	}
	return "", false
}

func isUnusable(code string) bool {
	return code == "invalid_email" || code == "invalid_ip" || code == "missing_field" || code == "payload_too_large"
}

func isDispensable(param string) bool {
	return param == "ip" || param == "session_id" || param == "brought_by" || param == "Idempotency-Key"
}

func toOwnError(err error) *Error {
	if err == nil {
		return nil
	}
	if own, ok := err.(*Error); ok {
		return own
	}
	return &Error{Kind: KindAPI, Code: "client_fault", Message: fmt.Sprintf("%T", err)}
}
