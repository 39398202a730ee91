import { expect, it } from 'vitest';
import { accountsToHold, aTakeBackJob } from '../../test/support/a-take-back.ts';
import type { AccountBefore } from '../model/account-provider.ts';
import type { AccountState, TakeBackAccount, TakeBackJob } from '../model/take-back.ts';
import type { AccountOutcome } from '../store/take-back-store.ts';
import { createPace } from './pace.ts';
import { type AccountProvider, type Held, ProviderBusy, ProviderRefused, type Released } from './provider.ts';
import { type TurnOptions, workTurn } from './work-turn.ts';

const NOW = Date.UTC(2026, 4, 10);
const NEVER = new AbortController().signal;

/** Job in memory. */
function setUp(count: number, phase: TakeBackJob['phase'] = 'hold', state: AccountState = 'waiting') {
  const before = state === 'waiting' ? null : { banned: false };
  const job = aTakeBackJob('acc_a', { phase });
  const accounts = new Map<string, TakeBackAccount>();
  for (const account of accountsToHold(count, NOW))
    accounts.set(account.requestId, { ...account, state, before, tries: 0, nextAt: 0, problem: null });
  let isOurs = true;
  const isOpen = (open: TakeBackAccount) =>
    (phase === 'hold' ? ['waiting', 'sent'] : ['sent', 'held', 'releasing']).includes(open.state);
  const change = (id: string, fields: Partial<TakeBackAccount>) => {
    accounts.set(id, { ...(accounts.get(id) as TakeBackAccount), ...fields });
    return isOurs;
  };
  const store: TurnOptions['store'] = {
    renewTakeBack: async () => isOurs,
    dueTakeBackAccounts: async (_, __, now, limit) =>
      [...accounts.values()].filter((each) => isOpen(each) && each.nextAt <= now).slice(0, limit),
    nextTakeBackAccount: async () =>
      [...accounts.values()]
        .filter(isOpen)
        .map(({ nextAt }) => nextAt)
        .sort((a, b) => a - b)[0],
    rememberAccount: async (_, id, found: AccountBefore) =>
      isOurs && change(id, { state: 'sent', before: found }),
    noteAccount: async (_, id, outcome: AccountOutcome) => isOurs && change(id, outcome),
  };
  return {
    job,
    states: () => [...accounts.values()].map((each) => each.state),
    accounts: () => [...accounts.values()],
    lose: () => {
      isOurs = false;
    },
    work: (provider: Partial<AccountProvider>, signal = NEVER) =>
      workTurn(job, {
        store,
        provider: provider as AccountProvider,
        pace: async () => {},
        clock: () => NOW,
        leaseMs: 1_000,
        signal,
      }),
  };
}

const holds: AccountProvider['hold'] = async (_, remember): Promise<Held> => {
  const before = { banned: false };
  await remember(before);
  return { outcome: 'held', before };
};

it('holds all, and ends', async () => {
  const { work, states } = setUp(70);
  expect(await work({ hold: holds })).toEqual({ state: 'done', nextAt: 0, problem: null });
  expect(new Set(states())).toEqual(new Set(['held']));
});

it('waits as long as the provider wants, and calls no more', async () => {
  const { work, states } = setUp(40);
  let calls = 0;
  const end = await work({
    async hold(...args) {
      calls += 1;
      if (calls === 10) throw new ProviderBusy(7_000);
      return holds(...args);
    },
  });
  expect(end).toEqual({ state: 'running', nextAt: NOW + 7_000, problem: null });
  expect(calls).toBeLessThan(15);
  expect(states().filter((state) => state === 'held')).toHaveLength(calls - 1);
});

it('ends with what the provider refused', async () => {
  const { work } = setUp(3);
  const refuse = async () => {
    throw new ProviderRefused('The secret is wrong.');
  };
  expect(await work({ hold: refuse })).toMatchObject({ state: 'refused', problem: 'The secret is wrong.' });
});

it('tries an account again later, and gives it up in the end', async () => {
  const { work, accounts } = setUp(1);
  const fail = async () => {
    throw new Error('reset');
  };
  expect(await work({ hold: fail })).toMatchObject({ state: 'running', nextAt: NOW + 5_000 });
  expect(accounts()).toMatchObject([{ state: 'waiting', tries: 1, problem: 'reset' }]);
  const tired = setUp(1);
  tired.accounts().map((account) => Object.assign(account, { tries: 5 }));
  expect(await tired.work({ hold: fail })).toMatchObject({ state: 'done' });
  expect(tired.states()).toEqual(['failed']);
});

it('takes a pause when the provider seems to be away', async () => {
  const { work } = setUp(100);
  let calls = 0;
  const end = await work({
    async hold() {
      calls += 1;
      throw new Error('away');
    },
  });
  expect(end).toMatchObject({ state: 'running', nextAt: NOW + 30_000 });
  expect(calls).toBeLessThan(15);
});

it('counts what an earlier try held as held, and what somebody else held as theirs', async () => {
  const already = async (): Promise<Held> => ({ outcome: 'already' });
  const after = setUp(1, 'hold', 'sent');
  await after.work({ hold: already });
  expect(after.states()).toEqual(['held']);
  const before = setUp(1);
  await before.work({ hold: already });
  expect(before.states()).toEqual(['already']);
});

it('keeps what an account was before the first try, with the time of the last one', async () => {
  const { work, accounts } = setUp(1, 'hold', 'sent');
  await work({
    async hold(_, remember) {
      const before = { banned: true, held_at: 7 };
      await remember(before);
      return { outcome: 'held', before };
    },
  });
  expect(accounts()).toMatchObject([{ state: 'held', before: { banned: false, held_at: 7 } }]);
});

it('holds nobody once another process has the job', async () => {
  const { work, lose, states } = setUp(1);
  let held = 0;
  const end = await work({
    async hold(_, remember) {
      lose();
      await remember({ banned: false });
      held += 1;
      return { outcome: 'missing' };
    },
  });
  expect([end.state, held, states()]).toEqual(['running', 0, ['waiting']]);
});

it('releases with what each account was, and leaves those that somebody changed', async () => {
  const { work, accounts } = setUp(2, 'release', 'held');
  const given: (AccountBefore | string)[] = [];
  await work({
    async release(userId, before): Promise<Released> {
      given.push(before);
      return { outcome: userId === 'user-0' ? 'changed' : 'released' };
    },
  });
  expect(accounts().map(({ state }) => state)).toEqual(['changed', 'released']);
  expect(given).toEqual([{ banned: false }, { banned: false }]);
  // An earlier try released it, and its answer never came.
  const again = setUp(1, 'release', 'releasing');
  await again.work({ release: async () => ({ outcome: 'changed' }) });
  expect(again.states()).toEqual(['released']);
});

it('gives each call its own place', async () => {
  let now = 0;
  const pace = createPace(1_000, () => now);
  const ended: number[] = [];
  await Promise.all([1, 2, 3].map((n) => pace(NEVER).then(() => ended.push(n))));
  expect(ended).toEqual([1, 2, 3]);
  now = 50;
  await pace(AbortSignal.abort());
});
