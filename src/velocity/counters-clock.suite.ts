/** Defines what counters must do when the clock steps back or ahead: nothing is refused or counted for longer than a window. */
import { describe, expect, it } from 'vitest';
import { IS_LONG } from '../../test/support/long-version.ts';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { countIn } from './count-in.suite.ts';
import type { Counters } from './counters.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The clock steps by `ms` in the middle: for good, or for ten minutes. */
const STEPS: readonly [name: string, ms: number, forGood: boolean][] = [
  ['2 s back', -2 * SECOND_MS, true],
  ['10 s back', -10 * SECOND_MS, true],
  ['55 s back', -55 * SECOND_MS, true],
  ['1 h back', -HOUR_MS, true],
  ['2 h back', -2 * HOUR_MS, true],
  ['2 h ahead', 2 * HOUR_MS, true],
  ['2 h ahead and back', 2 * HOUR_MS, false],
  ['60 d ahead and back', 60 * DAY_MS, false],
  ['60 d back and ahead', -60 * DAY_MS, false],
];

/** Minutes around each step, when the clock may be wrong; the long version also checks long after it. */
const SPANS = IS_LONG
  ? [[25, 45]]
  : [
      [29, 32],
      [39, 42],
    ];
const TICK_MS = 6 * SECOND_MS;
const TICKS = SPANS.flatMap(([from = 0, to = 0]) =>
  Array.from({ length: ((to - from) * MINUTE_MS) / TICK_MS }, (_, tick) => from * MINUTE_MS + tick * TICK_MS),
);

export function describeClockSteps(current: () => Counters, signup: VelocityEvent): void {
  const window = { windowMs: 5 * SECOND_MS, admits: 10 };

  describe.each(STEPS)('a clock that steps %s', (_name, step, forGood) => {
    /** Time that the clock shows after `elapsed` milliseconds; the step comes after 30 minutes. */
    const shown = (elapsed: number) => {
      const stepped = elapsed >= 30 * MINUTE_MS && (forGood || elapsed < 40 * MINUTE_MS);
      return signup.at + elapsed + (stepped ? step : 0);
    };

    it('never makes a rate limit refuse for longer than its window', async () => {
      for (const elapsed of TICKS) {
        const now = shown(elapsed);
        const wentBack = now - shown(elapsed - TICK_MS) < window.windowMs;
        const requests = Array.from({ length: wentBack ? 0 : 10 }, () =>
          current().admit('bucket', window, now),
        );
        const refusals = (await Promise.all(requests)).filter(({ admitted }) => !admitted);
        expect(refusals, `at ${elapsed}`).toEqual([]);
        const refused = await current().admit('bucket', window, now);
        if (!wentBack) expect(refused.admitted).toBe(false);
        expect(refused.retryAt - now).toBeLessThanOrEqual(window.windowMs);
      }
    });

    it('keeps a full rate limit full for one window after a step back, and no longer', async () => {
      const before = shown(30 * MINUTE_MS - 100);
      const now = before + step;
      for (let request = 0; request < 10; request += 1) await current().admit('full', window, before);
      const refused = await current().admit('full', window, now);
      expect(refused.admitted).toBe(step >= window.windowMs);
      if (step > 0) return;
      expect(refused.retryAt).toBe(now + window.windowMs);
      expect((await current().admit('full', window, now + window.windowMs)).remaining).toBe(9);
    });

    it('never makes velocity count more than the attempts of an hour and of a day', async () => {
      let maxCounts = { network1h: 0, network24h: 0, domain1h: 0, mailbox24h: 0 };
      let minutes = 0;
      for (let elapsed = 0; elapsed <= 170 * MINUTE_MS; elapsed += MINUTE_MS) {
        minutes += 1;
        const attempt = {
          ...signup,
          id: `step_${step}_${forGood}_${minutes}`,
          at: shown(elapsed),
          addressHash: `a${minutes}`,
        };
        const { counts } = await countIn(current(), attempt);
        expect(counts.network24h).toBeLessThanOrEqual(minutes);
        maxCounts = {
          network1h: Math.max(maxCounts.network1h, counts.network1h),
          network24h: Math.max(maxCounts.network24h, counts.network24h),
          domain1h: Math.max(maxCounts.domain1h, counts.domain1h),
          mailbox24h: Math.max(maxCounts.mailbox24h, counts.mailbox24h),
        };
        // An hour after the last step, it has no effect any more.
        if (elapsed > 110 * MINUTE_MS) expect(counts.network1h, `at ${elapsed}`).toBe(60);
      }
      // The minute of a step may count twice.
      expect(maxCounts.network1h).toBeLessThanOrEqual(61);
      expect(maxCounts.domain1h).toBeLessThanOrEqual(61);
    });
  });
}
