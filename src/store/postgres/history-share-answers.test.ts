import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createShareAnswers } from './history-share-answers.ts';

const OPTIONS = {
  atOnce: 2,
  atOncePerAccount: 2,
  maxWaiting: 10,
  maxWaitingPerAccount: 10,
  patienceMs: 60_000,
  keepMs: 60_000,
  toLateError: () => new Error('too long'),
  toFullError: () => new Error('too many'),
};

const never = () => new Promise<never>(() => {});

describe('sharing answers', () => {
  it('runs a query once for all who ask the same at the same time, and again later', async () => {
    const share = createShareAnswers(OPTIONS);
    let runs = 0;
    const ask = () =>
      share('acc_a', 'overview', async () => {
        runs += 1;
        return runs;
      });
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    expect(await ask()).toBe(2);
  });

  it('runs few queries at once, and the others in turn, also after a failed one', async () => {
    const share = createShareAnswers(OPTIONS);
    let [running, maxRunning] = [0, 0];
    const order: number[] = [];
    const ask = (name: number) =>
      share('acc_a', String(name), async () => {
        order.push(name);
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await new Promise(setImmediate);
        running -= 1;
        if (name === 1) throw new Error('broken');
      });
    const answers = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(ask));
    expect(maxRunning).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    await expect(ask(1)).rejects.toThrow('broken');
  });

  it('refuses a caller that waited too long, but finishes, and has the answer for the next caller', async () => {
    const share = createShareAnswers({ ...OPTIONS, patienceMs: 5 });
    let open = () => {};
    let runs = 0;
    const ask = () =>
      share('acc_a', 'sums', async () => {
        runs += 1;
        await new Promise<void>((resolve) => {
          open = resolve;
        });
        return 'all of it';
      });
    await expect(ask()).rejects.toThrow('too long');
    await expect(ask()).rejects.toThrow('too long');
    open();
    await sleep(1);
    expect(await ask()).toBe('all of it');
    expect(runs).toBe(1);
  });

  it('refuses at once if too many wait', async () => {
    const share = createShareAnswers({ ...OPTIONS, atOnce: 1, maxWaiting: 1 });
    for (const accountId of ['acc_a', 'acc_b']) void share(accountId, 'sums', never);
    await expect(share('acc_c', 'sums', never)).rejects.toThrow('too many');
  });

  it('serves other accounts while one account asks for more than its share', async () => {
    const share = createShareAnswers({ ...OPTIONS, atOncePerAccount: 1, maxWaitingPerAccount: 2 });
    let end = () => {};
    const ended = share(
      'acc_a',
      'first',
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const second = share('acc_a', 'second', async () => 'in turn');
    void share('acc_a', 'third', never);
    await expect(share('acc_a', 'fourth', never)).rejects.toThrow('too many');
    expect(await share('acc_b', 'first', async () => 'at once')).toBe('at once');
    end();
    await ended;
    expect(await second).toBe('in turn');
  });
});
