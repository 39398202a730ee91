import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ChangePoller, createChangePoller } from './change-poller.ts';

/** A busy machine polls late. */
const PATIENT = { timeout: 90_000 };

describe('the change poller', () => {
  let followed: ChangePoller;
  let hint = () => {};
  afterEach(() => followed.close());

  function begin(
    refresh: () => Promise<void>,
    clock: () => number = Date.now,
    commitMark: () => number | undefined = () => undefined,
  ) {
    const faults: string[] = [];
    followed = createChangePoller({
      parts: [{ name: 'accounts', refresh }],
      onHint: (listener) => {
        hint = listener;
        return () => {
          hint = () => {};
        };
      },
      commitMark,
      clock,
      onFault: (name, error) => faults.push(`${name}: ${error.message}`),
    });
    return faults;
  }

  it('polls regularly, and at once after a hint', async () => {
    let reads = 0;
    begin(async () => {
      reads += 1;
    });
    hint();
    expect(reads).toBe(1);
    await vi.waitUntil(() => reads > 1, PATIENT);
  });

  it('reads only every four seconds while nothing is committed', async () => {
    let [reads, mark, now, broken] = [0, 7, 0, false];
    const faults = begin(
      async () => {
        reads += 1;
        if (broken) throw new Error('gone');
      },
      () => now,
      () => mark,
    );
    await vi.waitUntil(() => reads === 1, PATIENT);
    await sleep(1_100);
    expect(reads).toBe(1);
    mark = 8;
    await vi.waitUntil(() => reads === 2, PATIENT);
    now += 4_000;
    await vi.waitUntil(() => reads >= 3, PATIENT);
    reads = 3;
    broken = true;
    mark = 9;
    await vi.waitUntil(() => reads >= 5, PATIENT);
    expect(faults.length).toBeGreaterThan(1);
  });

  it('reads once more when a hint comes during a read, and never twice at the same time', async () => {
    let [reads, atOnce, maxAtOnce] = [0, 0, 0];
    begin(async () => {
      reads += 1;
      maxAtOnce = Math.max(maxAtOnce, ++atOnce);
      await sleep(50);
      atOnce -= 1;
    });
    for (let turn = 0; turn < 5; turn += 1) hint();
    await sleep(150);
    expect(reads).toBe(2);
    expect(maxAtOnce).toBe(1);
  });

  it('is not fresh after 10 s without an answer, until there is one again', async () => {
    let now = 1_000;
    let broken = true;
    const faults = begin(
      async () => {
        if (broken) throw new Error('gone');
      },
      () => now,
    );
    hint();
    await sleep(20);
    expect(faults).toEqual(['accounts: gone']);
    for (; now < 10_999; now += 500) expect(followed.isFresh(now)).toBe(true);
    expect(followed.isFresh(10_999)).toBe(true);
    expect(followed.isFresh(11_000)).toBe(false);
    now = 11_000;
    broken = false;
    hint();
    await sleep(20);
    expect(followed.isFresh(now)).toBe(true);
  });

  it('stays fresh when only data that may be old cannot be read', async () => {
    let now = 1_000;
    const faults: string[] = [];
    const gone = async () => {
      throw new Error('gone');
    };
    followed = createChangePoller({
      parts: [
        { name: 'accounts', refresh: async () => {} },
        { name: 'mail hosts', refresh: gone, mayBeOld: true },
      ],
      onHint: (listener) => {
        hint = listener;
        return () => {};
      },
      commitMark: () => undefined,
      clock: () => now,
      onFault: (name) => faults.push(name),
    });
    for (; now < 20_000; now += 500) {
      hint();
      await sleep(1);
      expect(followed.isFresh(now)).toBe(true);
    }
    expect(new Set(faults)).toEqual(new Set(['mail hosts']));
  });

  it('is not fresh after the process was stopped, until everything is read again', async () => {
    let now = 1_000;
    let finish = () => {};
    begin(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
      () => now,
    );
    hint();
    expect(followed.isFresh(now)).toBe(true);
    now += 999;
    expect(followed.isFresh(now)).toBe(true);
    now += 1_000;
    expect(followed.isFresh(now)).toBe(false);
    // The read in progress may contain older data.
    finish();
    await sleep(20);
    expect(followed.isFresh(now)).toBe(false);
    finish();
    await sleep(20);
    expect(followed.isFresh(now)).toBe(true);
    now -= 5_000;
    expect(followed.isFresh(now)).toBe(true);
  });

  it('does not count a read that began long ago as fresh', async () => {
    let now = 0;
    begin(
      async () => {
        now += 30_000;
      },
      () => now,
    );
    hint();
    await sleep(20);
    expect(followed.isFresh(now)).toBe(false);
  });

  it('becomes fresh within a moment after a stall, unless nothing can be read', async () => {
    let now = 1_000;
    let broken = false;
    begin(
      async () => {
        await sleep(20);
        if (broken) throw new Error('gone');
      },
      () => now,
    );
    now += 2_000;
    expect(followed.isFresh(now)).toBe(false);
    expect(await followed.becomeFresh()).toBe(true);
    now += 2_000;
    expect(followed.isFresh(now)).toBe(false);
    now += 500;
    expect(await followed.becomeFresh()).toBe(false);
    expect(await followed.becomeFresh()).toBe(false);
    await sleep(100);
    expect(await followed.becomeFresh()).toBe(true);
    broken = true;
    now += 2_000;
    expect(followed.isFresh(now)).toBe(false);
    expect(await followed.becomeFresh()).toBe(false);
  });
});
