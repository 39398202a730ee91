import { expect, it } from 'vitest';
import type { VelocityEvent } from '../model/velocity-event.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import { createMemoryCounters } from './memory/memory.ts';
import { createSteadyCounters } from './steady-counters.ts';

const START = Date.UTC(2026, 0, 15);
const HOUR_MS = 3_600_000;
const WINDOW = { windowMs: 5_000, admits: 3 };
const EVENT: VelocityEvent = {
  id: 'req_1',
  account: 'acc_a',
  at: START,
  network: '203.0.113.7',
  domain: 'example.com',
  addressHash: 'ada',
  mailbox: 'ada',
};

it.each([-HOUR_MS, -55_000, -10_000, -2_000, 0, 2_000, 55_000, 2 * HOUR_MS, 1440 * HOUR_MS])(
  'a wall clock that steps by %i ms neither stops nor opens a window, and retry times follow the wall clock',
  async (step) => {
    let [wall, monotonic] = [START, 0];
    const clock = createSteadyClock({
      wall: () => wall,
      monotonic: () => monotonic,
      jumpMs: 250,
      patienceMs: HOUR_MS,
    });
    const counters = createSteadyCounters(createMemoryCounters(), clock);
    const arrive = async () =>
      counters.checkAndCount({ bucket: 'live', window: WINDOW, credit: null, event: { ...EVENT, at: wall } });
    for (let request = 0; request < WINDOW.admits; request += 1)
      expect((await arrive()).rate?.admitted).toBe(true);
    wall += step;
    const wait = { admitted: false, remaining: 0, retryAt: wall + WINDOW.windowMs };
    expect((await arrive()).rate).toEqual(wait);
    expect(await counters.admit('live', WINDOW, wall)).toEqual(wait);
    expect(await counters.peek('live', WINDOW, wall)).toEqual(wait);

    wall += WINDOW.windowMs;
    monotonic += WINDOW.windowMs;
    const { rate, counted } = await arrive();
    expect(rate).toEqual({ admitted: true, remaining: 2, retryAt: wall });
    expect(counted?.counts.network1h).toBe(4);
  },
);
