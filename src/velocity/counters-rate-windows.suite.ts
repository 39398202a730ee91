/** Defines what a rate-limit window admits, and when the next request may come. */
import { expect, it } from 'vitest';
import type { Counters } from './counters.ts';

export function describeRateWindows(current: () => Counters, start: number): void {
  const window = { windowMs: 5000, admits: 2 };
  const admit = (ms: number, admits = 2) => current().admit('key', { ...window, admits }, start + ms);

  it('admits as many requests as the window allows, and says when the next may come', async () => {
    expect(await admit(0)).toEqual({ admitted: true, remaining: 1, retryAt: start });
    expect(await admit(10)).toEqual({ admitted: true, remaining: 0, retryAt: start + 5000 });
    expect(await admit(20)).toEqual({ admitted: false, remaining: 0, retryAt: start + 5000 });
  });

  it.each([
    [4999, false],
    [5000, true],
    [5001, true],
  ])('after %i ms of a full window of 5000 it admits: %s', async (ms, admitted) => {
    await admit(0);
    await admit(0);
    expect((await admit(ms)).admitted).toBe(admitted);
  });

  it('does not count a refused request', async () => {
    await admit(0);
    await admit(0);
    await admit(4999);
    expect(await admit(5000)).toMatchObject({ admitted: true, remaining: 1 });
  });

  it('peeks without counting', async () => {
    expect(await current().peek('key', window, start)).toEqual({
      admitted: true,
      remaining: 2,
      retryAt: start,
    });
    await admit(0);
    expect(await current().peek('key', window, start)).toEqual({
      admitted: true,
      remaining: 1,
      retryAt: start,
    });
    await admit(1);
    const full = { admitted: false, remaining: 0, retryAt: start + 5000 };
    expect(await current().peek('key', window, start + 2)).toEqual(full);
  });

  it('follows a change of plan in the middle of a window', async () => {
    for (const ms of [0, 1, 2, 3]) await admit(ms, 4);
    expect(await admit(4, 2)).toEqual({ admitted: false, remaining: 0, retryAt: start + 5002 });
    expect(await admit(4, 6)).toEqual({ admitted: true, remaining: 1, retryAt: start + 4 });
  });

  it('stays exact while its limit grows', async () => {
    for (let ms = 0; ms < 8; ms += 1) await admit(ms, 8);
    for (let ms = 5000; ms < 5008; ms += 1) expect((await admit(ms, 8)).admitted).toBe(true);
    expect(await admit(5008, 20)).toMatchObject({ admitted: true, remaining: 11 });
    expect(await admit(10_003, 20)).toMatchObject({ admitted: true, remaining: 14 });
    expect(await admit(10_003, 6)).toEqual({ admitted: false, remaining: 0, retryAt: start + 10_004 });
  });

  it('keeps buckets apart', async () => {
    await admit(0, 1);
    expect((await current().admit('other', { windowMs: 5000, admits: 1 }, start)).admitted).toBe(true);
  });

  it('admits exactly the limit of many simultaneous requests', async () => {
    const states = await Promise.all(Array.from({ length: 100 }, () => admit(0, 30)));
    expect(states.filter(({ admitted }) => admitted)).toHaveLength(30);
    expect(new Set(states.filter(({ admitted }) => admitted).map(({ remaining }) => remaining)).size).toBe(
      30,
    );
  });
}
