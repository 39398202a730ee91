/** How the signups of every store are followed. Part of the suite that each adapter runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { anAssessment } from '../../test/support/an-assessment.ts';
import { createMakeId, type MakeId } from '../contract/identifiers.ts';
import type { CommittedSignups } from './committed-signups.ts';
import type { Store } from './store.ts';
import type { StoredAssessment } from './stored-assessment.ts';

export type FollowSignups = <Signup>(options: {
  readonly since: number;
  readonly make: (stored: StoredAssessment) => Signup | null;
}) => CommittedSignups<Signup>;

/** After those of all other tests. */
const NOW = Date.UTC(2032, 4, 10, 10, 14, 33);
const MANY = 600;
const PATIENCE = { timeout: 60_000, interval: 20 };

export function describeCommittedSignups(
  store: () => Store,
  follow: () => FollowSignups,
  makeId: MakeId,
): void {
  describe('committed signups', () => {
    /** The addresses of an account, in the order in which they come. */
    function followAccount(accountId: string, since: number) {
      const seen: string[] = [];
      const signups = follow()({
        since,
        make: (stored) => (stored.accountId === accountId ? stored.addressHash : null),
      });
      return {
        seen,
        close: signups.close,
        async readAll() {
          for (let rows: readonly string[] | null = ['']; rows === null || rows.length > 0; ) {
            rows = await signups.next();
            if (rows === null) await sleep(PATIENCE.interval);
            seen.push(...(rows ?? []));
          }
          return seen;
        },
      };
    }

    const record = (accountId: string, addressHash: string, at: number, makeIdOf: MakeId = makeId) =>
      store().record(anAssessment({ accountId, addressHash, at, requestId: makeIdOf('req', at) }));

    it('come once each, in order: what was stored before, and what is stored later', async () => {
      const accountId = makeId('acc', NOW);
      await record(accountId, 'old', NOW - 100_000, createMakeId());
      const names = Array.from({ length: MANY }, (_, at) => `address ${at}`);
      for (const [at, name] of names.entries()) await record(accountId, name, NOW + at);
      await record(makeId('acc', NOW), 'of another account', NOW + MANY);
      const following = followAccount(accountId, NOW - 1);
      const first = await following.readAll();
      expect(first.filter((name) => name !== 'old')).toEqual(names);
      expect(await following.readAll()).toHaveLength(first.length);
      await record(accountId, 'late', NOW + MANY + 1);
      await expect.poll(async () => (await following.readAll()).at(-1), PATIENCE).toBe('late');
      await following.close();
    });

    it('come also where their clock was behind', async () => {
      const accountId = makeId('acc', NOW);
      const start = NOW + 100_000;
      await record(accountId, 'first', start);
      const following = followAccount(accountId, start - 10_000);
      await following.readAll();
      await record(accountId, 'behind', start - 5_000, createMakeId());
      await record(accountId, 'ahead', start + 1);
      await expect
        .poll(async () => (await following.readAll()).filter((name) => name !== 'first').toSorted(), PATIENCE)
        .toEqual(['ahead', 'behind']);
      await following.close();
    });
  });
}
