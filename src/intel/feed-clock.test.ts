/** A clock that steps does not stop the fetching of feeds, and does not make them stale. */
import { expect, it } from 'vitest';
import { createSteadyClock } from '../platform/steady-clock.ts';
import type { Feed } from './feed.ts';
import { createSchedule, isDue } from './feed-schedule.ts';
import { type FeedState, newState } from './feed-state.ts';
import { feedStatus } from './feed-status.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 4, 10);
const feed = { id: 'a', url: 'https://a.example', enabled: true, everyHours: 12 } as Feed;

interface Step {
  readonly ms: number;
  /** How long the step lasts; it begins in the middle of the third day. */
  readonly forMs: number;
  /** The service starts again while the clock is wrong, and when it is right again. */
  readonly restarts?: boolean;
}

/** Ten days with one step of the clock, and one poll a minute. */
function live({ ms, forMs, restarts = false }: Step) {
  let elapsed = 0;
  const steppedAt = 2.5 * DAY_MS;
  const isOff = () => elapsed >= steppedAt && elapsed < steppedAt + forMs;
  const start = () => {
    const startedAt = elapsed;
    return createSteadyClock({
      wall: () => START + elapsed + (isOff() ? ms : 0),
      monotonic: () => elapsed - startedAt,
      patienceMs: HOUR_MS,
    });
  };
  let clock = start();
  let state: FeedState = newState(feed.url);
  const fetches: number[] = [];
  let stale = 0;
  for (; elapsed < 10 * DAY_MS; elapsed += MINUTE_MS) {
    if (restarts && (elapsed === steppedAt + 5 * MINUTE_MS || elapsed === steppedAt + forMs)) clock = start();
    const now = clock();
    if (isDue(feed, state.dueAt, now)) {
      fetches.push(elapsed);
      const version = { version: '1', fetchedAt: now, seenAt: now, entries: 1 };
      const dueAt = createSchedule({ clock: () => now, random: () => 1 }).next(feed, 'good', 0);
      state = { ...state, current: '1', versions: [version], dueAt };
    }
    if (feedStatus(feed, state, now).condition !== 'ok') stale += 1;
  }
  const gaps = [...fetches.slice(1), elapsed].map((at, index) => at - (fetches[index] as number));
  return { maxGapHours: Math.max(...gaps) / HOUR_MS, fetches: fetches.length, stale };
}

it.each<[string, Step]>([
  ['1 h back for good', { ms: -HOUR_MS, forMs: 30 * DAY_MS }],
  ['60 d back and ahead again', { ms: -60 * DAY_MS, forMs: DAY_MS }],
  ['60 d ahead for ten minutes', { ms: 60 * DAY_MS, forMs: 10 * MINUTE_MS }],
  ['60 d ahead for a day', { ms: 60 * DAY_MS, forMs: DAY_MS }],
  ['60 d ahead for a day, with restarts', { ms: 60 * DAY_MS, forMs: DAY_MS, restarts: true }],
  ['60 d back for a day, with restarts', { ms: -60 * DAY_MS, forMs: DAY_MS, restarts: true }],
])('a feed of 12 h is fetched as usual by a clock that steps %s', (_name, step) => {
  const { maxGapHours, fetches, stale } = live(step);
  expect(maxGapHours).toBeLessThan(13.3);
  expect(fetches).toBeLessThan(22);
  expect(stale).toBe(0);
});
