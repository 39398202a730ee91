package gatehouse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"regexp"
	"sort"
	"strings"
	"time"
)

const (
	baseWait = 100 * time.Millisecond
	maxWait  = time.Second
	// maxAnswerBytes: Gatehouse's own answers are far smaller.
	maxAnswerBytes = 1 << 20
	// maxBodyBytes is what the service reads. A larger request has no answer that can be relied on, so it is refused here.
	maxBodyBytes = 64 << 10
)

// apiRequest is one request of the API; each try sends the same.
type apiRequest struct {
	method  string
	url     string
	headers map[string]string
	body    []byte
	timeout time.Duration
	// isRepeatable: the same request may be sent again when nobody knows if it arrived.
	isRepeatable bool
	// isAnswer: a body with status 200 is the expected message.
	isAnswer func(members map[string]any) bool
	// private texts never show in an error.
	private []string
}

// answer is the body of an answer with its meta.
type answer struct {
	meta AnswerMeta
}

func (c *Client) call(outer context.Context, request apiRequest) (answer, *Error) {
	record, wait := c.breaker.admit()
	if record == nil {
		return answer{}, &Error{
			Kind:       KindCircuitOpen,
			Code:       "circuit_open",
			Message:    "the last calls failed, so nothing is sent until the next trial",
			RetryAfter: wait,
		}
	}
	result := unknown
	// Also where something panics: otherwise a trial would never end.
	defer func() { record(result) }()
	ctx, cancel := context.WithTimeout(outer, request.timeout)
	defer cancel()
	found, err := c.sendUntilAnswered(outer, ctx, request)
	result = outcomeOf(err)
	return found, err
}

// outcomeOf: any answer except 5xx means that the service is available.
func outcomeOf(err *Error) outcome {
	switch {
	case err == nil:
		return success
	case err.Kind == KindAborted:
		return unknown
	case err.Status != 0 && err.Status < 500 && err.Code != "unexpected_response":
		return success
	}
	return failure
}

func (c *Client) sendUntilAnswered(outer, ctx context.Context, request apiRequest) (answer, *Error) {
	redact := createRedact(append([]string{c.key}, request.private...))
	for tries := 1; ; tries++ {
		found, err := c.exchange(ctx, request, tries, redact)
		if err == nil {
			return found, nil
		}
		if ended := endOf(outer, ctx, request.timeout, tries); ended != nil && err.Status == 0 {
			return answer{}, ended
		}
		if tries > c.maxRetries || !mayRepeat(err, request.isRepeatable) {
			return answer{}, err
		}
		// Full jitter: callers that failed together do not come back together.
		backOff := maxWait
		if tries < 5 {
			backOff = baseWait << (tries - 1)
		}
		if backOff > maxWait {
			backOff = maxWait
		}
		wait := time.Duration(rand.Float64()*float64(backOff)) + err.RetryAfter
		if deadline, _ := ctx.Deadline(); wait >= time.Until(deadline) {
			return answer{}, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return answer{}, endOf(outer, ctx, request.timeout, tries)
		}
	}
}

// endOf is why a call ended early: by its time, or by the caller; nil while it runs.
func endOf(outer, ctx context.Context, timeout time.Duration, tries int) *Error {
	if outer.Err() != nil && errors.Is(outer.Err(), context.Canceled) {
		return &Error{Kind: KindAborted, Code: "aborted", Message: "the caller ended the call", Tries: tries}
	}
	if ctx.Err() != nil {
		message := fmt.Sprintf("no answer within %d ms", timeout.Milliseconds())
		return &Error{Kind: KindTimeout, Code: "timeout", Message: message, Tries: tries}
	}
	return nil
}

func mayRepeat(err *Error, isRepeatable bool) bool {
	// Refused before anything was done: always safe.
	if err.Code == "rate_limit" {
		return true
	}
	switch err.Status {
	case 500, 502, 503, 504:
		return isRepeatable
	}
	return isRepeatable && err.Code == "connection_failed"
}

func (c *Client) exchange(ctx context.Context, request apiRequest, tries int, redact func(string) string) (answer, *Error) {
	response, raw, err := c.send(ctx, request)
	if err != nil {
		message := redact(innermost(err).Error())
		return answer{}, &Error{Kind: KindConnection, Code: "connection_failed", Message: message, Tries: tries}
	}
	var members map[string]any
	if json.Unmarshal(raw, &members) != nil {
		members = nil
	}
	meta := readMeta(response.Header, tries, raw)
	if response.StatusCode == http.StatusOK && members != nil && request.isAnswer(members) {
		return answer{meta}, nil
	}
	return answer{}, toError(response, members, meta, redact)
}

func (c *Client) send(ctx context.Context, request apiRequest) (*http.Response, []byte, error) {
	var body io.Reader
	if request.body != nil {
		body = bytes.NewReader(request.body)
	}
	message, err := http.NewRequestWithContext(ctx, request.method, request.url, body)
	if err != nil {
		return nil, nil, err
	}
	// The transport would send it again by itself, uncounted.
	message.GetBody = nil
	for name, value := range request.headers {
		message.Header.Set(name, value)
	}
	response, err := c.http.Do(message)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err == nil && len(raw) > maxAnswerBytes {
		err = errors.New("the answer is too large")
	}
	return response, raw, err
}

func toError(response *http.Response, members map[string]any, meta AnswerMeta, redact func(string) string) *Error {
	status := response.StatusCode
	result := &Error{
		Status:     status,
		RetryAfter: readRetryAfter(response.Header),
		RateLimit:  meta.RateLimit,
		Quota:      meta.Quota,
		Tries:      meta.Tries,
	}
	problem, _ := members["error"].(map[string]any)
	code, hasCode := problem["code"].(string)
	if status < 400 || !hasCode {
		result.Kind, result.Code = KindUnexpectedResponse, "unexpected_response"
		if status >= 500 {
			result.Kind = KindServer
		}
		result.Message = fmt.Sprintf(
			"status %d, but the answer did not come from Gatehouse: check the URL and the proxies in front of the service", status)
		return result
	}
	kind, isKnown := kindByCode[code]
	if !isKnown {
		kind = KindAPI
		if status >= 500 {
			kind = KindServer
		}
	}
	result.Kind, result.Code, result.Message = kind, code, code
	if text, ok := problem["message"].(string); ok {
		result.Message = redact(text)
	}
	param, _ := problem["param"].(string)
	resolution, _ := problem["resolution"].(string)
	result.Param, result.Resolution = redact(param), redact(resolution)
	return result
}

// innermost leaves out what names the URL and the addresses of the connection.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// createRedact makes a function that removes secrets from a text, whatever their case.
func createRedact(secrets []string) func(string) string {
	var words []string
	for _, secret := range secrets {
		if text := strings.TrimSpace(secret); text != "" {
			words = append(words, regexp.QuoteMeta(text))
		}
	}
	if len(words) == 0 {
		return func(text string) string { return text }
	}
	// The longest first: one may be a part of another.
	sort.Slice(words, func(a, b int) bool { return len(words[a]) > len(words[b]) })
	pattern := regexp.MustCompile("(?i)" + strings.Join(words, "|"))
	return func(text string) string { return pattern.ReplaceAllString(text, "[redacted]") }
}
