import { describe, expect, it } from 'vitest';
import { aKey } from '../../test/support/a-key.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { keepInMemory, type SignupInMemory } from '../../test/support/signups-in-memory.ts';
import type { AlertSighting } from '../model/alert.ts';
import type { Key } from '../store/store.ts';
import { DAY_MS, HOUR_MS, WEEK_MS } from './unusual.ts';
import { createWatchSignups } from './watch-signups.ts';

/** A Saturday afternoon. */
const NOW = Date.UTC(2026, 10, 28, 16, 3, 0);
const MINUTE_MS = 60_000;
const ACCOUNT = anAccount({ id: 'acc_a', name: 'Fernlight' });

function key(id: string, createdAt = 0): Key {
  return aKey({ id, accountId: ACCOUNT.id, name: id, createdAt });
}

const KEYS = [key('key_web'), key('key_app')];

/** Weeks of everyday signups up to now. */
function everyday(weeks: number, perHour = 12, keyId = 'key_web'): SignupInMemory[] {
  const from = NOW - weeks * WEEK_MS;
  const pause = HOUR_MS / perHour;
  return Array.from({ length: Math.floor((weeks * WEEK_MS) / pause) }, (_, at) => ({
    at: from + Math.floor(at * pause),
    keyId,
  }));
}

/** 420 signups in 0.8 s from four neighbouring ranges of two networks, with one session, at a large provider. */
function attack(at = NOW - 30_000): SignupInMemory[] {
  return Array.from({ length: 420 }, (_, number) => ({
    at: at + 2 * number,
    ip: `45.12.${96 + (number % 4)}.${number % 250}`,
    asn: number % 2 === 0 ? 8_412 : 47_576,
    session: 's_attack',
  }));
}

async function see(
  signups: readonly SignupInMemory[],
  options: { now?: number; keys?: Key[]; open?: number } = {},
) {
  const { now = NOW, keys = KEYS, open } = options;
  const { add, history } = keepInMemory();
  add(...signups);
  const watch = createWatchSignups({ store: history, isCrowded: (domain) => domain === 'gmail.com' });
  const openCount = (_: string, subject: string) => (subject === 'key_web' ? open : undefined);
  return watch({ account: ACCOUNT, keys, now, openCount, hadLately: () => false });
}

const words = (seen: readonly AlertSighting[]) =>
  seen.map(({ subject, count, usual, shares }) => ({
    subject,
    count,
    usual: Math.round(usual),
    shares: shares?.map(({ feature, value }) => `${feature} ${value}`) ?? null,
  }));

describe('createWatchSignups', () => {
  it('sees an attack within its first minute, and names the range and the session, not the provider', async () => {
    expect(words(await see([...everyday(5), ...attack()]))).toEqual([
      {
        subject: 'key_web',
        count: 422,
        usual: 4,
        shares: ['range 45.12.96.0/22', 'session s_attack'],
      },
    ]);
    const [seen] = await see([...everyday(5), ...attack()]);
    expect(seen?.since).toBe(NOW - 30_000);
  });

  it('sees it until two steps have ended since, wherever in a step it came', async () => {
    for (const minute of [0, 6, 7]) {
      const at = NOW + minute * MINUTE_MS;
      const signups = [...everyday(5), ...attack(at)];
      expect(await see(signups, { now: at + MINUTE_MS })).toHaveLength(1);
      expect(await see(signups, { now: at + 10 * MINUTE_MS })).toHaveLength(1);
    }
  });

  it('sees nothing in everyday signups, with a usual peak of every week, or before there is a week of data', async () => {
    expect(await see(everyday(5))).toEqual([]);
    const weekly = [1, 2, 3, 4].flatMap((week) => attack(NOW - 30_000 - week * WEEK_MS));
    expect(await see([...everyday(5), ...weekly, ...attack()])).toEqual([]);
    expect(await see([...everyday(0.9), ...attack()])).toEqual([]);
    expect(await see([...everyday(1.2), ...attack()])).toHaveLength(1);
  });

  it('is not used to an attack of one week ago', async () => {
    expect(await see([...everyday(5), ...attack(NOW - 30_000 - WEEK_MS), ...attack()])).toHaveLength(1);
  });

  it('calls five times as many people from 400 networks busy: they share nothing', async () => {
    const readers = Array.from({ length: 70 }, (_, number) => ({
      at: NOW - 10 * MINUTE_MS + 8_000 * number,
    }));
    const found = words(await see([...everyday(5), ...readers]));
    expect(found).toMatchObject([{ subject: 'key_web', shares: [] }]);
  });

  it('leaves a class alone that signs up at once where hardly anybody does', async () => {
    const people = Array.from({ length: 32 }, (_, number) => ({ at: NOW - 5 * MINUTE_MS + number * 4_000 }));
    expect(await see([...everyday(5, 1), ...people])).toEqual([]);
  });

  it('sees in the account what no key shows by itself, also with a new key', async () => {
    const both = attack().map((signup, number) => ({ ...signup, keyId: `key_${number % 12}` }));
    const many = Array.from({ length: 12 }, (_, number) => key(`key_${number}`, NOW - DAY_MS));
    const found = words(await see([...everyday(5), ...both], { keys: [...KEYS, ...many] }));
    expect(found).toMatchObject([
      { subject: '', count: 422, shares: ['range 45.12.96.0/22', 'session s_attack'] },
    ]);
  });

  it('compares what is open again only once it has doubled, and lets it last with fewer', async () => {
    const signups = [...everyday(5), ...attack()];
    expect((await see(signups, { open: 300 }))[0]?.shares).toBeNull();
    expect((await see(signups, { open: 100 }))[0]?.shares).toHaveLength(2);
    const few = Array.from({ length: 30 }, (_, number) => ({ at: NOW - MINUTE_MS + number }));
    expect(await see([...everyday(5), ...few])).toEqual([]);
    expect(await see([...everyday(5), ...few], { open: 400 })).toHaveLength(1);
    expect(await see(everyday(5), { open: 400 })).toEqual([]);
  });
});
