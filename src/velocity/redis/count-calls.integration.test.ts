/** Attempts that are counted in one call are answered as if each had a call of its own. */
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, expect, it } from 'vitest';
import { SERVER_PROPERTY_RUNS } from '../../../test/support/property-runs.ts';
import { startRedis } from '../../../test/support/redis-server.ts';
import { createFingerprint } from '../../address/fingerprint.ts';
import { readRedisUrl } from '../../config/redis-url.ts';
import type { RedisServers } from '../../model/redis-servers.ts';
import type { CountRequest } from '../counters.ts';
import { seen } from '../counters-script.suite.ts';
import { connect } from './connect.ts';
import { createRedisCounters } from './redis-counters.ts';

const server = await startRedis();
const client = connect(readRedisUrl(server.url) as RedisServers);
const raw = new Redis(server.url);
await new Promise((resolve) => client.once('ready', resolve));
afterAll(async () => {
  client.disconnect();
  raw.disconnect();
  await server.close();
});

const START = Date.UTC(2040, 0, 1);
/** Max. attempts of an account, so few that a long script makes it forget. */
const FEW_ATTEMPTS = 64;
const MANY_ATTEMPTS = 1_048_576;
let made = 0;
const countersOf = (prefix: string, maxAttemptsPerAccount: number) =>
  createRedisCounters({
    connection: { client },
    prefix,
    maxAttemptsPerAccount,
    fingerprint: createFingerprint(Buffer.alloc(32)),
  });

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const attempts = fc.record({
  account: fc.nat(1),
  /** After the time of the turn; mostly in order. */
  later: fc.oneof(
    { weight: 8, arbitrary: fc.nat(20) },
    { weight: 1, arbitrary: fc.integer({ min: -90_000, max: 90_000 }) },
  ),
  network: fc.option(fc.nat(3)),
  domain: fc.nat(1),
  local: fc.nat(9),
  window: fc.option(fc.record({ windowMs: fc.constant(5_000), admits: mostly(1_000, 0, 3) })),
  credit: fc.option(
    fc.record({
      month: fc.constantFrom('2040-01', '2040-02'),
      cap: mostly(1_000, 10),
      used: fc.nat(7),
      exact: fc.boolean(),
    }),
  ),
});
type Attempt = typeof attempts extends fc.Arbitrary<infer T> ? T : never;

const turns = fc.array(
  fc.record({
    waitMs: fc.constantFrom(0, 1, 4_000, 1_800_000, 3_600_000, 50_000_000, -7_200_000),
    attempts: fc.array(attempts, { minLength: 1, maxLength: 20, size: 'max' }),
  }),
  { maxLength: 12, size: 'max' },
);

/** More attempts within a minute than an account of few remembers, the last of each turn refused. Random ones rarely do that. */
const manyInAMinute = Array.from({ length: 5 }, () => ({
  waitMs: 4_000,
  attempts: Array.from({ length: 20 }, (_, index): Attempt => {
    const window = index === 19 ? { windowMs: 5_000 as const, admits: 0 } : null;
    return { account: 0, later: index, network: 0, domain: 0, local: index % 10, window, credit: null };
  }),
}));

function requestOf(
  { account, later, network, domain, local, window, credit }: Attempt,
  at: number,
): CountRequest {
  made += 1;
  return {
    bucket: `acc_${account}:live`,
    window,
    credit,
    event: {
      id: `req_${made}`,
      account: `acc_${account}`,
      at: at + later,
      network: network === null ? null : `203.0.113.${network}`,
      domain: `${domain}.example`,
      addressHash: `${local}@${domain}.example`,
      mailbox: `${local % 3}@${domain}.example`,
    },
  };
}

/** Parts of a result without its functions. */
const plain = ({
  rate,
  credit,
  counted,
  incomplete,
}: Awaited<ReturnType<ReturnType<typeof countersOf>['checkAndCount']>>) => ({
  rate,
  credit,
  incomplete,
  counts: counted?.counts,
  voices: counted && seen(counted),
});

/** Without fields that say the same as no field. The counts expire. */
async function stateOf(prefix: string, account: string): Promise<[string, string][]> {
  const key = `${prefix}{${account}}S`;
  const fields = Object.entries(await raw.hgetall(key));
  if (fields.some(([field]) => field === 't')) expect(await raw.pttl(key)).toBeGreaterThan(0);
  return fields.filter(([, value]) => value !== '' && value !== '0').sort();
}

it('the answers and the state are those of single calls', async () => {
  let runs = 0;
  const answered = { counted: 0, refused: 0, partial: 0 };
  await fc.assert(
    fc.asyncProperty(turns, mostly(true, false), async (script, isComplete) => {
      runs += 1;
      const [together, alone] = [`together${runs}:`, `alone-123${runs}:`];
      const [one, other] = [countersOf(together, FEW_ATTEMPTS), countersOf(alone, FEW_ATTEMPTS)];
      if (isComplete)
        for (const prefix of [together, alone])
          for (const each of ['acc_0', 'acc_1']) await raw.hset(`${prefix}{${each}}S`, 'm', 1);
      let now = START;
      for (const { waitMs, attempts: turn } of script) {
        now += waitMs;
        const requests = turn.map((attempt) => requestOf(attempt, now));
        const results = await Promise.all(requests.map((request) => one.checkAndCount(request)));
        for (const [index, request] of requests.entries()) {
          const result = plain(await other.checkAndCount(request));
          expect(plain(results[index] as Awaited<ReturnType<typeof one.checkAndCount>>)).toEqual(result);
          if (result.counts?.partial) answered.partial += 1;
          answered[result.counts ? 'counted' : 'refused'] += 1;
        }
      }
      for (const account of ['acc_0', 'acc_1'])
        expect(await stateOf(together, account)).toEqual(await stateOf(alone, account));
    }),
    { numRuns: SERVER_PROPERTY_RUNS, examples: [[manyInAMinute, true]] },
  );
  for (const count of Object.values(answered)) expect(count).toBeGreaterThan(0);
});

async function commandsOf(run: () => Promise<unknown>): Promise<number> {
  await raw.config('RESETSTAT');
  await run();
  const stats = await raw.info('commandstats');
  let calls = 0;
  for (const [, name, count] of stats.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm))
    if (!/evalsha|config|info/.test(name as string)) calls += Number(count);
  return calls;
}

it('eight signups at a known domain take seven commands each, in a burst eight, and two for all; one signup nine', async () => {
  const counters = countersOf('commands:', MANY_ATTEMPTS);
  await raw.hset('commands:{acc_0}S', 'm', 1);
  const window = { windowMs: 5_000, admits: 1_000 } as const;
  const credit = { month: '2040-01', cap: 1_000, used: 0, exact: false } as const;
  const signUp = (number: number) => {
    const attempt = { account: 0, later: number, network: number, domain: 0, local: 0, window, credit };
    const request = requestOf(attempt, START);
    const names = { addressHash: `new-${number}`, mailbox: `new-${number}` };
    return counters.checkAndCount({ ...request, event: { ...request.event, ...names } });
  };
  for (let number = 0; number < 2; number += 1) await signUp(number);
  expect(await commandsOf(() => signUp(2))).toBe(9);
  expect(
    await commandsOf(() => Promise.all(Array.from({ length: 8 }, (_, index) => signUp(3 + index)))),
  ).toBe(8 * 7 + 6 + 2);
});
