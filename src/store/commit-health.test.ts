import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCommitHealth } from './commit-health.ts';

const full = new Error('the disk is full');

describe('the health of commits', () => {
  let broken: boolean;
  let changes: [boolean, string | undefined][];
  let rehearsals: number;
  const make = () =>
    createCommitHealth({
      async rehearse() {
        rehearsals += 1;
        if (broken) throw full;
      },
      onChange: (able, error) => changes.push([able, error?.message]),
    });
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    broken = true;
    changes = [];
    rehearsals = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is lost after five seconds without a commit, and good again with the first commit', async () => {
    const health = make();
    health.failed(full);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(health.canCommit()).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([health.canCommit(), changes]).toEqual([false, [[false, full.message]]]);
    broken = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([health.canCommit(), changes.at(-1)]).toEqual([true, [true, undefined]]);
    const before = rehearsals;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rehearsals).toBe(before);
  });

  it('is not lost while some commits succeed', async () => {
    const health = make();
    for (let second = 0; second < 20; second += 1) {
      health.failed(full);
      await vi.advanceTimersByTimeAsync(900);
      health.succeeded();
    }
    expect([health.canCommit(), changes]).toEqual([true, []]);
  });

  it('tests a database that hangs only once', async () => {
    let rehearsals = 0;
    const health = createCommitHealth({
      rehearse() {
        rehearsals += 1;
        return new Promise(() => {});
      },
      onChange() {},
    });
    health.failed(full);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rehearsals).toBe(1);
    health.failed(full);
    expect(health.canCommit()).toBe(false);
  });
});
