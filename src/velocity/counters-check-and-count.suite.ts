/** `checkAndCount`: one call that admits and counts. Part of the counters suite. */
import { expect, it } from 'vitest';
import type { VelocityEvent } from '../model/velocity-event.ts';
import type { Counters } from './counters.ts';

export function describeCheckAndCount(current: () => Counters, signup: VelocityEvent): void {
  const start = signup.at;
  const checkAndCount = (ms: number, admits: number) =>
    current().checkAndCount({
      bucket: 'acc_a:live',
      window: { windowMs: 5000, admits },
      credit: null,
      event: { ...signup, at: start + ms },
    });

  it('admits and counts in one call', async () => {
    expect(await checkAndCount(0, 2)).toMatchObject({
      rate: { admitted: true, remaining: 1, retryAt: start },
      credit: 'unknown',
      counted: { counts: { network1h: 1, domain24h: 1, partial: false } },
    });
    expect(await checkAndCount(1, 2)).toMatchObject({
      rate: { admitted: true, remaining: 0 },
      counted: { counts: { network1h: 2, domain24h: 1 } },
    });
  });

  it('does not count an attempt that the window refuses', async () => {
    await checkAndCount(0, 1);
    expect(await checkAndCount(1, 1)).toMatchObject({
      rate: { admitted: false, remaining: 0, retryAt: start + 5000 },
      credit: 'unknown',
      counted: null,
    });
    expect((await checkAndCount(5000, 1)).counted?.counts.network1h).toBe(2);
  });

  it('shares its window with requests that are only admitted', async () => {
    const window = { windowMs: 5000, admits: 2 };
    await current().admit('acc_a:live', window, start);
    expect((await checkAndCount(1, 2)).rate).toMatchObject({ admitted: true, remaining: 0 });
    expect((await current().admit('acc_a:live', window, start + 2)).admitted).toBe(false);
    expect((await current().admit('acc_a:test', window, start + 2)).admitted).toBe(true);
  });

  it('undoes the count of an attempt, but not its place in the window', async () => {
    const { counted } = await checkAndCount(0, 1);
    await counted?.undo();
    expect((await checkAndCount(1, 1)).rate?.admitted).toBe(false);
    expect((await checkAndCount(5000, 1)).counted?.counts.network24h).toBe(1);
  });
}
