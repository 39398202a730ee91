/** The daily summary by e-mail: at the account's hour, once, and only where something needs a person. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDestination } from '../../test/support/a-destination.ts';
import { anAccount } from '../../test/support/an-account.ts';
import { aSighting } from '../../test/support/an-alert.ts';
import { BUILT_THREADS, PATIENT_READS } from '../../test/support/built-threads.ts';
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts';
import { createSecretBox } from '../accounts/secret-box.ts';
import { createMakeId } from '../contract/identifiers.ts';
import { dueDay } from '../platform/due-day.ts';
import { openCommittedSignups } from '../store/sqlite/committed-signups.ts';
import { openSqliteStore } from '../store/sqlite/sqlite.ts';
import type { Account, Store } from '../store/store.ts';
import { createEvents, type Events } from './events.ts';
import { toSeenSignup } from './signup-events.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Half past eight in Berlin, in summer. */
const MORNING = Date.UTC(2026, 4, 10, 6, 30);
const HOUR = 9;
const ADDRESS = 'kim@shop.example';
const SOON = { timeout: 60_000, interval: 20 };
/** Several rounds of what runs in the background. */
const ROUNDS_MS = 300;

describe('the day whose summary is due', () => {
  const destination = { id: 'dst_1', accountId: 'acc_1', hour: HOUR, timeZone: 'Europe/Berlin' } as const;
  const due = (now: number, lastDay = '', since = 0) => dueDay({ ...destination, lastDay, since }, now);

  it('is none before the hour, and today from the hour on, in summer and in winter', () => {
    expect(due(MORNING)).toBeUndefined();
    expect(due(MORNING + 30 * MINUTE_MS)).toBe('2026-05-10');
    expect(due(Date.UTC(2026, 11, 1, 7, 59))).toBeUndefined();
    expect(due(Date.UTC(2026, 11, 1, 8, 0))).toBe('2026-12-01');
    // Still the day before in UTC.
    expect(dueDay({ ...destination, hour: 0, lastDay: '', since: 0 }, Date.UTC(2026, 4, 9, 22, 0))).toBe(
      '2026-05-10',
    );
  });

  it('is none where its summary was made, or where the destination is younger than the hour', () => {
    const after = MORNING + 45 * MINUTE_MS;
    expect(due(after, '2026-05-10')).toBeUndefined();
    expect(due(after, '2026-05-09')).toBe('2026-05-10');
    expect(due(after, '', MORNING + 40 * MINUTE_MS)).toBeUndefined();
  });
});

describe('a daily summary', () => {
  const makeId = createMakeId();
  const running: Events[] = [];
  let directory: string;
  let store: Store;
  let mail: MailServer;
  let now = MORNING;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-digest-'));
    store = await openSqliteStore({ directory, forTests: { ...BUILT_THREADS, indexing: PATIENT_READS } });
    mail = await startMailServer('off');
    const link = { tokenHash: 'first', purpose: 'first', userId: null, expiresAt: MORNING + DAY_MS } as const;
    await store.saveLink(link);
    const person = { id: makeId('usr', MORNING), email: ADDRESS, name: 'Kim', passwordHash: '$argon2id$x' };
    await store.claimOperator(person, link.tokenHash, MORNING);
    expect(await store.verifyUser(person.id)).toBe(true);
  });
  afterEach(async () => {
    for (const events of running.splice(0)) await events.close();
    mail.received.length = 0;
  });
  afterAll(async () => {
    await mail.close();
    await store.close();
    await rm(directory, { recursive: true });
  });

  /** Starts a node. */
  function start(): Events {
    const events = createEvents({
      store,
      box: createSecretBox(Buffer.alloc(32, 7)),
      directory: { account: () => ({ name: 'Shop' }) as Account, keysOf: () => [], hooksOf: () => [] },
      smtpServer: mail.server,
      smtpFrom: 'gatehouse@shop.example',
      isAlone: false,
      findSignup: async () => undefined,
      follow: async (since) =>
        openCommittedSignups({ file: join(directory, 'gatehouse.db'), since, make: toSeenSignup }),
      log: pino({ level: 'silent' }),
      clock: () => now,
      proxies: undefined,
      allowsPrivate: true,
      publicUrl: 'https://gatehouse.example.com',
      keptDays: 30,
      forTests: { pollMs: 10, digestMs: 10, limitMs: 20_000 },
    });
    running.push(events);
    void events.start();
    return events;
  }

  async function newAccount(address = ADDRESS): Promise<string> {
    now = MORNING;
    const id = makeId('acc', now);
    await store.saveAccount(anAccount({ id, name: 'Shop', timeZone: 'Europe/Berlin', createdAt: now }));
    const fields = { kind: 'email', address, types: [], verdicts: [], digestHour: HOUR, since: now } as const;
    await store.saveDestination(aDestination(id, { ...fields, secrets: { current: null, previous: null } }));
    return id;
  }
  const seeAlert = (accountId: string) => {
    const sighting = aSighting(accountId, { at: now });
    return store.seeAlert(makeId('alr', now), sighting, ({ id }) => ({ id }));
  };
  const rounds = () => new Promise<void>((done) => setTimeout(done, ROUNDS_MS));
  const sent = () => mail.received.map(({ text }) => text);
  const removeDestinations = async (accountId: string) => {
    for (const { id } of await store.destinations(accountId)) await store.removeDestination(accountId, id);
  };

  it('comes at the hour, once from two nodes and across a restart, and again the next day', async () => {
    const accountId = await newAccount();
    await seeAlert(accountId);
    start();
    start();
    await rounds();
    expect(sent()).toEqual([]);
    now += 31 * MINUTE_MS;
    await expect.poll(() => sent().length, SOON).toBe(1);
    await rounds();
    for (const events of running.splice(0)) await events.close();
    start();
    await rounds();
    expect(sent()).toHaveLength(1);
    const [text = ''] = sent();
    expect(text).toContain(`To: ${ADDRESS}`);
    expect(text).toContain('Subject: [Shop] ');
    expect(text.replaceAll('=\r\n', '')).toContain(`/accounts/${accountId}/alerts/`);
    now += DAY_MS;
    await expect.poll(() => sent().length, SOON).toBe(2);
    await removeDestinations(accountId);
  });

  it('does not come where nothing needs anybody, nor later on that day', async () => {
    const accountId = await newAccount();
    start();
    now += 31 * MINUTE_MS;
    const dayOf = async () =>
      (await store.digestDestinations()).find((each) => each.accountId === accountId)?.lastDay;
    await expect.poll(dayOf, SOON).toBe('2026-05-10');
    await seeAlert(accountId);
    now += 60 * MINUTE_MS;
    await rounds();
    expect(sent()).toEqual([]);
    now += DAY_MS;
    await expect.poll(() => sent().length, SOON).toBe(1);
    await removeDestinations(accountId);
  });

  it('disables a destination whose address is that of nobody of the account any more', async () => {
    const accountId = await newAccount('left@shop.example');
    await seeAlert(accountId);
    start();
    now += 31 * MINUTE_MS;
    const reason = async () => (await store.destinations(accountId))[0]?.disabled?.reason;
    await expect.poll(reason, SOON).toBe('left');
    expect(sent()).toEqual([]);
  });
});
