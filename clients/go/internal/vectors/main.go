// Command vectors runs the vectors of vectors.jsonl with the Go client: vectors VECTORS ENVIRONMENT, one line of results for
// each.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"gatehouse.example/gatehouse"
)

type environment struct {
	BaseURL string             `json:"base_url"`
	URLs    map[string]*string `json:"urls"`
	Keys    map[string]string  `json:"keys"`
}

type vector struct {
	Client clientOptions `json:"client"`
	Steps  []step        `json:"steps"`
}

type clientOptions struct {
	Key            string          `json:"key"`
	URL            string          `json:"url"`
	Path           string          `json:"path"`
	TimeoutMS      json.RawMessage `json:"timeout_ms"`
	MaxRetries     *int            `json:"max_retries"`
	Breaker        json.RawMessage `json:"breaker"`
	TrustedProxies json.RawMessage `json:"trusted_proxies"`
	OnFailure      string          `json:"on_failure"`
	Mode           string          `json:"mode"`
}

type step struct {
	Call    string         `json:"call"`
	Input   map[string]any `json:"input"`
	Request struct {
		Peer    string      `json:"peer"`
		Headers [][2]string `json:"headers"`
	} `json:"request"`
	Times int    `json:"times"`
	Until string `json:"until"`
}

type members = map[string]any

func main() {
	var settings environment
	check(json.Unmarshal(readFile(os.Args[2]), &settings))
	output := json.NewEncoder(os.Stdout)
	for index, line := range strings.Split(strings.TrimSpace(string(readFile(os.Args[1]))), "\n") {
		var current vector
		check(json.Unmarshal([]byte(line), &current))
		check(output.Encode(struct {
			Index   int   `json:"index"`
			Results []any `json:"results"`
		}{index, runVector(current, index, settings)}))
	}
}

func runVector(current vector, index int, settings environment) []any {
	reported := []string{}
	client, err := createClient(current.Client, index, settings, &reported)
	if err != nil {
		return []any{describeError(err)}
	}
	results := []any{}
	for _, each := range current.Steps {
		reported = []string{}
		var result members
		for times := 0; times == 0 || times < each.Times; times++ {
			startedAt := time.Now()
			result = runStep(client, each, results, current.Client)
			result["elapsed_ms"] = float64(time.Since(startedAt).Microseconds()) / 1000
			if each.Until == "error" && result["error"] != nil {
				break
			}
		}
		if each.Call == "protect_signup" {
			result["reported"] = reported
		}
		// As the other runners see it: plain JSON.
		var plain any
		text, err := json.Marshal(result)
		check(err)
		check(json.Unmarshal(text, &plain))
		results = append(results, plain)
	}
	return results
}

func createClient(options clientOptions, index int, settings environment, reported *[]string) (*gatehouse.Client, error) {
	proxies, err := readProxies(options.TrustedProxies)
	if err != nil {
		return nil, err
	}
	chosen := gatehouse.Options{
		URL:            settings.BaseURL + "/" + strconv.Itoa(index) + options.Path,
		Key:            settings.Keys["live"],
		Timeout:        time.Minute,
		TrustedProxies: proxies,
		OnFailure:      gatehouse.OnFailure(options.OnFailure),
		Mode:           gatehouse.Mode(options.Mode),
		OnError:        func(err *gatehouse.Error) { *reported = append(*reported, err.Code) },
	}
	if options.Key != "" {
		chosen.Key = settings.Keys[options.Key]
	}
	if options.URL != "" {
		chosen.URL = ""
		if url := settings.URLs[options.URL]; url != nil {
			chosen.URL = *url
		}
	}
	if options.TimeoutMS != nil {
		var ms *int
		check(json.Unmarshal(options.TimeoutMS, &ms))
		chosen.Timeout = 0
		if ms != nil {
			chosen.Timeout = time.Duration(*ms) * time.Millisecond
		}
	}
	// Fewer tries than none are none of its options.
	if options.MaxRetries != nil && *options.MaxRetries <= 0 {
		chosen.MaxRetries = *options.MaxRetries - 1
	} else if options.MaxRetries != nil {
		chosen.MaxRetries = *options.MaxRetries
	}
	chosen.Breaker = readBreaker(options.Breaker)
	return gatehouse.New(chosen)
}

func readBreaker(text json.RawMessage) gatehouse.Breaker {
	var options struct {
		Failures int `json:"failures"`
		OpenMS   int `json:"open_ms"`
	}
	if string(text) == "false" {
		return gatehouse.Breaker{Off: true}
	}
	if text != nil {
		check(json.Unmarshal(text, &options))
	}
	return gatehouse.Breaker{Failures: options.Failures, Open: time.Duration(options.OpenMS) * time.Millisecond}
}

func readProxies(text json.RawMessage) (gatehouse.TrustedProxies, error) {
	var value any
	if text != nil {
		check(json.Unmarshal(text, &value))
	}
	switch proxies := value.(type) {
	case string:
		return gatehouse.Proxy(proxies), nil
	case float64:
		return gatehouse.ProxyCount(proxies), nil
	case []any:
		list := gatehouse.ProxyList{}
		for _, each := range proxies {
			list = append(list, each.(string))
		}
		return list, nil
	case members:
		name := proxies["header"].(string)
		inner, isAppended := proxies["proxies"]
		if !isAppended {
			return gatehouse.OverwrittenHeader(name), nil
		}
		text, err := json.Marshal(inner)
		check(err)
		appending, err := readProxies(text)
		return gatehouse.AppendedHeader{Header: name, Proxies: appending}, err
	}
	return nil, nil
}

func runStep(client *gatehouse.Client, current step, results []any, options clientOptions) members {
	input, _ := resolve(current.Input, results).(members)
	text := func(name string) string {
		value, _ := input[name].(string)
		return value
	}
	ctx := context.Background()
	var call []gatehouse.CallOption
	if key := text("idempotency_key"); key != "" {
		call = append(call, gatehouse.WithIdempotencyKey(key))
	}
	if input["idempotency_key"] == false {
		call = append(call, gatehouse.WithoutIdempotencyKey())
	}
	request := &http.Request{RemoteAddr: current.Request.Peer, Header: http.Header{}}
	for _, pair := range current.Request.Headers {
		request.Header.Add(pair[0], pair[1])
	}
	switch current.Call {
	case "wait":
		time.Sleep(time.Duration(input["ms"].(float64)) * time.Millisecond)
		return members{}
	case "client_ip":
		proxies, err := readProxies(options.TrustedProxies)
		check(err)
		ip, err := gatehouse.ClientIP(request, proxies)
		if err != nil {
			return describeError(err)
		}
		return members{"ip": textOrNil(ip)}
	case "protect_signup":
		return describeDecision(client.ProtectSignup(ctx, request, toSignup(input)))
	case "assess":
		answer, err := client.Assess(ctx, gatehouse.AssessmentRequest{
			Email: text("email"), IP: text("ip"), SessionID: text("session_id"), BroughtBy: text("brought_by"),
		}, call...)
		return describeAssessment(answer, err)
	case "get_assessment":
		answer, err := client.GetAssessment(ctx, text("request_id"))
		return describeAssessment(answer, err)
	case "feedback":
		answer, err := client.Feedback(ctx, gatehouse.FeedbackRequest{
			RequestID: text("request_id"), Outcome: text("outcome"), Note: text("note"),
		})
		if err != nil {
			return describeError(err)
		}
		return describeAnswer(answer.Meta)
	case "redeem_challenge":
		request := gatehouse.ChallengeRequest{
			Token: text("token"), Outcome: text("outcome"), Code: text("code"), Altcha: text("altcha"),
		}
		if given, ok := input["confirm"].(members); ok {
			url, _ := given["return_url"].(string)
			request.Confirm = &gatehouse.ConfirmRequest{ReturnURL: url}
		}
		if given, ok := input["proof"].(members); ok {
			url, _ := given["return_url"].(string)
			request.Proof = &gatehouse.ProofRequest{ReturnURL: url}
		}
		answer, err := client.RedeemChallenge(ctx, request, call...)
		if err != nil {
			return describeError(err)
		}
		return describeAnswer(answer.Meta)
	case "outcome":
		request := gatehouse.OutcomeRequest{Outcome: text("outcome"), RequestID: text("request_id"), Email: text("email")}
		list, _ := input["outcomes"].([]any)
		for _, each := range list {
			item, _ := resolve(each, results).(members)
			request.Outcomes = append(request.Outcomes, gatehouse.OutcomeItem{
				Outcome: fmt.Sprint(item["outcome"]), Email: fmt.Sprint(item["email"]),
			})
		}
		answer, err := client.Outcome(ctx, request)
		if err != nil {
			return describeError(err)
		}
		return describeAnswer(answer.Meta)
	case "appeal_link":
		days, _ := input["valid_days"].(float64)
		answer, err := client.AppealLink(ctx, gatehouse.AppealRequest{RequestID: text("request_id"), ValidDays: int(days)})
		if err != nil {
			return describeError(err)
		}
		return describeAnswer(answer.Meta)
	case "usage":
		answer, err := client.Usage(ctx)
		if err != nil {
			return describeError(err)
		}
		return describeAnswer(answer.Meta)
	}
	panic("no such call: " + current.Call)
}

func toSignup(input members) gatehouse.Signup {
	text := func(name string) string {
		value, _ := input[name].(string)
		return value
	}
	signup := gatehouse.Signup{
		Email:          input["email"],
		IP:             text("ip"),
		SessionID:      text("session_id"),
		BroughtBy:      text("brought_by"),
		IdempotencyKey: text("idempotency_key"),
	}
	if ip, isThere := input["ip"]; isThere && ip == nil {
		signup.WithoutIP = true
	}
	if ms, ok := input["timeout_ms"].(float64); ok {
		signup.Timeout = time.Duration(ms) * time.Millisecond
	}
	// A list of texts has a type of its own, as in a parsed form.
	if list, ok := input["email"].([]any); ok {
		texts := []string{}
		for _, each := range list {
			text, isText := each.(string)
			if !isText {
				return signup
			}
			texts = append(texts, text)
		}
		signup.Email = texts
	}
	return signup
}

func describeDecision(decision gatehouse.SignupDecision) members {
	described := members{"answer": nil}
	if decision.Assessment != nil {
		described = describeAssessment(decision.Assessment, nil)
	}
	described["decision"] = decision.Decision
	described["failed_open"] = decision.FailedOpen
	described["mail_unwanted"] = decision.MailUnwanted
	described["ip"] = textOrNil(decision.IP)
	described["error"] = nil
	if decision.Err != nil {
		described["error"] = decision.Err.Code
	}
	return described
}

func describeAssessment(answer *gatehouse.Assessment, err error) members {
	if err != nil {
		return describeError(err)
	}
	model := members{
		"verdict":            answer.Verdict,
		"score":              answer.Score,
		"session_id":         textOrNil(answer.SessionID),
		"first_reason":       nil,
		"domain":             answer.Signals.Email.Domain,
		"ip":                 nil,
		"has_challenge":      answer.Challenge != nil,
		"has_shadow_verdict": answer.ShadowVerdict != "",
	}
	if len(answer.Reasons) > 0 {
		model["first_reason"] = answer.Reasons[0].Code
	}
	if answer.Signals.IP != nil {
		model["ip"] = answer.Signals.IP.Address
	}
	described := describeAnswer(answer.Meta)
	described["model"] = model
	return described
}

func describeAnswer(meta gatehouse.AnswerMeta) members {
	described := members{
		"replayed":       meta.Replayed,
		"shadow_verdict": textOrNil(meta.ShadowVerdict),
		"tries":          meta.Tries,
		"quota":          describeQuota(meta.Quota),
	}
	if meta.RateLimit != nil {
		described["rate_limit"] = members{"limit": meta.RateLimit.Limit, "remaining": meta.RateLimit.Remaining}
	}
	return members{"answer": json.RawMessage(meta.Raw), "meta": described}
}

func describeQuota(quota *gatehouse.QuotaState) any {
	if quota == nil {
		return nil
	}
	return members{"used": quota.Used, "limit": quota.Limit}
}

func describeError(err error) members {
	var own *gatehouse.Error
	if !errors.As(err, &own) {
		return members{"error": members{"code": "crash", "message": fmt.Sprint(err)}}
	}
	described := members{
		"kind": own.Kind, "code": own.Code, "message": own.Message, "param": textOrNil(own.Param),
		"resolution": textOrNil(own.Resolution), "tries": own.Tries, "quota": describeQuota(own.Quota),
	}
	if own.Status != 0 {
		described["status"] = own.Status
	}
	if own.RetryAfter != 0 {
		described["retry_after_ms"] = float64(own.RetryAfter.Microseconds()) / 1000
	}
	return members{"error": described}
}

// resolve replaces "$0.answer.request_id" by that member of the result of step 0.
func resolve(value any, results []any) any {
	switch current := value.(type) {
	case string:
		if !strings.HasPrefix(current, "$") {
			return current
		}
		path := strings.Split(current[1:], ".")
		index, err := strconv.Atoi(path[0])
		check(err)
		found := results[index]
		for _, name := range path[1:] {
			found = found.(members)[name]
		}
		return found
	case members:
		if repeat, ok := current["$repeat"].([]any); ok {
			return strings.Repeat(repeat[0].(string), int(repeat[1].(float64)))
		}
		resolved := members{}
		for name, each := range current {
			resolved[name] = resolve(each, results)
		}
		return resolved
	}
	return value
}

func textOrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func readFile(name string) []byte {
	text, err := os.ReadFile(name)
	check(err)
	return text
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
