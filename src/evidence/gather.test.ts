import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aUsualDomain } from '../../test/support/a-usual-domain.ts';
import { parseEmail } from '../address/email.ts';
import { readIp } from '../address/ip.ts';
import { BASELINE_FILE } from '../intel/bundled-snapshot.ts';
import { openSnapshot } from '../intel/snapshot.ts';
import { createTypingMistakes } from '../intel/typing-mistake.ts';
import type { DomainAge } from '../model/evidence.ts';
import { NO_NAME } from '../model/name-facts.ts';
import type { UsualDomain } from '../model/usual-domain.ts';
import { countsAlone, plainVoices } from '../model/velocity-event.ts';
import { createGather, type GatherOptions, type Subject } from './gather.ts';
import { createGatherEmail, type EmailGatherers } from './gather-email.ts';
import { NO_REPUTATION } from './sources/reputation.ts';

const counts = countsAlone({ network: '8.8.8.0/24' });
const AT = Date.UTC(2026, 4, 10);
const DAY_MS = 86_400_000;
const VELOCITY = { counts, voices: plainVoices(counts) };
const intel = await openSnapshot(BASELINE_FILE);

// The clock moves only with the timers, so each wait takes exactly its time.
beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function wait<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, value));
}

function subject(address = '8.8.8.8'): Subject {
  const email = parseEmail('jo@example.org');
  const reading = readIp(address);
  if (email === undefined || reading.status !== 'ok') throw new Error('unusable attempt');
  return {
    id: 'a',
    account: 'acme',
    at: 0,
    network: '8.8.8.0/24',
    domain: email.domain,
    addressHash: 'hash',
    mailbox: 'hash',
    email,
    ip: reading.address,
    name: NO_NAME,
    spelling: 'canonical',
  };
}

/** Sources that know nothing, except these. */
function sources(known: Pick<EmailGatherers, 'mailExchange'> & Partial<EmailGatherers>): GatherOptions {
  return {
    gatherEmail: createGatherEmail({
      domainAge: { lookup: async () => ({ days: -1, status: 'unlisted' }) },
      mailHosts: { load: () => undefined, associate: () => expect.unreachable() },
      typingMistakes: createTypingMistakes(),
      goodReports: { isGood: () => false },
      domainReputation: undefined,
      ...known,
    }),
    intel: () => intel,
    ownLists: { find: () => null, findOffice: () => null },
    ipReputation: undefined,
    observe: () => {},
  };
}

/** Observations of an attempt whose DNS and IP services answer after these times. */
async function observed(mxMs: number, ipMs: number): Promise<Record<string, number>> {
  const times: Record<string, number> = {};
  const options: GatherOptions = {
    ...sources({ mailExchange: { lookup: () => wait(mxMs, { status: 'none', hosts: [] }) } }),
    ipReputation: { lookup: () => wait(ipMs, NO_REPUTATION) },
    observe: (gatherer, milliseconds) => {
      times[gatherer] = milliseconds;
    },
  };
  const gathering = createGather(options)(subject(), VELOCITY);
  await vi.runAllTimersAsync();
  await gathering;
  return times;
}

it('gives what is in memory in the same turn', () => {
  const gather = createGather(
    sources({
      mailExchange: { lookup: () => ({ status: 'none', hosts: [] }) },
      domainAge: { lookup: () => ({ days: 7, status: 'known' }) },
    }),
  );
  expect(gather(subject(), VELOCITY)).toMatchObject({
    email: { age: { days: 7 } },
    ip: { address: '8.8.8.8' },
  });
});

it('counts the wait for an IP service as the IP gatherer’s, not as the email gatherer’s', async () => {
  expect(await observed(10, 150)).toEqual({ ip: 150, email: 10 });
});

it('counts the wait for DNS as the email gatherer’s, not as the IP gatherer’s', async () => {
  expect(await observed(150, 10)).toEqual({ ip: 10, email: 150 });
});

it.each([
  ['172.56.1.1', 'carrier'],
  ['165.225.0.1', 'proxy'],
  ['2a06:98c0:3600::103', 'egress'],
  ['8.8.8.8', ''],
])('says that %s is shared: %j', async (address, sharedPlace) => {
  const gather = createGather(sources({ mailExchange: { lookup: () => ({ status: 'none', hosts: [] }) } }));
  expect(await gather(subject(address), VELOCITY)).toMatchObject({ ip: { address, sharedPlace } });
});

it('says who of a domain came before, and that it is usual where nothing else speaks for it or against it', async () => {
  const usual = { ...aUsualDomain('acme', 'example.org'), since: AT - 60 * DAY_MS, lastAt: AT };
  const found = async (row: UsualDomain | undefined, age: DomainAge) => {
    const mailExchange = { lookup: () => ({ status: 'none', hosts: [] }) as const };
    const gather = createGather({
      ...sources({ mailExchange, domainAge: { lookup: () => age } }),
      campaigns: { find: () => null, usual: () => row },
    });
    const { email } = await gather({ ...subject(), account: 'acme', at: AT }, VELOCITY);
    return [email.standing, email.usualPeople, email.usualSince];
  };
  const unlisted = { days: -1, status: 'unlisted' } as const;
  const known = (days: number) => ({ days, status: 'known' }) as const;
  expect(await found(undefined, unlisted)).toEqual(['', 0, 0]);
  expect(await found(usual, unlisted)).toEqual(['usual', 218, usual.since]);
  expect(await found(usual, known(61))).toEqual(['usual', 218, usual.since]);
  expect(await found(usual, known(4_000))).toEqual(['old', 218, usual.since]);
  // Bought by somebody else in between.
  expect(await found(usual, known(30))).toEqual(['', 0, 0]);
});

it.each([
  ['acme', 5, 'known'],
  ['acme', 4, ''],
  ['another', 5, ''],
])('says for %s and %i addresses of a domain that acme reported: %j', async (account, domain1h, standing) => {
  const goodReports = {
    isGood: (asker: string, domain: string) => asker === 'acme' && domain === 'example.org',
  };
  const mailExchange = { lookup: () => ({ status: 'none', hosts: [] }) as const };
  const gather = createGather({ ...sources({ mailExchange }), goodReports });
  const { email } = await gather({ ...subject(), account }, { ...VELOCITY, counts: { ...counts, domain1h } });
  expect(email.standing).toBe(standing);
});

it.each([
  [null, { mailbox90d: 0, mailboxVoices90d: 0, mailboxDays: 0 }],
  [
    { all: 7, voices: 5, days: 90 },
    { mailbox90d: 7, mailboxVoices90d: 5, mailboxDays: 90 },
  ],
])('takes over how many addresses of the mailbox came within months: %j', async (months, velocity) => {
  const mailExchange = { lookup: () => ({ status: 'none', hosts: [] }) as const };
  const mailboxes = { count: ({ mailbox }: Subject) => (mailbox === 'hash' ? months : null) };
  const gather = createGather({ ...sources({ mailExchange }), mailboxes });
  expect(await gather(subject(), VELOCITY)).toMatchObject({ velocity });
});
