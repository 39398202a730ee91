import { expect, it } from 'vitest';
import type { CommittedSignups } from '../store/committed-signups.ts';
import { createSignupEvents, type SeenSignup } from './signup-events.ts';

const NOW = Date.UTC(2026, 10, 28, 12);
const DAY_MS = 86_400_000;

it('goes on where the node that followed before has stopped, however long ago this one started', async () => {
  let storedUntil = NOW;
  let otherFollows = true;
  const starts: number[] = [];
  const stored: string[] = [];
  const follow = async (since: number): Promise<CommittedSignups<SeenSignup>> => {
    const all = [0, 9, 10].map((day): SeenSignup => {
      const at = NOW + day * DAY_MS;
      return { requestId: `req_${day}`, accountId: 'acc_a', at, verdict: 'block' };
    });
    const left = all.filter(({ at }) => at >= since);
    return {
      async next() {
        if (otherFollows) return null;
        starts.push(since);
        return left.splice(0);
      },
      async close() {},
    };
  };
  const signups = createSignupEvents({
    follow,
    store: {
      wantedSignups: async () => ({
        since: storedUntil,
        verdicts: new Map([['acc_a', new Set(['block'] as const)]]),
      }),
      async saveSignupEvents(events) {
        stored.push(...events.map(({ object }) => object));
      },
    },
  });
  await signups.step();
  // The other node follows for days, and ends.
  storedUntil = NOW + 9 * DAY_MS;
  await signups.step();
  otherFollows = false;
  await signups.step();
  expect(stored).toEqual(['req_9', 'req_10']);
  expect(starts[0]).toBeGreaterThan(NOW + 8 * DAY_MS);
  await signups.close();
});
