import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atOnce } from '../../../test/support/at-once.ts';
import { type RdapEntry, startRdapServer, type TestRdapServer } from '../../../test/support/rdap-server.ts';
import type { StoredText, TextCache } from '../../model/text-cache.ts';
import { createMemoryTexts } from '../memory-texts.ts';
import { createDomainAge, type DomainAgeLookup, type DomainAgeOptions } from './domain-age.ts';

const DAY_MS = 86_400_000;
/** The deadline of tests in which it passes. */
const DEADLINE_MS = 150;
/** The deadline of all other tests, which even a busy machine keeps. */
const PATIENT_MS = 60_000;
const START = Date.UTC(2026, 4, 10, 12);
const OLD = '2020-01-01T00:00:00Z';
const UNAVAILABLE = { days: -1, status: 'unavailable' };
const LATE = { days: -1, status: 'late' };
let server: TestRdapServer;
let stored: Map<string, StoredText>;
let texts: TextCache;
let outcomes: string[];
let now: number;
const opened: DomainAgeLookup[] = [];

beforeEach(async () => {
  server = await startRdapServer();
  stored = new Map();
  texts = createMemoryTexts(stored);
  outcomes = [];
  now = START;
});

afterEach(async () => {
  for (const ages of opened.splice(0)) ages.close();
  await server.close();
});

function create(options: Partial<DomainAgeOptions> = {}): DomainAgeLookup {
  const ages = createDomainAge({
    bootstrapUrl: server.bootstrapUrl,
    texts,
    deadlineMs: PATIENT_MS,
    clock: () => now,
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
  opened.push(ages);
  return ages;
}

/** Waits for the bootstrap document, so that refusals are immediate. */
async function createReady(options: Partial<DomainAgeOptions> = {}): Promise<DomainAgeLookup> {
  const ages = create(options);
  server.set('warm-up.net', { registered: OLD });
  const { status } = await ages.lookup('warm-up.net', now);
  // On a busy machine, so that a late answer is not taken for the answer of another domain.
  if (status === 'late') await eventually(() => outcomes.includes('arrived'));
  outcomes = [];
  return ages;
}

async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

describe('a cache that outlives the process', () => {
  it('is read before a registry is asked, also for the bootstrap document', async () => {
    await createReady();
    stored.set('age:example.com', { text: `${now - 3 * DAY_MS}`, expiresAt: now + 1_000 });
    const fetched = server.requests('dns.json');
    const ages = create();
    expect(await ages.lookup('example.com', now)).toEqual({ days: 3, status: 'known' });
    expect(outcomes).toEqual(['cache']);
    server.set('stranger.net', { registered: OLD });
    expect(await ages.lookup('stranger.net', now)).toMatchObject({ status: 'known' });
    expect(server.requests('dns.json')).toBe(fetched);
  });

  it('causes no second question for an answer that arrived during the read', async () => {
    server.set('example.com', { registered: OLD, delayMs: DEADLINE_MS + 100 });
    let read = () => {};
    const gate = new Promise<void>((resolve) => {
      read = resolve;
    });
    let slow = false;
    const slowTexts: TextCache = {
      ...texts,
      async get() {
        if (slow) await gate;
        return undefined;
      },
    };
    const ages = await createReady({ texts: slowTexts, deadlineMs: DEADLINE_MS });
    expect(await ages.lookup('example.com', now)).toEqual(LATE);
    slow = true;
    const next = ages.lookup('example.com', now);
    await eventually(() => outcomes.includes('arrived'));
    read();
    expect(await next).toMatchObject({ status: 'known' });
    expect(server.requests('example.com')).toBe(1);
  });
});

describe('the answer of a registry', () => {
  const known = (days: number) => ({ days, status: 'known' });
  const unlisted = { days: -1, status: 'unlisted' };
  const cases: [string, RdapEntry, object][] = [
    ['a date', { registered: '2026-05-05T00:00:00Z' }, known(5)],
    ['a date a moment ahead', { registered: '2026-05-10T13:00:00Z' }, known(0)],
    ['a date far ahead', { registered: '2026-05-12T00:00:00Z' }, unlisted],
    ['no registration event', {}, unlisted],
    ['404', { status: 404 }, unlisted],
    ['403', { status: 403 }, UNAVAILABLE],
    ['500', { status: 500 }, UNAVAILABLE],
    ['429', { status: 429, retryAfter: '5' }, UNAVAILABLE],
    ['garbage', { body: '<html>' }, UNAVAILABLE],
    ['another document', { body: '[]' }, UNAVAILABLE],
    ['a huge body', { body: `{"events":[],"x":"${'x'.repeat(600 * 1024)}"}` }, UNAVAILABLE],
    ['a late answer', { registered: OLD, delayMs: DEADLINE_MS + 100 }, LATE],
  ];

  it.each(cases)('%s', async (_title, entry, expected) => {
    server.set('example.com', entry);
    const ages = create(expected === LATE ? { deadlineMs: DEADLINE_MS } : {});
    expect(await ages.lookup('example.com', now)).toEqual(expected);
  });

  it('asks for the registrable domain', async () => {
    server.set('example.com', { registered: OLD });
    const ages = create();
    expect(await ages.lookup('mail.eu.example.com', now)).toMatchObject({ status: 'known' });
    expect(await atOnce(ages.lookup('other.example.com', now))).toMatchObject({ status: 'known' });
    expect(server.requests()).toBe(1);
  });

  it.each([
    ['a bare suffix', 'co.uk'],
    ['a domain without RDAP', 'example.de'],
  ])('nothing for %s', async (_title, domain) => {
    expect(await atOnce((await createReady()).lookup(domain, now))).toEqual(UNAVAILABLE);
  });
});

describe('memory', () => {
  it('answers at once from memory, and counts whole days', async () => {
    server.set('example.com', { registered: '2026-05-10T00:00:00Z' });
    const ages = create();
    await ages.lookup('example.com', now);
    expect(await atOnce(ages.lookup('example.com', now + 3 * DAY_MS))).toEqual({ days: 3, status: 'known' });
    expect(outcomes).toEqual(['known', 'cache']);
  });

  it('says how long an age stays the same, and counts the look-ups that this saves', async () => {
    server.set('example.com', { registered: '2026-05-10T00:00:00Z' });
    const ages = create();
    expect(ages.remembered('example.com', now)).toBeUndefined();
    await ages.lookup('example.com', now);
    const midnight = START + DAY_MS / 2;
    const answer = ages.remembered('example.com', now);
    expect(answer?.until).toBe(midnight);
    expect([START, midnight - 1, midnight].map((at) => answer?.isCurrent(at))).toEqual([true, true, false]);
    ages.countSpared();
    expect(outcomes).toEqual(['known', 'cache']);
    now += 7 * DAY_MS;
    expect(answer?.isCurrent(START)).toBe(false);
  });

  it.each([
    ['an old domain', { registered: OLD }, 30],
    ['a young domain', { registered: '2026-05-01T00:00:00Z' }, 7],
    ['an unlisted domain', { status: 404 }, 1],
  ])('keeps the answer for %s for the given days', async (_title, entry, days) => {
    server.set('example.com', entry);
    const ages = create();
    await ages.lookup('example.com', now);
    const askedAt = now;
    now = askedAt + days * DAY_MS - 1;
    expect(await atOnce(ages.lookup('example.com', now))).not.toBe('waits');
    now = askedAt + days * DAY_MS;
    expect(await atOnce(ages.lookup('example.com', now))).toBe('waits');
  });

  it('survives a restart', async () => {
    server.set('example.com', { registered: OLD });
    await create().lookup('example.com', now);
    const fresh = create();
    expect(await atOnce(fresh.lookup('mail.example.com', now))).toMatchObject({ status: 'known' });
    expect(server.requests()).toBe(1);
    expect(server.requests('dns.json')).toBe(1);
  });

  it('serves a late answer to the next attempt', async () => {
    server.set('example.com', { registered: OLD, delayMs: DEADLINE_MS + 100 });
    const ages = create({ deadlineMs: DEADLINE_MS });
    expect(await ages.lookup('example.com', now)).toEqual(LATE);
    expect(await atOnce(ages.lookup('example.com', now))).toEqual(LATE);
    await eventually(() => outcomes.includes('arrived'));
    expect(await atOnce(ages.lookup('example.com', now))).toMatchObject({ status: 'known' });
    expect(stored.has('age:example.com')).toBe(true);
  });

  it('sends one question at a time for a domain', async () => {
    server.set('example.com', { registered: OLD, delayMs: 50 });
    const ages = create();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => ages.lookup(at % 2 ? 'example.com' : 'a.example.com', now)),
    );
    expect(answers.every(({ status }) => status === 'known')).toBe(true);
    expect(server.requests('example.com')).toBe(1);
  });

  it('does not ask again at once after no answer for a domain', async () => {
    server.set('example.com', { status: 500 });
    const ages = await createReady();
    await ages.lookup('example.com', now);
    expect(await atOnce(ages.lookup('example.com', now))).toEqual(UNAVAILABLE);
    now += 30_000;
    expect(await atOnce(ages.lookup('example.com', now))).toBe('waits');
  });
});

describe('a registry in trouble', () => {
  it('gets four questions at a time, and none beyond a queue of 200', async () => {
    server.fallback = { registered: OLD, delayMs: 30 };
    const ages = await createReady();
    const answers = Array.from({ length: 210 }, (_, at) => ages.lookup(`d${at}.com`, now));
    const results = await Promise.all(answers.map(atOnce));
    expect(results.filter((answer) => answer !== 'waits')).toHaveLength(6);
    await Promise.all(answers);
    expect(server.peak).toBe(4);
  });

  it('gets no questions for as long as its Retry-After says', async () => {
    server.set('example.com', { status: 429, retryAfter: '120' });
    const ages = await createReady();
    await ages.lookup('example.com', now);
    now += 119_000;
    expect(await atOnce(ages.lookup('other.com', now))).toEqual(UNAVAILABLE);
    now += 1_000;
    expect(await atOnce(ages.lookup('other.com', now))).toBe('waits');
  });

  it('gets no questions after five failures, until a probe in the background succeeds', async () => {
    server.fallback = { status: 500 };
    const ages = await createReady();
    for (let at = 0; at < 5; at += 1) await ages.lookup(`d${at}.com`, now);
    const before = server.requests();
    for (let at = 0; at < 100; at += 1)
      expect(await atOnce(ages.lookup(`e${at}.com`, now))).toEqual(UNAVAILABLE);
    expect(server.requests()).toBe(before);

    server.fallback = { registered: OLD };
    now += 30_000;
    expect(await atOnce(ages.lookup('f1.com', now))).toEqual(UNAVAILABLE);
    expect(await atOnce(ages.lookup('f2.com', now))).toEqual(UNAVAILABLE);
    await eventually(() => outcomes.includes('arrived'));
    expect(await atOnce(ages.lookup('f1.com', now))).toMatchObject({ status: 'known' });
    expect(await ages.lookup('f2.com', now)).toMatchObject({ status: 'known' });
  });

  it('causes no further waits after five late answers in a row', async () => {
    server.fallback = { hang: true };
    const ages = await createReady({ deadlineMs: DEADLINE_MS });
    await Promise.all([1, 2, 3, 4, 5].map((at) => ages.lookup(`d${at}.com`, now)));
    for (let at = 0; at < 50; at += 1) expect(await atOnce(ages.lookup(`e${at}.com`, now))).toEqual(LATE);
  });

  it('is waited for again when its answers are fast again', async () => {
    server.fallback = { registered: OLD, delayMs: DEADLINE_MS + 50 };
    const ages = await createReady({ clock: Date.now, deadlineMs: DEADLINE_MS });
    await Promise.all([1, 2, 3, 4, 5].map((at) => ages.lookup(`d${at}.com`, now)));
    expect(await atOnce(ages.lookup('e1.com', now))).toEqual(LATE);
    server.fallback = { registered: OLD };
    await eventually(() => outcomes.filter((outcome) => outcome === 'arrived').length === 6);
    // On a busy machine some answers after these are slow as well.
    let at = 1;
    const next = async () => {
      at += 1;
      return (await ages.lookup(`e${at}.com`, now)).status;
    };
    await expect.poll(next).toBe('known');
  });
});

describe('registries that are wrong about everybody', () => {
  const canaryDomains = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.net'];
  const oldDates = () => {
    for (const [at, domain] of canaryDomains.entries())
      server.set(domain, { registered: `199${at}-03-01T00:00:00Z` });
  };
  const young = '2026-05-01T00:00:00Z';

  it.each<[string, RdapEntry]>([
    ['the same young date', { registered: young }],
    ['the same old date', { registered: OLD }],
    ['that nothing is registered', { status: 404 }],
  ])('that report %s give no age to anybody', async (_title, entry) => {
    server.fallback = entry;
    const ages = create({ canaryDomains });
    await ages.canary.start();
    expect(await ages.lookup('example.com', now)).toEqual(UNAVAILABLE);
    expect(ages.canary).toMatchObject({ source: 'rdap', distrusted: true, wrong: canaryDomains });
    expect([server.requests('example.com'), outcomes]).toEqual([0, ['distrusted']]);
    expect([...stored.keys()].filter((name) => name.startsWith('age:'))).toEqual([]);
  });

  it('are asked about the canaries before the first young age counts', async () => {
    server.fallback = { registered: young };
    const ages = create({ canaryDomains });
    expect(await ages.lookup('example.com', now)).toEqual(UNAVAILABLE);
    expect([server.requests('gmail.com'), ages.canary.distrusted]).toEqual([1, true]);
  });

  it('are believed if one canary is wrong, or if most give no answer', async () => {
    oldDates();
    server.set('gmx.net', { status: 404 });
    server.set('example.com', { registered: young });
    expect(await create({ canaryDomains }).lookup('example.com', now)).toEqual({ days: 9, status: 'known' });
    server.fallback = { status: 403 };
    for (const domain of canaryDomains.slice(1)) server.set(domain, { status: 403 });
    server.set('other.com', { registered: young });
    expect(await create({ canaryDomains }).lookup('other.com', now)).toEqual({ days: 9, status: 'known' });
  });

  it('do not spoil the cache: answers since the last right round are asked for again', async () => {
    oldDates();
    server.set('before.com', { registered: OLD });
    const ages = create({ canaryDomains });
    await ages.lookup('before.com', now);
    await ages.canary.start();
    // Wrong answers begin, and are not noticed yet.
    server.set('victim.com', { registered: young });
    expect(await ages.lookup('victim.com', now)).toEqual({ days: 9, status: 'known' });
    const remembered = ages.remembered('victim.com', now);
    const { changes } = ages;
    expect(remembered?.isCurrent(now)).toBe(true);
    for (const domain of canaryDomains) server.set(domain, { registered: young });
    await ages.canary.start();
    expect(await atOnce(ages.lookup('before.com', now))).toEqual(UNAVAILABLE);
    expect([remembered?.isCurrent(now), ages.remembered('victim.com', now)]).toEqual([false, undefined]);
    expect(ages.changes).not.toBe(changes);

    oldDates();
    server.set('victim.com', { registered: OLD });
    await ages.canary.start();
    expect(remembered?.isCurrent(now)).toBe(false);
    expect(await ages.lookup('victim.com', now)).toMatchObject({ days: 2321, status: 'known' });
    expect(await atOnce(ages.lookup('before.com', now))).toMatchObject({ days: 2321, status: 'known' });
    expect([server.requests('victim.com'), server.requests('before.com')]).toEqual([2, 1]);
  });
});

describe('the bootstrap document', () => {
  it('is fetched again after a day, while the old one is used', async () => {
    const ages = await createReady();
    now += DAY_MS;
    server.set('example.com', { registered: OLD });
    expect(await ages.lookup('example.com', now)).toMatchObject({ status: 'known' });
    await eventually(() => server.requests('dns.json') === 2);
  });

  it.each<[string, RdapEntry]>([
    ['500', { status: 500 }],
    ['garbage', { body: '{"services":[["com"]]}' }],
  ])('is fetched less and less often when it fails with %s', async (_title, entry) => {
    server.bootstrap = entry;
    const ages = create();
    expect(await ages.lookup('example.com', now)).toEqual(UNAVAILABLE);
    expect(await atOnce(ages.lookup('other.com', now))).toEqual(UNAVAILABLE);
    now += 30_000;
    expect(await atOnce(ages.lookup('example.com', now))).toEqual(UNAVAILABLE);
    await eventually(() => server.requests('dns.json') === 2);
    await sleep(20);
    now += 59_999;
    ages.lookup('example.com', now);
    server.bootstrap = undefined;
    now += 30_001;
    ages.lookup('example.com', now);
    await eventually(() => stored.size === 1);
    expect(server.requests('dns.json')).toBe(3);
  });

  it('delays a look-up no longer than the deadline', async () => {
    server.bootstrap = { hang: true };
    const ages = create({ deadlineMs: DEADLINE_MS });
    // The document never arrives.
    expect(await ages.lookup('example.com', now)).toEqual(LATE);
    await expect.poll(() => ages.lookup('other.com', now)).toEqual(UNAVAILABLE);
  });

  it('can be turned off', async () => {
    expect(await atOnce(create({ bootstrapUrl: undefined }).lookup('example.com', now))).toEqual(UNAVAILABLE);
  });

  it('must be an HTTP URL', async () => {
    expect(() => create({ bootstrapUrl: 'file:///etc/hosts' })).toThrow();
  });
});

it('ends open requests on close', async () => {
  server.fallback = { hang: true };
  const ages = await createReady();
  const open = ages.lookup('example.com', now);
  ages.close();
  expect(await open).toEqual(UNAVAILABLE);
});
