import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { atOnce } from '../../../test/support/at-once.ts';
import { startDnsServer, type TestDnsServer, type ZoneEntry } from '../../../test/support/dns-server.ts';
import { eventually, pass, stopTimers } from '../../../test/support/stopped-timers.ts';
import type { MailExchange } from '../../model/evidence.ts';
import { createMailExchange, type MailExchangeLookup, type MailExchangeOptions } from './mail-exchange.ts';

/** Look-ups of one account, unless a test says otherwise. */
interface OneAccount extends MailExchangeLookup {
  lookup(domain: string, asker?: { account: string; provider: boolean }): Promise<MailExchange>;
}

const UNKNOWN: MailExchange = { status: 'unknown', hosts: [] };
/** For look-ups that are answered, however busy the machine is. */
const PATIENT_MS = 10_000;
/** For look-ups that nobody answers in time. */
const DEADLINE_MS = 150;
let server: TestDnsServer;
let outcomes: string[];
let now: number;
const opened: OneAccount[] = [];

beforeEach(async () => {
  server = await startDnsServer();
  outcomes = [];
  now = 1_000_000;
});

afterEach(async () => {
  vi.useRealTimers();
  for (const exchange of opened.splice(0)) exchange.close();
  await server.close();
});

function create(options: Partial<MailExchangeOptions> = {}): OneAccount {
  const made = createMailExchange({
    servers: [server.address],
    deadlineMs: PATIENT_MS,
    clock: () => now,
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
  const exchange: OneAccount = {
    canary: made.canary,
    lookup: async (domain, asker = { account: 'acme', provider: false }) => made.lookup(domain, asker),
    remembered: made.remembered.bind(made),
    countSpared: made.countSpared,
    close: made.close.bind(made),
  };
  opened.push(exchange);
  return exchange;
}

/** Looks up names that get no answer. With stopped timers. */
async function missDeadline(exchange: OneAccount, domains: readonly string[]): Promise<void> {
  const lookups = domains.map((domain) => exchange.lookup(domain));
  await pass(DEADLINE_MS);
  await Promise.all(lookups);
}

/** An answer that comes after the deadline counts, too. */
const expectValid = (exchange: OneAccount, domain: string) =>
  expect.poll(async () => (await exchange.lookup(domain)).status, { timeout: 90_000 }).toBe('valid');

describe('the answer about a domain', () => {
  const cases: [string, ZoneEntry, MailExchange, string][] = [
    [
      'two exchanges',
      { mx: ['20 B.example.com', '10 a.example.com'] },
      { status: 'valid', hosts: ['a.example.com', 'b.example.com'] },
      'valid',
    ],
    [
      'the same exchange twice',
      { mx: ['5 a.example.com', '9 a.example.com'] },
      { status: 'valid', hosts: ['a.example.com'] },
      'valid',
    ],
    ['a null MX', { mx: ['0 .'] }, { status: 'null_mx', hosts: [] }, 'null_mx'],
    [
      'a null MX beside a real one',
      { mx: ['0 .', '5 a.example.com'] },
      { status: 'valid', hosts: ['a.example.com'] },
      'valid',
    ],
    ['no records', {}, { status: 'none', hosts: [] }, 'none'],
    ['no such domain', { rcode: 'NXDOMAIN' }, { status: 'no_domain', hosts: [] }, 'no_domain'],
    [
      'targets that cannot be used',
      { mx: ['1 192.0.2.1', '2 localhost', '3 mail', '4 2001:db8::1', '5 a.localhost'] },
      { status: 'none', hosts: [] },
      'none',
    ],
    ['SERVFAIL', { rcode: 'SERVFAIL' }, UNKNOWN, 'servfail'],
    ['REFUSED', { rcode: 'REFUSED' }, UNKNOWN, 'servfail'],
    ['silence', { drop: true }, UNKNOWN, 'timeout'],
  ];

  it.each(cases)('%s', async (_title, entry, expected, outcome) => {
    server.set('example.com', entry);
    const deadlineMs = outcome === 'timeout' ? DEADLINE_MS : PATIENT_MS;
    expect(await create({ deadlineMs }).lookup('example.com')).toEqual(expected);
    expect(outcomes).toEqual([outcome]);
  });

  it('lists at most ten exchanges', async () => {
    server.set('example.com', { mx: Array.from({ length: 15 }, (_, at) => `${at} mx${at}.example.com`) });
    expect((await create().lookup('example.com')).hosts).toHaveLength(10);
  });

  it('believes no forged answer', async () => {
    server.set('example.com', {
      forge: ['wrong_id', 'wrong_question', 'other_port', 'garbage'],
      delayMs: 20,
    });
    expect(await create().lookup('example.com')).toEqual({ status: 'none', hosts: [] });
  });
});

describe('memory', () => {
  it('serves an answer at once until its TTL has passed', async () => {
    server.set('example.com', { mx: ['10 mx.example.com'], ttl: 60 });
    const exchange = create();
    await exchange.lookup('example.com');
    now += 59_999;
    expect(await atOnce(exchange.lookup('example.com'))).toMatchObject({ status: 'valid' });
    now += 1;
    expect(await atOnce(exchange.lookup('example.com'))).toBe('waits');
    expect(outcomes).toEqual(['valid', 'cache']);
  });

  it('says how long the mail hosts of a domain are known, and counts the look-ups that this saves', async () => {
    server.set('example.com', { mx: ['10 mx.example.com'], ttl: 60 });
    server.set('mailless.com', {});
    const exchange = create();
    expect(exchange.remembered('example.com')).toBeUndefined();
    for (const domain of ['example.com', 'mailless.com']) await exchange.lookup(domain);
    const answer = exchange.remembered('example.com');
    expect(answer?.until).toBe(now + 60_000);
    now += 59_999;
    expect(answer?.isCurrent(now)).toBe(true);
    exchange.countSpared();
    expect(outcomes).toEqual(['valid', 'none', 'cache']);
    now += 1;
    expect(answer?.isCurrent(now)).toBe(false);
    expect(['example.com', 'mailless.com'].map((domain) => exchange.remembered(domain))).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['an answer', { mx: ['10 mx.example.com'] }, 24],
    ['an absence', { rcode: 'NXDOMAIN' as const }, 3],
  ])('keeps %s for at most the given hours', async (_title, entry, hours) => {
    server.set('example.com', { ...entry, ttl: 2_000_000 });
    const exchange = create();
    await exchange.lookup('example.com');
    now += hours * 3_600_000 - 1;
    expect(await atOnce(exchange.lookup('example.com'))).not.toBe('waits');
    now += 1;
    expect(await atOnce(exchange.lookup('example.com'))).toBe('waits');
  });

  it('does not keep an answer with a TTL of zero, but shares the query in progress', async () => {
    server.set('example.com', { mx: ['10 mx.example.com'], ttl: 0 });
    const exchange = create();
    await Promise.all([exchange.lookup('example.com'), exchange.lookup('example.com')]);
    expect(server.queries('example.com')).toBe(1);
    await exchange.lookup('example.com');
    expect(server.queries('example.com')).toBe(2);
  });

  it('sends one query at a time for a domain', async () => {
    server.set('example.com', { mx: ['10 mx.example.com'], delayMs: 30 });
    const exchange = create();
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange.lookup('example.com')));
    expect(answers.every(({ status }) => status === 'valid')).toBe(true);
    expect(server.queries('example.com')).toBe(1);
    expect(outcomes.filter((outcome) => outcome === 'shared')).toHaveLength(49);
  });

  it('remembers for ten seconds that a domain got no answer', async () => {
    server.set('example.com', { rcode: 'SERVFAIL' });
    const exchange = create();
    await exchange.lookup('example.com');
    now += 9_999;
    expect(await atOnce(exchange.lookup('example.com'))).toEqual(UNKNOWN);
    now += 1;
    expect(await atOnce(exchange.lookup('example.com'))).toBe('waits');
  });

  it('learns from an answer that comes after the deadline', async () => {
    server.set('example.com', { mx: ['10 mx.example.com'], delayMs: DEADLINE_MS + 50 });
    const exchange = create({ deadlineMs: DEADLINE_MS });
    expect(await exchange.lookup('example.com')).toEqual(UNKNOWN);
    await eventually(() => outcomes.includes('late'));
    expect(await atOnce(exchange.lookup('example.com'))).toMatchObject({ status: 'valid' });
  });

  it('forgets the least recently used domains', async () => {
    server.fallback = { mx: ['10 mx.example.com'] };
    const exchange = create({ capacity: 10 });
    for (let at = 0; at < 30; at += 1) await exchange.lookup(`d${at}.example`);
    const answers = Array.from({ length: 30 }, (_, at) => atOnce(exchange.lookup(`d${at}.example`)));
    const answered = (await Promise.all(answers)).filter((answer) => answer !== 'waits');
    expect(answered.length).toBeLessThanOrEqual(10);
    expect(answered.length).toBeGreaterThanOrEqual(5);
  });
});

describe('a dead resolver', () => {
  async function die(exchange: OneAccount): Promise<void> {
    server.silent = true;
    await Promise.all([1, 2, 3, 4, 5].map((at) => exchange.lookup(`dead${at}.example`)));
  }

  it('delays 200 concurrent look-ups by one deadline', async () => {
    server.silent = true;
    const exchange = create({ deadlineMs: 800 });
    let answered = 0;
    const lookUp = async (domain: string) => {
      const { status } = await exchange.lookup(domain);
      answered += 1;
      return status;
    };
    const statuses = Array.from({ length: 200 }, (_, at) => lookUp(`d${at}.example`));
    // A timer of the same length that starts last ends last, however late all are.
    await sleep(800);
    expect(answered).toBe(200);
    expect(new Set(await Promise.all(statuses))).toEqual(new Set(['unknown']));
  });

  it('causes no delay once it is known to be dead, and memory stays usable', async () => {
    server.set('known.example', { mx: ['10 mx.example.com'] });
    const exchange = create({ deadlineMs: DEADLINE_MS });
    await expectValid(exchange, 'known.example');
    await die(exchange);
    for (let at = 0; at < 100; at += 1)
      expect(await atOnce(exchange.lookup(`new${at}.example`))).toEqual(UNKNOWN);
    expect(outcomes.filter((outcome) => outcome === 'breaker')).toHaveLength(100);
    expect(await atOnce(exchange.lookup('known.example'))).toMatchObject({ status: 'valid' });
  });

  it('is found alive by a probe, and its missing answers are forgotten', async () => {
    const exchange = create({ deadlineMs: DEADLINE_MS });
    await die(exchange);
    server.silent = false;
    server.fallback = { mx: ['10 mx.example.com'] };
    await expectValid(exchange, 'dead1.example');
    await expectValid(exchange, 'dead2.example');
  });

  it('is not assumed if answers for some domains are slow', async () => {
    server.fallback = { drop: true };
    server.set('good.example', { mx: ['10 mx.example.com'] });
    const exchange = create({ deadlineMs: DEADLINE_MS });
    await Promise.all(Array.from({ length: 20 }, (_, at) => exchange.lookup(`slow${at}.example`)));
    await eventually(() => server.queries('.') > 0);
    await expectValid(exchange, 'good.example');
  });

  it('is not assumed if answers for nearly all domains are slow', async () => {
    server.set('good.example', { mx: ['10 mx.example.com'], ttl: 0 });
    server.fallback = { drop: true };
    stopTimers();
    const exchange = create({ deadlineMs: DEADLINE_MS });
    for (const batch of [0, 1, 2]) {
      const slow = [1, 2, 3, 4, 5, 6].map((at) => exchange.lookup(`slow${batch}${at}.example`));
      await pass(DEADLINE_MS - 1);
      // The resolver answered this and the control question, if one was asked.
      expect(await exchange.lookup('good.example')).toMatchObject({ status: 'valid' });
      await pass(1);
      expect(await Promise.all(slow)).toEqual(slow.map(() => UNKNOWN));
    }
    expect(outcomes).not.toContain('breaker');
    expect(server.queries('.')).toBeLessThanOrEqual(3);
  });
});

describe('servers that deny everything', () => {
  const canaryDomains = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'gmx.net'];
  /** On a busy machine a reply may take longer than the deadline of these tests. */
  const patient = { canaryDomains, deadlineMs: 5_000 };
  const lie = (domains = canaryDomains, entry: ZoneEntry = { rcode: 'NXDOMAIN' }) => {
    for (const domain of canaryDomains)
      server.set(domain, domains.includes(domain) ? entry : { mx: [`10 mx.${domain}`] });
  };
  const missing: MailExchange = { status: 'no_domain', hosts: [] };

  it.each<[string, ZoneEntry]>([
    ['by NXDOMAIN', { rcode: 'NXDOMAIN' }],
    ['by no records', {}],
    ['by a null MX', { mx: ['0 .'] }],
  ])('%s accuse nobody, and mail hosts that they confirm count', async (_title, entry) => {
    lie(canaryDomains, entry);
    server.fallback = entry;
    server.set('inner.example', { mx: ['10 mx.inner.example'] });
    const exchange = create(patient);
    expect(await exchange.lookup('stripe.com')).toEqual(UNKNOWN);
    expect(await exchange.lookup('inner.example')).toMatchObject({ status: 'valid' });
    expect(outcomes).toEqual(['distrusted', 'valid']);
    expect(exchange.canary).toMatchObject({ distrusted: true, wrong: canaryDomains });
  });

  it('are believed if fewer canaries are denied than answered', async () => {
    lie(['gmx.net', 'gmail.com']);
    expect(await create(patient).lookup('missing.example')).toEqual(missing);
  });

  it.each<[string, string[], MailExchange]>([
    ['counts where a canary is answered', ['gmx.net'], missing],
    ['accuses nobody where no canary is answered', [], UNKNOWN],
  ])('%s while most do not answer', async (_title, answered, expected) => {
    lie(canaryDomains, { drop: true });
    for (const domain of answered) server.set(domain, { mx: [`10 mx.${domain}`] });
    stopTimers();
    const exchange = create({ canaryDomains });
    const found = exchange.lookup('missing.example');
    await eventually(() => canaryDomains.every((domain) => server.queries(domain) > 0));
    await pass(PATIENT_MS / 2);
    expect(await found).toEqual(expected);
    expect(exchange.canary.distrusted).toBe(false);
  });

  it('do not spoil memory: what they denied is asked for again once they are right, and blocked if it is missing', async () => {
    lie([]);
    const exchange = create(patient);
    expect(await exchange.lookup('before.example')).toEqual(missing);
    now += 1_000;
    // Wrong answers begin, and are not noticed yet: the last round is fresh, so the first victim is believed and cached.
    lie();
    expect(await exchange.lookup('victim.example')).toEqual(missing);
    now += 2_000;
    expect(await exchange.lookup('stripe.com')).toEqual(UNKNOWN);
    expect(await exchange.lookup('victim.example')).toEqual(UNKNOWN);
    expect(await exchange.lookup('before.example')).toEqual(UNKNOWN);

    lie([]);
    server.set('victim.example', { mx: ['10 mx.victim.example'] });
    server.set('stripe.com', { mx: ['10 mx.stripe.com'] });
    now += 2_000;
    await exchange.canary.start();
    expect(await exchange.lookup('victim.example')).toMatchObject({ status: 'valid' });
    expect(await exchange.lookup('stripe.com')).toMatchObject({ status: 'valid' });
    expect(await exchange.lookup('before.example')).toEqual(missing);
  });

  it('are asked about the canaries at once when the share of denials rises sharply', async () => {
    lie([]);
    const exchange = create(patient);
    await exchange.canary.start();
    now += 1_000;
    for (let at = 0; at < 7; at += 1) await exchange.lookup(`d${at}.example`);
    expect(server.queries('gmail.com')).toBe(1);
    lie();
    expect(await exchange.lookup('d7.example')).toEqual(UNKNOWN);
    expect(server.queries('gmail.com')).toBe(2);
  });

  it('are judged by the canaries that answer, even if one never does', async () => {
    lie(['gmail.com'], { drop: true });
    server.set('missing.example', { rcode: 'NXDOMAIN' });
    const exchange = create(patient);
    for (const domain of ['missing.example', 'gone.example']) {
      server.set(domain, { rcode: 'NXDOMAIN' });
      expect(await exchange.lookup(domain)).toEqual(missing);
      now += 3_000;
    }
  });

  it('are not believed if they give the same mail host for every domain', async () => {
    for (const domain of canaryDomains) server.set(domain, { mx: ['10 mx.captive.example'] });
    const exchange = create(patient);
    await exchange.canary.start();
    expect(exchange.canary.distrusted).toBe(true);
  });

  it('are asked about the canaries in one round at a time', async () => {
    lie();
    server.set('gmail.com', { rcode: 'NXDOMAIN', delayMs: 30 });
    const exchange = create(patient);
    const found = await Promise.all(Array.from({ length: 50 }, (_, at) => exchange.lookup(`d${at}.example`)));
    expect(found.every(({ status }) => status === 'unknown')).toBe(true);
    expect(server.queries('gmail.com')).toBe(1);
  });
});

describe('names below a domain whose name servers are silent', () => {
  const MINUTE = 60_000;
  const names = [1, 2, 3, 4, 5].map((at) => `n${at}.wildcard.com`);
  beforeEach(stopTimers);

  /** The resolver answers another domain meanwhile. */
  async function beSilent(exchange: OneAccount): Promise<void> {
    server.set('answered.example', { mx: ['10 mx.example.com'], ttl: 0 });
    const silent = names.map((name) => exchange.lookup(name));
    expect(await exchange.lookup('answered.example')).toMatchObject({ status: 'valid' });
    await pass(DEADLINE_MS);
    await Promise.all(silent);
  }

  it('are unknown without a question for a minute, until one of them is answered', async () => {
    server.fallback = { drop: true };
    const exchange = create({ deadlineMs: DEADLINE_MS });
    await beSilent(exchange);
    expect(await atOnce(exchange.lookup('new.wildcard.com'))).toEqual(UNKNOWN);
    expect(outcomes.at(-1)).toBe('silent');
    expect(server.queries('new.wildcard.com')).toBe(0);
    now += MINUTE;
    server.fallback = { mx: ['10 mx.example.com'] };
    expect(await exchange.lookup('new.wildcard.com')).toMatchObject({ status: 'valid' });
    expect(await exchange.lookup('next.wildcard.com')).toMatchObject({ status: 'valid' });
  });

  it('are asked for if others rely on them: the domain itself, a provider, a name that was answered before', async () => {
    server.fallback = { drop: true };
    for (const name of ['wildcard.com', 'mail.wildcard.com', 'known.wildcard.com'])
      server.set(name, { mx: ['10 mx.example.com'], ttl: 60 });
    const exchange = create({ deadlineMs: DEADLINE_MS });
    await exchange.lookup('known.wildcard.com');
    now += MINUTE;
    await beSilent(exchange);
    expect(await atOnce(exchange.lookup('mail.wildcard.com'))).toEqual(UNKNOWN);
    const asProvider = exchange.lookup('mail.wildcard.com', { account: 'acme', provider: true });
    const others = ['wildcard.com', 'known.wildcard.com'].map((name) => exchange.lookup(name));
    for (const { status } of await Promise.all([asProvider, ...others])) expect(status).toBe('valid');
  });

  it('are not suspected when the resolver itself misses some answers', async () => {
    server.set('good.example', { mx: ['10 mx.example.com'], ttl: 0 });
    const exchange = create({ deadlineMs: DEADLINE_MS });
    for (const lost of [names.slice(0, 3), names.slice(3)]) {
      server.silent = true;
      await missDeadline(exchange, lost);
      server.silent = false;
      expect(await exchange.lookup('good.example')).toMatchObject({ status: 'valid' });
    }
    server.set('new.wildcard.com', { mx: ['10 mx.example.com'] });
    expect(await exchange.lookup('new.wildcard.com')).toMatchObject({ status: 'valid' });
  });

  it('are not suspected when the whole resolver was silent', async () => {
    server.silent = true;
    const exchange = create({ deadlineMs: DEADLINE_MS });
    await missDeadline(exchange, names);
    expect(await atOnce(exchange.lookup('other.example'))).toEqual(UNKNOWN);
    expect(outcomes.at(-1)).toBe('breaker');
    server.silent = false;
    server.fallback = { mx: ['10 mx.example.com'] };
    while ((await atOnce(exchange.lookup('other.example'))) !== 'waits') {
      await pass(1_000);
      await sleep(5);
    }
    expect(await exchange.lookup('new.wildcard.com')).toMatchObject({ status: 'valid' });
  });
});

describe('limits', () => {
  it('answers unknown if there is no place for a query within the deadline', async () => {
    server.fallback = { drop: true };
    const refused: string[] = [];
    const exchange = create({ deadlineMs: DEADLINE_MS, onRefused: (account) => refused.push(account) });
    const answers = Array.from({ length: 1_000 }, (_, at) => exchange.lookup(`d${at}.example`));
    // More than there are places and turns to wait for.
    const results = await Promise.all(answers.map(atOnce));
    expect(results.filter((answer) => answer !== 'waits')).toHaveLength(1_000 - 128 - 512);
    expect((await Promise.all(answers)).every(({ status }) => status === 'unknown')).toBe(true);
    expect(outcomes.filter((outcome) => outcome === 'busy').length).toBeGreaterThanOrEqual(1_000 - 128 - 512);
    expect(refused).toHaveLength(outcomes.filter((outcome) => outcome === 'busy').length);
  });

  it('ends open look-ups on close', async () => {
    server.silent = true;
    const exchange = create({ deadlineMs: 60_000 });
    const open = exchange.lookup('example.com');
    exchange.close();
    expect(await open).toEqual(UNKNOWN);
  });
});
