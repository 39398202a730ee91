/** How every store must keep jobs that hold accounts at providers, and the connections to these. Part of the suite that each adapter runs. */
import { describe, expect, it } from 'vitest';
import { aDestination } from '../../test/support/a-destination.ts';
import { aConnection, accountsToHold, aTakeBackJob } from '../../test/support/a-take-back.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { ODD } from '../../test/support/fill-store.ts';
import type { MakeId } from '../contract/identifiers.ts';
import type { TakeBackJob } from '../model/take-back.ts';
import type { Store } from './store.ts';

const NOW = Date.UTC(2026, 4, 10, 10, 14, 0);
const LATER = NOW + 60_000;

export function describeTakeBacks(store: () => Store, makeId: MakeId): void {
  async function newAccount(): Promise<string> {
    const id = makeId('acc', NOW);
    await store().saveAccount(anAccount({ id, name: 'take back', createdAt: NOW }));
    return id;
  }

  describe('connections to providers', () => {
    it('are read by their own account alone, changed and removed', async () => {
      const accountId = await newAccount();
      const connection = aConnection(accountId, { name: ODD, realm: ODD });
      await store().saveConnection(connection);
      expect(await store().connections(accountId)).toEqual([connection]);
      const other = await newAccount();
      expect(await store().connections(other)).toEqual([]);
      expect(await store().changeConnection(other, connection.id, { name: 'x' })).toBeUndefined();
      const changes = { perSecond: 3, isSessionUser: true, secret: 'other' };
      const changed = await store().changeConnection(accountId, connection.id, changes);
      expect(changed).toEqual({ ...connection, ...changes });
      expect(await store().removeConnection(other, connection.id)).toBe(false);
      expect(await store().removeConnection(accountId, connection.id)).toBe(true);
      expect(await store().connections(accountId)).toEqual([]);
    });
  });

  describe('jobs that take back', () => {
    async function newJob(fields: Partial<TakeBackJob> = {}, count = 3) {
      const accountId = fields.accountId ?? (await newAccount());
      const job = aTakeBackJob(accountId, fields);
      const accounts = accountsToHold(count, NOW);
      await store().saveTakeBack(job, accounts);
      return { accountId, job, accounts };
    }
    /** Only one job is due in tests that claim: others end. */
    async function claim(accountId: string, now = NOW): Promise<TakeBackJob | undefined> {
      for (;;) {
        const job = await store().claimTakeBack(now, now + 1_000);
        if (job === undefined || job.accountId === accountId) return job;
        await store().directTakeBack(job.accountId, job.id, { ...CANCEL, at: now });
      }
    }
    const CANCEL = { from: ['running'], fromPhase: 'hold', state: 'cancelled', phase: 'hold' } as const;
    const turnOf = ({ id: jobId, run }: TakeBackJob) => ({ jobId, run });

    it('keep their accounts, whom only their own account reads', async () => {
      const { accountId, job, accounts } = await newJob({ name: ODD, by: ODD, attack: 'cmp_wave' }, 450);
      expect(await store().takeBackJob(accountId, job.id)).toEqual(job);
      expect(await store().takeBackJobs(accountId, 9)).toEqual([job]);
      expect(await store().takeBackJobs(accountId, 9, 'cmp_wave')).toEqual([job]);
      expect(await store().takeBackJobs(accountId, 9, 'cmp_other')).toEqual([]);
      expect(await store().takeBackCounts(accountId, job.id)).toMatchObject({ waiting: 450, held: 0 });
      const first = await store().takeBackAccounts(accountId, job.id, '', 400);
      const rest = await store().takeBackAccounts(accountId, job.id, first.at(-1)?.requestId ?? '', 400);
      expect([...first, ...rest].map(({ userId }) => userId)).toEqual(accounts.map(({ userId }) => userId));
      const other = await newAccount();
      expect(await store().takeBackJob(other, job.id)).toBeUndefined();
      expect(await store().takeBackJobs(other, 9)).toEqual([]);
      expect(await store().takeBackAccounts(other, job.id, '', 400)).toEqual([]);
      expect(await store().takeBackCounts(other, job.id)).toMatchObject({ waiting: 0 });
      const change = { ...CANCEL, at: NOW };
      expect(await store().directTakeBack(other, job.id, change)).toBe(false);
      const ids = [{ requestId: accounts[0]?.requestId as string, userId: 'x' }];
      expect(await store().nameTakeBackAccounts(other, job.id, ids)).toBe(0);
    });

    it('are handed to one process at a time, one of each connection', async () => {
      const { accountId, job } = await newJob({ connectionId: 'con_one' });
      await newJob({ accountId, connectionId: 'con_one' });
      const first = await claim(accountId);
      expect(first).toMatchObject({ id: job.id, run: 1 });
      expect(await claim(accountId)).toBeUndefined();
      // Its lease ends: another process takes it, and the first one may write nothing more.
      const second = (await claim(accountId, NOW + 2_000)) as TakeBackJob;
      expect(second).toMatchObject({ id: job.id, run: 2 });
      const old = turnOf(first as TakeBackJob);
      const [account] = await store().dueTakeBackAccounts(turnOf(second), 'hold', LATER, 1);
      const { requestId } = account as NonNullable<typeof account>;
      expect(await store().renewTakeBack(old, 'hold', LATER)).toBe(false);
      expect(await store().rememberAccount(old, requestId, { x: 1 })).toBe(false);
      const outcome = { state: 'held', tries: 0, nextAt: 0, problem: null } as const;
      expect(await store().noteAccount(old, requestId, outcome)).toBe(false);
      expect(await store().renewTakeBack(turnOf(second), 'hold', LATER)).toBe(true);
      expect(await store().renewTakeBack(turnOf(second), 'release', LATER)).toBe(false);
    });

    it('note what an account was, what comes of it, and when it is tried again', async () => {
      const { accountId, job } = await newJob();
      const turn = turnOf((await claim(accountId)) as TakeBackJob);
      const [account] = await store().dueTakeBackAccounts(turn, 'hold', NOW, 1);
      const requestId = account?.requestId as string;
      const before = { banned: false, reason: ODD, until: null, at: 7 };
      expect(await store().rememberAccount(turn, requestId, before)).toBe(true);
      const failed = { state: 'sent', tries: 2, nextAt: LATER, problem: ODD } as const;
      await store().noteAccount(turn, requestId, failed);
      const [stored] = await store().takeBackAccounts(accountId, job.id, '', 1);
      expect(stored).toEqual({ ...account, ...failed, before });
      expect(await store().dueTakeBackAccounts(turn, 'hold', NOW, 9)).toHaveLength(2);
      expect(await store().nextTakeBackAccount(turn, 'hold')).toBe(0);
      expect(await store().nextTakeBackAccount(turn, 'release')).toBe(LATER);
    });

    it('end with their turn, unless a person directed them meanwhile', async () => {
      const { accountId, job } = await newJob();
      const turn = turnOf((await claim(accountId)) as TakeBackJob);
      const done = { state: 'done', nextAt: 0, problem: null, at: LATER } as const;
      const undo = {
        from: ['running'],
        fromPhase: 'hold',
        state: 'running',
        phase: 'release',
        at: NOW,
      } as const;
      expect(await store().directTakeBack(accountId, job.id, undo)).toBe(true);
      expect(await store().renewTakeBack(turn, 'hold', LATER)).toBe(false);
      await store().endTurn(turn, 'hold', done);
      expect(await store().takeBackJob(accountId, job.id)).toMatchObject({
        state: 'running',
        phase: 'release',
      });
      const next = turnOf((await claim(accountId)) as TakeBackJob);
      await store().endTurn(next, 'release', done);
      const ended = await store().takeBackJob(accountId, job.id);
      expect(ended).toMatchObject({ state: 'done', endedAt: LATER });
      expect(await store().directTakeBack(accountId, job.id, undo)).toBe(false);
      // A cancel that was decided before it does not turn it back.
      expect(await store().directTakeBack(accountId, job.id, { ...CANCEL, at: NOW })).toBe(false);
      expect(await claim(accountId)).toBeUndefined();
    });

    it('wait when the provider wants a pause, and try what failed again when a person lets them go on', async () => {
      const { accountId, job } = await newJob();
      const turn = turnOf((await claim(accountId)) as TakeBackJob);
      const [account] = await store().dueTakeBackAccounts(turn, 'hold', NOW, 1);
      const failed = { state: 'failed', tries: 6, nextAt: LATER, problem: 'x' } as const;
      await store().noteAccount(turn, account?.requestId as string, failed);
      await store().endTurn(turn, 'hold', { state: 'running', nextAt: LATER, problem: null, at: NOW });
      expect(await claim(accountId)).toBeUndefined();
      expect(await claim(accountId, LATER)).toMatchObject({ id: job.id });
      const goOn = {
        from: ['running'],
        fromPhase: 'hold',
        state: 'running',
        phase: 'hold',
        at: NOW,
      } as const;
      await store().directTakeBack(accountId, job.id, goOn);
      expect(await store().takeBackCounts(accountId, job.id)).toMatchObject({ waiting: 3, failed: 0 });
    });

    it('get user ids from people, and hold each user once', async () => {
      const { accountId, job, accounts } = await newJob({ state: 'done' });
      const [one, two, three] = accounts.map(({ requestId }) => requestId) as [string, string, string];
      const blind = aTakeBackJob(accountId, { state: 'done' });
      await store().saveTakeBack(
        blind,
        accounts.map((account) => ({ ...account, userId: null, state: 'missing' })),
      );
      const ids = [
        { requestId: one, userId: ODD },
        { requestId: two, userId: ODD },
        { requestId: 'req_unknown', userId: 'u' },
      ];
      expect(await store().nameTakeBackAccounts(accountId, blind.id, ids)).toBe(1);
      expect(await store().takeBackCounts(accountId, blind.id)).toMatchObject({ waiting: 1, missing: 2 });
      expect(await store().takeBackJob(accountId, blind.id)).toMatchObject({ state: 'running' });
      // One with an id keeps it.
      expect(await store().nameTakeBackAccounts(accountId, job.id, [{ requestId: three, userId: 'y' }])).toBe(
        0,
      );
    });

    it('are told in parts of 500, in the transaction in which they begin', async () => {
      const accountId = await newAccount();
      const destination = aDestination(accountId, { types: ['takeback.accounts'] });
      await store().saveDestination(destination);
      const { job, accounts } = await newJob({ accountId }, 501);
      const { deliveries } = await store().deliveries(accountId, destination.id, { limit: 9 });
      expect(deliveries.map(({ event }) => [event.object, event.data])).toEqual([
        [job.id, { part: 2, parts: 2, after: accounts[499]?.requestId, last: accounts[500]?.requestId }],
        [job.id, { part: 1, parts: 2, after: '', last: accounts[499]?.requestId }],
      ]);
    });

    it('are removed when they are old and ended, and no connection while one of its jobs runs', async () => {
      const accountId = await newAccount();
      const connection = aConnection(accountId);
      await store().saveConnection(connection);
      const { job } = await newJob({ accountId, connectionId: connection.id, createdAt: 5 });
      expect(await store().removeConnection(accountId, connection.id)).toBe(false);
      const pruneAll = async () => {
        while ((await store().pruneTakeBacks(9, 2)) > 0);
      };
      await pruneAll();
      expect(await store().takeBackJobs(accountId, 9)).toHaveLength(1);
      await store().directTakeBack(accountId, job.id, { ...CANCEL, at: NOW });
      await pruneAll();
      expect(await store().takeBackJobs(accountId, 9)).toEqual([]);
      expect(await store().removeConnection(accountId, connection.id)).toBe(true);
    });
  });
}
