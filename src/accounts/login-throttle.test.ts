/** The wait before another try of a secret: how it grows, its maximum, when it ends, and clocks that step. */
import { describe, expect, it } from 'vitest';
import { createLoginThrottle, type FailureCount, type LoginAttempt, type Pace } from './login-throttle.ts';

const HOUR_MS = 3_600_000;
const START = 1_800_000_000_000;
const PACE: Pace = { free: 3, maxWaitMs: 60_000, forgetMs: 360_000, forgivable: true };
const of = (name: string, pace: Partial<Pace> = {}): FailureCount => ({ name, pace: { ...PACE, ...pace } });

function attack(maxNames?: number) {
  const throttle = createLoginThrottle(maxNames);
  const waitMs = (now: number, ...counts: FailureCount[]) => {
    const attempt = throttle.begin(counts, now);
    return 'waitMs' in attempt ? attempt.waitMs : 0;
  };
  const begin = (now: number, ...counts: FailureCount[]) => throttle.begin(counts, now) as LoginAttempt;
  return { waitMs, begin };
}

/** How many tries a client gets that never stops. */
function triesIn(durationMs: number, { waitMs }: ReturnType<typeof attack>, name: string): number {
  let tries = 0;
  for (let now = START; now < START + durationMs; ) {
    const wait = waitMs(now, of(name));
    if (wait === 0) tries += 1;
    now += wait;
  }
  return tries;
}

describe('the wait after failures', () => {
  it('grows from zero to its maximum', () => {
    const { waitMs } = attack();
    const waits: number[] = [];
    let now = START;
    for (const _ of [1, 2, 3]) expect(waitMs(now, of('a'))).toBe(0);
    while (waits.length < 8) {
      const wait = waitMs(now, of('a'));
      waits.push(wait / 1000);
      now += wait;
      expect(waitMs(now, of('a'))).toBe(0);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('allows about one try a minute to a client that never stops', () => {
    const tries = triesIn(HOUR_MS, attack(), 'a');
    expect(tries).toBeGreaterThan(60);
    expect(tries).toBeLessThan(75);
  });

  it('counts parallel tries before any of them has a result, but no tries during the wait', () => {
    const { waitMs } = attack();
    expect([0, 1, 2, 3, 4].map(() => waitMs(START, of('a')))).toEqual([0, 0, 0, 1000, 1000]);
    expect(waitMs(START, of('a'), of('b'))).toBe(1000);
    expect([0, 1, 2, 3].map(() => waitMs(START, of('b')))).toEqual([0, 0, 0, 1000]);
  });

  it('ends when the right secret was entered, where one right secret clears all failures', () => {
    const { waitMs, begin } = attack();
    for (const _ of [1, 2]) waitMs(START, of('a'), of('shared', { forgivable: false }));
    begin(START, of('a'), of('shared', { forgivable: false })).succeeded();
    expect([0, 1, 2].map(() => waitMs(START, of('a')))).toEqual([0, 0, 0]);
    expect([0, 1].map(() => waitMs(START, of('shared', { forgivable: false })))).toEqual([0, 1000]);
  });

  it('is not caused by tries whose secret was never checked', () => {
    const { waitMs, begin } = attack();
    for (let at = 0; at < 50; at += 1) begin(START, of('a')).withdrawn();
    expect(waitMs(START, of('a'))).toBe(0);
  });

  it('decreases step by step', () => {
    const { waitMs } = attack();
    triesIn(HOUR_MS, { waitMs, begin: () => undefined as never }, 'a');
    const later = START + 2.5 * HOUR_MS;
    expect([0, 1, 2, 3].map(() => waitMs(later, of('a')))).toEqual([0, 0, 0, 1000]);
  });

  it('is stored for a limited number of names', () => {
    const { waitMs } = attack(10);
    for (const _ of [1, 2, 3]) waitMs(START, of('first'));
    for (let at = 0; at < 9; at += 1) waitMs(START, of(`n${at}`));
    expect(waitMs(START, of('first'))).toBe(1000);
    waitMs(START, of('one more'));
    expect(waitMs(START, of('first'))).toBe(0);
  });
});

describe('a clock that steps', () => {
  it.each([-HOUR_MS, 2 * HOUR_MS, 60 * 24 * HOUR_MS, -60 * 24 * HOUR_MS])(
    'by %i ms makes no wait longer than its maximum',
    (step) => {
      const { waitMs } = attack();
      for (let at = 0; at < 3; at += 1) waitMs(START, of('a'));
      expect(waitMs(START + step, of('a'))).toBeLessThanOrEqual(1000);
      expect(waitMs(START + step + 1001, of('a'))).toBe(0);
      expect(waitMs(START + 2002, of('a'))).toBeLessThanOrEqual(2000);
      expect(waitMs(START + 4003, of('a'))).toBe(0);
    },
  );
});
