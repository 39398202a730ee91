import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { rounds } from '../../test/support/long-version.ts';
import { parseEmail } from '../address/email.ts';
import { nameFactsOf } from '../address/name-facts-of.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import type { Intel } from '../intel/intel.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import type { Awaitable } from '../model/awaitable.ts';
import type { DomainAge, EmailEvidence, MailExchange } from '../model/evidence.ts';
import { NO_NAME } from '../model/name-facts.ts';
import { createRememberingGatherEmail, type EmailMemoryOptions } from './email-memory.ts';
import { createGatherEmail, type GatherEmail } from './gather-email.ts';
import type { HostDecisionEffect } from './mail-host-decisions.ts';
import { createMailHosts, type MailHosts } from './mail-hosts.ts';
import { createMemoryTexts } from './memory-texts.ts';
import type { DnsReply } from './sources/dns-message.ts';
import type { RememberedAnswer } from './sources/remembered-answer.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 5, 1);
const LISTED = ['mailinator.com', 'yopmail.com', 'guerrillamail.com', 'trashmail.com'];
const BAD = 'mx.bad-harbour.com';
const OFFICE = 'mx.office-park.com';
const HOSTS = [BAD, OFFICE, 'mx.one-harbour.com', 'aspmx.l.google.com'];
/** Flagged because of its mail host. */
const FRESH = 'one-harbour.com';
/** By domain, at the start: the bad host serves few ordinary domains, so it is soon flagged. */
const EXCHANGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LISTED.map((domain) => [domain, BAD])),
  [FRESH]: BAD,
  'a.three-harbour.com': OFFICE,
  'gmail.com': BAD,
  'outlook.com': BAD,
  'vtext.com': OFFICE,
};
const DOMAINS = Object.keys(EXCHANGES);
const ADDRESSES = ['198.41.0.4', '199.9.14.201'];
const ACCOUNTS = ['acme', 'bolt', 'cask'];
const LOCALS = ['jo', 'info', 'jo+tag', 'x7f9q2k1zp', 'abuse', 'j.a.ne.doe'];
/** Keeps nothing of what it was asked. */
const typingMistakes = createTypingMistakes();

/** The answers of sources, the same for every caller. */
interface World {
  now: number;
  distrusted: boolean;
  intel: Intel;
  readonly decisions: HostDecisionEffect[];
  readonly exchanges: Map<string, readonly string[]>;
  readonly reports: Set<string>;
}

let first: Intel;
let second: Intel;

beforeAll(async () => {
  first = await openSnapshot(BASELINE_FILE);
  const listed = first.domain('mailinator.com');
  const domain: Intel['domain'] = (name) => (name === 'one-harbour.com' ? listed : first.domain(name));
  second = { ...first, id: 'second', domain };
});

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function makeWorld(): World {
  const exchanges = new Map(Object.entries(EXCHANGES).map(([domain, host]) => [domain, [host]]));
  return { now: START, distrusted: false, intel: first, decisions: [], exchanges, reports: new Set() };
}

/** Asks `answer` once for a subject and its time to live; `counted` are the look-ups that were answered from memory. */
function createSource<Value>(
  world: World,
  ttlMs: (domain: string) => number,
  answer: (domain: string) => Value,
) {
  const known = new Map<string, { value: Value; since: number; until: number }>();
  const counts = { fromMemory: 0, lookups: 0 };
  const current = (domain: string) => {
    const entry = known.get(domain);
    return entry !== undefined && entry.until > world.now && world.now >= entry.since ? entry : undefined;
  };
  return {
    counts,
    lookup(domain: string): Awaitable<Value> {
      counts.lookups += 1;
      const entry = current(domain);
      if (entry !== undefined) {
        counts.fromMemory += 1;
        return entry.value;
      }
      const value = answer(domain);
      known.set(domain, { value, since: world.now, until: world.now + ttlMs(domain) });
      return Promise.resolve(value);
    },
    remembered(domain: string): RememberedAnswer | undefined {
      const entry = current(domain);
      return entry && { until: entry.until, isCurrent: () => current(domain) === entry };
    },
    changes: 0,
    /** Before its time is over. */
    forget(domain: string) {
      known.delete(domain);
      this.changes += 1;
    },
    countSpared() {
      counts.fromMemory += 1;
    },
  };
}

/** For one domain longer than sightings at a mail host count, for all others shorter than an hour. */
const exchangeTtlMs = (domain: string) => (domain === FRESH ? 300 * DAY_MS : HOUR_MS / 4);

/** Sources with memories of their own, and the function that gathers from them. */
interface Gatherer {
  readonly gather: GatherEmail;
  readonly mailHosts: MailHosts;
  readonly exchange: ReturnType<typeof createSource<MailExchange>>;
  readonly age: ReturnType<typeof createSource<DomainAge>>;
}

function createGatherer(world: World, create: (options: EmailMemoryOptions) => GatherEmail): Gatherer {
  const exchange = createSource<MailExchange>(world, exchangeTtlMs, (domain) => {
    const hosts = world.exchanges.get(domain) ?? [];
    return hosts.length === 0 ? { status: 'none', hosts } : { status: 'valid', hosts };
  });
  const age = createSource<DomainAge>(
    world,
    () => 400 * DAY_MS,
    (domain) => ({
      // Older domains would outweigh what their mail host serves.
      days: domain.length * 20,
      status: 'known',
    }),
  );
  const mailHosts = createMailHosts({
    minListed: 2,
    client: {
      query: (host, type) => ({ heard: true, stop() {}, reply: Promise.resolve(reply(host, type)) }),
    },
    texts: createMemoryTexts(),
    decisions: {
      hostDecisionsVersion: async () => world.decisions.length,
      hostDecisionsSince: async (version) => world.decisions.slice(version),
    },
    distrusted: () => world.distrusted,
    clock: () => world.now,
  });
  const gather = create({
    mailExchange: exchange,
    domainAge: age,
    mailHosts,
    typingMistakes,
    goodReports: { isGood: (account, domain) => world.reports.has(`${account} ${domain}`) },
    domainReputation: undefined,
  });
  return { gather, mailHosts, exchange, age };
}

/** Some hosts share an address. */
function reply(host: string, type: string): DnsReply {
  if (type !== 'A') return { status: 'no_records', records: [], ttlSeconds: 3_600 };
  const data = ADDRESSES[host.length % 2] as string;
  return { status: 'records', records: [{ type: 'A', data }], ttlSeconds: 3_600 } as unknown as DnsReply;
}

interface Signup {
  readonly domain: string;
  readonly account: string;
  readonly local: string;
}

async function gathered({ gather }: Gatherer, world: World, signup: Signup): Promise<EmailEvidence> {
  const email = parseEmail(`${signup.local}@${signup.domain}`);
  if (email === undefined) throw new Error(`not an address at ${signup.domain}`);
  const evidence = await gather(email, world.intel, {
    account: signup.account,
    at: world.now,
    name: nameFactsOf(email.local, () => 7),
    spelling: email.local.includes('.') ? 'untagged' : email.local.includes('+') ? 'tagged' : 'canonical',
  });
  // Addresses of mail hosts are looked up a moment later.
  await vi.advanceTimersByTimeAsync(25);
  return evidence;
}

type Change = (world: World, gatherers: readonly Gatherer[]) => unknown;

const domain = fc.constantFrom(...DOMAINS);
const signup = fc.record({
  domain: fc.oneof(domain, fc.constant(FRESH)),
  account: fc.constantFrom(...ACCOUNTS),
  local: fc.constantFrom(...LOCALS),
});
const pass = (milliseconds: number) => (world: World) => {
  world.now += milliseconds;
};
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom(1_000, HOUR_MS / 3, 25 * HOUR_MS, 200 * DAY_MS).map(pass),
  fc.tuple(domain, fc.subarray(HOSTS)).map(([name, hosts]) => (world: World) => {
    world.exchanges.set(name, hosts);
  }),
  fc
    .record({
      key: fc.constantFrom('*.bad-harbour.com', '*.bad-harbour.com', ...ADDRESSES),
      generation: fc.nat(3),
      neverFlag: fc.boolean(),
    })
    .map((decision) => async (world: World, gatherers: readonly Gatherer[]) => {
      world.decisions.push(decision);
      for (const { mailHosts } of gatherers) await mailHosts.refresh();
    }),
  fc.constantFrom(...ACCOUNTS).map((account) => (_: World, gatherers: readonly Gatherer[]) => {
    for (const { mailHosts } of gatherers) mailHosts.removeAccount(account);
  }),
  fc.boolean().map((distrusted) => (world: World) => {
    world.distrusted = distrusted;
  }),
  fc.boolean().map((isFirst) => (world: World) => {
    world.intel = isFirst ? first : second;
  }),
  fc
    .tuple(fc.constantFrom(...ACCOUNTS), fc.constantFrom(...LISTED))
    .map(([account, name]) => (world: World) => {
      world.reports.add(`${account} ${name}`);
    }),
);
/** Signups are repeated, so that memory is used. */
const steps = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.tuple(signup, fc.integer({ min: 1, max: 3 })) },
    { weight: 1, arbitrary: change },
  ),
  { minLength: 10, maxLength: 40 },
);
const see = (...accounts: readonly string[]) =>
  LISTED.flatMap((domain) => accounts.map((account) => [{ domain, account, local: 'jo' }, 1] as const));
/** Observations at the bad host before: nothing, enough to flag it for everybody, or enough for one account. */
const before = fc.constantFrom([], see('acme', 'bolt'), [...see('acme'), pass(25 * HOUR_MS), ...see('acme')]);

describe('the memory of a domain', () => {
  it('always gives what every source would say', async () => {
    let spared = 0;
    await fc.assert(
      fc.asyncProperty(before, steps, async (seen, list) => {
        const world = makeWorld();
        const remembering = createGatherer(world, createRememberingGatherEmail);
        const asking = createGatherer(world, createGatherEmail);
        for (const step of [...seen, ...list]) {
          if (typeof step === 'function') {
            await step(world, [remembering, asking]);
            continue;
          }
          const [lookup, times] = step;
          for (let time = 0; time < times; time += 1)
            expect(await gathered(remembering, world, lookup)).toEqual(await gathered(asking, world, lookup));
        }
        expect(remembering.exchange.counts.fromMemory).toBe(asking.exchange.counts.fromMemory);
        spared += asking.exchange.counts.lookups - remembering.exchange.counts.lookups;
      }),
      { numRuns: rounds(60, 2_000) },
    );
    expect(spared).toBeGreaterThan(100);
  });

  it('asks again when a source has changed its mind, and only about what that changes', async () => {
    const world = makeWorld();
    const gatherer = createGatherer(world, createRememberingGatherEmail);
    const [one, other] = ['one-harbour.com', 'a.three-harbour.com'].map((domain) => () => {
      return gathered(gatherer, world, { domain, account: 'acme', local: 'jo' });
    }) as [() => Promise<EmailEvidence>, () => Promise<EmailEvidence>];
    for (let time = 0; time < 3; time += 1) for (const ask of [one, other]) await ask();
    const { counts } = gatherer.age;
    const before = counts.lookups;
    gatherer.age.forget('one-harbour.com');
    for (const ask of [other, one]) await ask();
    expect(counts.lookups - before).toBe(1);
  });

  it('asks again when a clock was set back to before the answers', async () => {
    const world = makeWorld();
    const gatherer = createGatherer(world, createRememberingGatherEmail);
    const ask = () => gathered(gatherer, world, { domain: 'one-harbour.com', account: 'acme', local: 'jo' });
    for (let time = 0; time < 3; time += 1) await ask();
    const { lookups } = gatherer.age.counts;
    world.now -= DAY_MS;
    await ask();
    expect(gatherer.age.counts.lookups).toBe(lookups + 1);
  });

  it('serves other addresses of the domain, also roles and addresses with tags', async () => {
    const world = makeWorld();
    const gatherer = createGatherer(world, createRememberingGatherEmail);
    const at = (local: string) =>
      gathered(gatherer, world, { domain: 'one-harbour.com', account: 'acme', local });
    for (let time = 0; time < 3; time += 1) await at('info');
    const { lookups } = gatherer.exchange.counts;
    expect(await at('jo')).toMatchObject({ role: false, alias: false, name: { mask: 'l2' } });
    expect(await at('info')).toMatchObject({ role: true, alias: false, name: NO_NAME });
    expect(await at('jo+tag')).toMatchObject({ role: false, alias: true, respelled: true });
    expect(await at('jane7')).toMatchObject({ respelled: false, name: { mask: 'l4d1', stem: 7 } });
    expect(await at('x7f9q2k1zp')).toMatchObject({ role: false, alias: false, name: { odds: 20 } });
    expect(await at('jo')).toMatchObject({ name: { odds: 0, stem: 0 } });
    expect(gatherer.exchange.counts.lookups).toBe(lookups);
  });
});
