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
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'performance'],
    });
    broken = true;
    changes = [];
    rehearsals = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is lost with the first failure, which is reported once, and good again with the first commit', async () => {
    const health = make();
    health.failed(full);
    expect([health.canCommit(), changes]).toEqual([false, [[false, full.message]]]);
    for (let second = 0; second < 20; second += 1) {
      health.failed(full);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(changes).toHaveLength(1);
    broken = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([health.canCommit(), changes.at(-1)]).toEqual([true, [true, undefined]]);
    const before = rehearsals;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rehearsals).toBe(before);
  });

  it('tries at once, so a single failure lasts no longer than a commit', async () => {
    const health = make();
    broken = false;
    health.failed(full);
    expect(health.canCommit()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([health.canCommit(), rehearsals]).toEqual([true, 1]);
  });

  it('is not lost by a suspicion, but by the trial commit that follows it', async () => {
    const health = make();
    health.suspect();
    expect(health.canCommit()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect([health.canCommit(), changes]).toEqual([false, [[false, full.message]]]);
  });

  it('reports the end of a suspicion that was wrong', async () => {
    const health = make();
    broken = false;
    health.suspect();
    await vi.advanceTimersByTimeAsync(1);
    expect([health.canCommit(), changes]).toEqual([true, [[true, undefined]]]);
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

  it('of a command makes no trial, which would keep it from ending', async () => {
    const health = createCommitHealth({ onChange() {} });
    health.failed(full);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(health.canCommit()).toBe(false);
  });
});
