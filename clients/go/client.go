// Package gatehouse protects a signup form with Gatehouse, the self-hosted signup risk service.
package gatehouse

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// NoRetries is the MaxRetries of a client that sends each request once.
const NoRetries = -1

const (
	defaultTimeout  = 3 * time.Second
	defaultRetries  = 2
	defaultFailures = 5
	defaultOpen     = 10 * time.Second
	maxNumber       = math.MaxInt32
)

var (
	keyForm = regexp.MustCompile(`^sk_(?:live|test)_`)
	visible = regexp.MustCompile(`^[\x21-\x7e]{1,255}$`)
)

// OnFailure is what ProtectSignup decides without a verdict.
type OnFailure string

const (
	// AllowOnFailure lets the person in; FailedOpen is true. The default.
	AllowOnFailure OnFailure = "allow"
	// ChallengeOnFailure asks for more proof.
	ChallengeOnFailure OnFailure = "challenge"
)

// Mode of a client.
type Mode string

const (
	// Enforce is the default.
	Enforce Mode = "enforce"
	// Observe lets everybody in; the assessment says what the verdict is.
	Observe Mode = "observe"
)

// Options of a client. Zero values are the defaults.
type Options struct {
	// URL of Gatehouse, such as http://127.0.0.1:8080. A path before /v1 is kept.
	URL string
	// Key is an API key. It is a secret of your server.
	Key string
	// Timeout of one call, all tries and waits together. Default 3 seconds.
	Timeout time.Duration
	// MaxRetries are the tries after the first, where a repetition is safe. Default 2; NoRetries: none.
	MaxRetries int
	Breaker    Breaker
	// TrustedProxies may report the visitor's IP. Default: nobody.
	TrustedProxies TrustedProxies
	OnFailure      OnFailure
	Mode           Mode
	// OnError is called whenever there is no verdict, unless the email itself cannot be read. Default: a line in the log.
	OnError func(*Error)
	// HTTPClient sends the requests. Default: one of its own. Its Timeout should be 0: the client keeps the time.
	HTTPClient *http.Client
}

// Client of one Gatehouse. Create one for the whole application, because it contains the circuit breaker; goroutines
// may share it.
type Client struct {
	url        string
	key        string
	timeout    time.Duration
	maxRetries int
	breaker    *circuitBreaker
	http       *http.Client
	options    Options
}

// New checks the options. The error, an *Error, does not contain the key.
func New(options Options) (*Client, error) {
	base, err := readURL(options.URL)
	if err != nil {
		return nil, err
	}
	key := strings.TrimSpace(options.Key)
	if !keyForm.MatchString(key) || !visible.MatchString(key) {
		return nil, invalidOptions("Key: an API key begins with sk_live_ or sk_test_.")
	}
	if err := checkChoices(&options); err != nil {
		return nil, err
	}
	client := &Client{
		url:        base,
		key:        key,
		timeout:    options.Timeout,
		maxRetries: options.MaxRetries,
		breaker:    &circuitBreaker{options: options.Breaker},
		http:       createHTTPClient(options.HTTPClient),
		options:    options,
	}
	if options.MaxRetries == NoRetries {
		client.maxRetries = 0
	}
	return client, nil
}

// String does not show the key.
func (c *Client) String() string {
	return fmt.Sprintf("Gatehouse{URL: %s, Key: %s[redacted]}", c.url, c.key[:8])
}

// GoString does not show the key either.
func (c *Client) GoString() string { return c.String() }

// CallOption changes one call.
type CallOption func(*callOptions)

type callOptions struct {
	timeout        time.Duration
	idempotencyKey string
	hasNoKey       bool
}

// WithTimeout sets the timeout of one call.
func WithTimeout(timeout time.Duration) CallOption {
	return func(options *callOptions) { options.timeout = timeout }
}

// WithIdempotencyKey sets a key of 1 to 255 visible ASCII characters. Default: a random one for each call.
func WithIdempotencyKey(key string) CallOption {
	return func(options *callOptions) { options.idempotencyKey = key }
}

// WithoutIdempotencyKey sends none; then only refused requests are sent again.
func WithoutIdempotencyKey() CallOption {
	return func(options *callOptions) { options.hasNoKey = true }
}

// Assess assesses a signup. Costs one credit with a live key. Every error is an *Error.
func (c *Client) Assess(ctx context.Context, request AssessmentRequest, options ...CallOption) (*Assessment, error) {
	private := []string{request.Email, request.IP, request.SessionID}
	result, err := write[Assessment](ctx, c, "/v1/assess", request, hasVerdict, private, options)
	if err != nil {
		return nil, err
	}
	result.value.Meta = result.meta
	return result.value, nil
}

// GetAssessment reads a stored assessment again; costs nothing.
func (c *Client) GetAssessment(ctx context.Context, requestID string, options ...CallOption) (*Assessment, error) {
	if requestID == "" {
		return nil, invalidRequest("missing_field", "the request id is missing", "request_id")
	}
	result, err := read[Assessment](ctx, c, "/v1/assess/"+url.PathEscape(requestID), hasVerdict, options)
	if err != nil {
		return nil, err
	}
	result.value.Meta = result.meta
	return result.value, nil
}

// Feedback reports that a verdict was wrong.
func (c *Client) Feedback(ctx context.Context, request FeedbackRequest, options ...CallOption) (*FeedbackResponse, error) {
	isAnswer := func(members map[string]any) bool { return members["accepted"] == true }
	result, err := write[FeedbackResponse](ctx, c, "/v1/feedback", request, isAnswer, []string{request.Note}, options)
	if err != nil {
		return nil, err
	}
	result.value.Meta = result.meta
	return result.value, nil
}

// RedeemChallenge reports whether a challenged visitor passed, or reads the result of the challenge. One redemption hears
// the result, and a caller that repeats it with the same idempotency key; every other gets challenge_redeemed.
func (c *Client) RedeemChallenge(ctx context.Context, request ChallengeRequest, options ...CallOption) (*ChallengeResponse, error) {
	private := []string{request.Token, request.Altcha, request.Turnstile, request.Hcaptcha, request.Recaptcha, request.IP}
	result, err := write[ChallengeResponse](ctx, c, "/v1/challenges", request, hasText("status"), private, options)
	if err != nil {
		return nil, err
	}
	result.value.Meta = result.meta
	return result.value, nil
}

// Outcome says what became of a signup, or of up to 100 in Outcomes: Gatehouse learns from it.
func (c *Client) Outcome(ctx context.Context, request OutcomeRequest, options ...CallOption) (*OutcomeResponse, error) {
	isAnswer := func(members map[string]any) bool {
		_, ok := members["signups"].(float64)
		return ok
	}
	private := []string{request.Email}
	for _, each := range request.Outcomes {
		private = append(private, each.Email)
	}
	result, err := write[OutcomeResponse](ctx, c, "/v1/outcomes", request, isAnswer, private, options)
	if err != nil {
		return nil, err
	}
	result.value.Meta = result.meta
	return result.value, nil
}

// AppealLink makes a link that you may show to somebody who was stopped.
func (c *Client) AppealLink(ctx context.Context, request AppealRequest, options ...CallOption) (*AppealResponse, error) {
	result, err := write[AppealResponse](ctx, c, "/v1/appeals", request, hasText("url"), nil, options)
	if err != nil {
		return nil, err
	}
	result.value.Meta = result.meta
	return result.value, nil
}

// Usage reads how much of the month's quota is used.
func (c *Client) Usage(ctx context.Context, options ...CallOption) (*Usage, error) {
	result, err := read[Usage](ctx, c, "/v1/usage", hasText("plan"), options)
	if err != nil {
		return nil, err
	}
	result.value.Meta = result.meta
	return result.value, nil
}

type decoded[T any] struct {
	value *T
	meta  AnswerMeta
}

func read[T any](
	ctx context.Context, c *Client, path string, isAnswer func(map[string]any) bool, options []CallOption,
) (decoded[T], error) {
	request := apiRequest{method: http.MethodGet, url: c.url + path, isRepeatable: true, isAnswer: isAnswer}
	return makeCall[T](ctx, c, request, readCallOptions(options))
}

func write[T any](
	ctx context.Context, c *Client, path string, message any, isAnswer func(map[string]any) bool, private []string, options []CallOption,
) (decoded[T], error) {
	chosen := readCallOptions(options)
	body, err := json.Marshal(message)
	if err != nil {
		return decoded[T]{}, invalidRequest("bad_request", "a member of the request is of a wrong type", "")
	}
	if len(body) > maxBodyBytes {
		return decoded[T]{}, invalidRequest("payload_too_large", "the request is larger than 64 KiB, and is not sent", "")
	}
	request := apiRequest{
		method:       http.MethodPost,
		url:          c.url + path,
		headers:      map[string]string{"Content-Type": "application/json"},
		body:         body,
		isRepeatable: !chosen.hasNoKey,
		isAnswer:     isAnswer,
		private:      private,
	}
	if !chosen.hasNoKey {
		key := chosen.idempotencyKey
		if key == "" {
			key = randomKey()
		}
		if !visible.MatchString(key) {
			return decoded[T]{}, invalidRequest("missing_field", "an idempotency key has 1 to 255 visible characters", "Idempotency-Key")
		}
		request.headers["Idempotency-Key"] = key
	}
	return makeCall[T](ctx, c, request, chosen)
}

func makeCall[T any](ctx context.Context, c *Client, request apiRequest, options callOptions) (decoded[T], error) {
	request.timeout = c.timeout
	if options.timeout > 0 {
		request.timeout = options.timeout
	}
	if request.headers == nil {
		request.headers = map[string]string{}
	}
	request.headers["Authorization"] = "Bearer " + c.key
	request.headers["Accept"] = "application/json"
	found, failed := c.call(ctx, request)
	if failed != nil {
		return decoded[T]{}, failed
	}
	value := new(T)
	// A member of another type is left at its zero value, and the others are read.
	_ = json.Unmarshal(found.meta.Raw, value)
	return decoded[T]{value, found.meta}, nil
}

func readCallOptions(options []CallOption) callOptions {
	var chosen callOptions
	for _, option := range options {
		option(&chosen)
	}
	return chosen
}

func hasVerdict(members map[string]any) bool {
	verdict, _ := members["verdict"].(string)
	return isVerdict(verdict)
}

func hasText(name string) func(map[string]any) bool {
	return func(members map[string]any) bool {
		_, ok := members[name].(string)
		return ok
	}
}

func randomKey() string {
	bytes := make([]byte, 16)
	// It cannot fail on the systems that Go supports; a key of zeros would only lose the protection of a repetition.
	_, _ = rand.Read(bytes)
	return hex.EncodeToString(bytes)
}

func createHTTPClient(own *http.Client) *http.Client {
	client := &http.Client{}
	if own != nil {
		*client = *own
	}
	// A redirect would send the key, and a person's address, to somewhere else.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

// checkChoices also writes the defaults into the options.
func checkChoices(options *Options) error {
	if options.Timeout == 0 {
		options.Timeout = defaultTimeout
	}
	if options.Timeout < time.Millisecond {
		return invalidOptions("Timeout: at least one millisecond.")
	}
	if options.MaxRetries == 0 {
		options.MaxRetries = defaultRetries
	}
	if options.MaxRetries < NoRetries || options.MaxRetries > maxNumber {
		return invalidOptions("MaxRetries: a number of tries, or NoRetries.")
	}
	if options.Breaker.Failures == 0 {
		options.Breaker.Failures = defaultFailures
	}
	if options.Breaker.Open == 0 {
		options.Breaker.Open = defaultOpen
	}
	if options.Breaker.Failures < 0 || options.Breaker.Open < 0 {
		return invalidOptions("Breaker: positive numbers.")
	}
	if options.OnFailure == "" {
		options.OnFailure = AllowOnFailure
	}
	if options.OnFailure != AllowOnFailure && options.OnFailure != ChallengeOnFailure {
		return invalidOptions("OnFailure: allow or challenge.")
	}
	if options.Mode == "" {
		options.Mode = Enforce
	}
	if options.Mode != Enforce && options.Mode != Observe {
		return invalidOptions("Mode: enforce or observe.")
	}
	if options.TrustedProxies == nil {
		return nil
	}
	return options.TrustedProxies.check()
}

func readURL(text string) (string, error) {
	parsed, err := url.Parse(strings.TrimSpace(text))
	if err != nil || parsed.Host == "" {
		return "", invalidOptions("URL: the address of Gatehouse, such as http://127.0.0.1:8080.")
	}
	isHTTP := parsed.Scheme == "http" || parsed.Scheme == "https"
	if !isHTTP || parsed.User != nil || parsed.RawQuery != "" || parsed.Fragment != "" {
		return "", invalidOptions("URL: http:// or https://, without credentials, query or fragment.")
	}
	return strings.TrimRight(parsed.Scheme+"://"+parsed.Host+parsed.EscapedPath(), "/"), nil
}
