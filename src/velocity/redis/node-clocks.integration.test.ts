/** Nodes whose clocks differ count together on one server as if all clocks were right. */
import { afterAll, expect, it } from 'vitest';
import { openSharedCounters, PATIENT } from '../../../test/support/shared-counters.ts';
import { sharedRedisUrl } from '../../../test/support/shared-servers.ts';
import type { VelocityEvent } from '../../model/velocity-event.ts';
import type { SharedCounters } from './redis.ts';

const HOUR_MS = 3_600_000;
const WINDOW = { windowMs: 5_000, admits: 30 };
const redisUrl = await sharedRedisUrl();
const open: SharedCounters[] = [];
afterAll(() => Promise.all(open.map((counters) => counters.close())));

/** A node whose clock is ahead by this much, until `set` changes it. */
async function node(aheadMs: number) {
  const own = { aheadMs };
  const clock = () => Date.now() + own.aheadMs;
  const counters = await openSharedCounters(redisUrl, {
    ...PATIENT,
    prefix: `clocks${process.pid}:`,
    clock,
  });
  open.push(counters);
  const signup = async (account: string, number: number) => {
    const attempt: VelocityEvent = {
      id: `req_${account}_${number}`,
      account,
      at: clock(),
      network: '203.0.113.7',
      domain: 'example.com',
      addressHash: `address-${number}`,
      mailbox: `address-${number}`,
    };
    const arrived = await counters.checkAndCount({
      bucket: `${account}:live`,
      window: WINDOW,
      credit: null,
      event: attempt,
    });
    return { ...arrived, counts: arrived.counted?.counts, waitMs: (arrived.rate?.retryAt ?? 0) - clock() };
  };
  return { own, signup };
}

it.each([2 * HOUR_MS, -2 * HOUR_MS])(
  'a node whose clock is %i ms ahead counts together with a node whose clock is right',
  async (ahead) => {
    const [right, wrong] = [await node(0), await node(ahead)];
    const account = `acc_${ahead}`;
    for (let number = 1; number <= 30; number += 1) {
      const { counts, rate } = await (number % 2 ? right : wrong).signup(account, number);
      expect(counts).toMatchObject({ network1h: number, domain24h: number, mailbox24h: 1, partial: false });
      expect(rate).toMatchObject({ admitted: true, remaining: 30 - number });
    }
    for (const caller of [right, wrong]) {
      const refused = await caller.signup(account, 31);
      expect(refused.rate?.admitted).toBe(false);
      expect(refused.waitMs).toBeLessThanOrEqual(WINDOW.windowMs + 250);
      expect(refused.waitMs).toBeGreaterThan(-WINDOW.windowMs);
    }
  },
);

it('a node whose clock steps while it counts does not affect other nodes', async () => {
  const [calm, stepping] = [await node(0), await node(0)];
  const steps = [0, -HOUR_MS, 2 * HOUR_MS, 60 * 24 * HOUR_MS, 0];
  for (const [round, aheadMs] of steps.entries()) {
    stepping.own.aheadMs = aheadMs;
    for (const [turn, caller] of [stepping, calm].entries()) {
      const number = round * 2 + turn + 1;
      const { counts } = await caller.signup('acc_step', number);
      expect(counts).toMatchObject({ network1h: number, domain1h: number, partial: false });
    }
  }
});
