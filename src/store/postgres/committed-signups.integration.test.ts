import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAssessment } from '../../../test/support/an-assessment.ts';
import { newMigratedDatabase } from '../../../test/support/shared-servers.ts';
import type { Store } from '../store.ts';
import { openSharedSignups } from './committed-signups.ts';
import { openDatabase } from './database.ts';
import { openPostgresStore } from './postgres.ts';

const AT = Date.UTC(2026, 4, 10, 10, 14, 33);
const PATIENCE = { timeout: 60_000, interval: 20 };

let url: string;
let store: Store;
beforeAll(async () => {
  url = await newMigratedDatabase();
  store = await openPostgresStore({ url });
});
afterAll(() => store.close());

const follow = () =>
  openSharedSignups({ url, since: AT - 1, make: ({ addressHash, at }) => ({ addressHash, at }) });

describe('nodes that follow the same signups', () => {
  it('take turns: one reads, the next goes on when its connection is gone', async () => {
    await store.record(anAssessment({ at: AT, addressHash: 'first' }));
    const [one, other] = [follow(), follow()];
    expect(await one.next()).toEqual([{ addressHash: 'first', at: AT }]);
    expect(await other.next()).toBeNull();
    const database = openDatabase({ url, connections: 1 });
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse waves'",
    );
    await store.record(anAssessment({ at: AT + 1, addressHash: 'second' }));
    await expect.poll(() => other.next().then((read) => read?.length), PATIENCE).toBe(2);
    await expect.poll(() => one.next().catch((error: Error) => error.message), PATIENCE).toBeNull();
    await other.close();
    // Signups that it had read before do not come again.
    await expect.poll(() => one.next(), PATIENCE).toEqual([{ addressHash: 'second', at: AT + 1 }]);
    await Promise.all([one.close(), database.close()]);
  });

  it('leave out the sandbox', async () => {
    await store.record(anAssessment({ at: AT + 10, addressHash: 'sandbox', mode: 'test' }));
    await store.record(anAssessment({ at: AT + 11, addressHash: 'live' }));
    const signups = follow();
    const read: string[] = [];
    await expect
      .poll(async () => {
        read.push(...((await signups.next()) ?? []).map(({ addressHash }) => addressHash));
        return read.at(-1);
      }, PATIENCE)
      .toBe('live');
    expect(read).not.toContain('sandbox');
    await signups.close();
  });
});
