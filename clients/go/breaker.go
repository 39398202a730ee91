package gatehouse

import (
	"sync"
	"time"
)

// Breaker says when calls fail at once because the last ones failed.
type Breaker struct {
	// Failures in a row until it opens; 0: the default of 5.
	Failures int
	// Open is how long no call is sent, until one may try again; 0: the default of 10 seconds.
	Open time.Duration
	// Off lets every call be sent.
	Off bool
}

// trialWait is the wait that is named while another call is the trial.
const trialWait = time.Second

type outcome int

const (
	// unknown: the call ended without a result.
	unknown outcome = iota
	success
	failure
)

type circuitBreaker struct {
	options        Breaker
	mutex          sync.Mutex
	failures       int
	openUntil      time.Time
	isTrialRunning bool
}

// admit returns either a function that must record the outcome of the call, or how long the call must wait.
func (b *circuitBreaker) admit() (func(outcome), time.Duration) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.options.Off || b.failures < b.options.Failures {
		return func(result outcome) { b.record(result, false) }, 0
	}
	if b.isTrialRunning {
		return nil, trialWait
	}
	if wait := time.Until(b.openUntil); wait > 0 {
		return nil, wait
	}
	b.isTrialRunning = true
	return func(result outcome) { b.record(result, true) }, 0
}

func (b *circuitBreaker) record(result outcome, isTrial bool) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if isTrial {
		b.isTrialRunning = false
	}
	switch result {
	case success:
		b.failures = 0
	case failure:
		b.failures++
		if b.failures >= b.options.Failures {
			b.openUntil = time.Now().Add(b.options.Open)
		}
	}
}
