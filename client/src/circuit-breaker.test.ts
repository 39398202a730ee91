import { describe, expect, it } from 'vitest';
import { type CallOutcome, createCircuitBreaker } from './circuit-breaker.ts';

function scene() {
  let nowMs = 1000;
  const breaker = createCircuitBreaker({ failures: 3, openMs: 500 }, () => nowMs);
  return {
    breaker,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** @returns the wait, when it was not admitted */
    callThat: (outcome: CallOutcome) => {
      const admission = breaker.admit();
      if ('waitMs' in admission) return admission.waitMs;
      admission.record(outcome);
      return 'sent';
    },
  };
}

describe('the circuit breaker', () => {
  it('opens after failures in a row, which a success between them interrupts', () => {
    const { callThat } = scene();
    for (const outcome of ['failure', 'failure', 'success', 'failure', 'failure', 'unknown'] as const)
      expect(callThat(outcome)).toBe('sent');
    expect(callThat('failure')).toBe('sent');
    expect(callThat('success')).toBe(500);
  });

  it('lets one call at a time try again, until one succeeds', () => {
    const { breaker, callThat, pass } = scene();
    for (let i = 0; i < 3; i += 1) callThat('failure');
    pass(499);
    expect(callThat('success')).toBe(1);
    pass(1);
    const trial = breaker.admit();
    expect(callThat('success')).toBe(1000);
    if ('record' in trial) trial.record('failure');
    expect(callThat('success')).toBe(500);
    pass(500);
    expect(callThat('unknown')).toBe('sent');
    expect(callThat('success')).toBe('sent');
    const all = [breaker.admit(), breaker.admit(), breaker.admit()];
    expect(all.every((admission) => 'record' in admission)).toBe(true);
  });
});
