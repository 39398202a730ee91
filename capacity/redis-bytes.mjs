// Bytes that Redis stores for attempts: fills an empty server through the adapter with attempts that differ in a single property.
import { createHash } from 'node:crypto';
import { createFingerprint } from '../dist/address/fingerprint.js';
import { readRedisUrl } from '../dist/config/redis-url.js';
import { connect } from '../dist/velocity/redis/connect.js';
import { createKeys } from '../dist/velocity/redis/key-names.js';
import { createRedisCounters } from '../dist/velocity/redis/redis-counters.js';

const ATTEMPTS = 40_000;
const ACCOUNTS = 4_000;
/** Few enough entries for a packed sorted set. */
const TOGETHER = 50;
const AT_ONCE = 64;
const WINDOW = { windowMs: 1_000, admits: 1_000_000 };
/** Names and hashes as in the service. */
const PREFIX = 'gatehouse:';
const HASH_CHARACTERS = 22;
const accountId = (account) => `acc_${String(account).padStart(26, '0')}`;
const NOW = Date.now();

const fingerprint = createFingerprint(Buffer.alloc(32));
const keys = createKeys(PREFIX, fingerprint);

/** @returns bytes of an account, and for each kind of key the bytes of a key with one entry, of another packed entry and of a spread entry */
export async function measureRedisBytes(url) {
  const client = connect(readRedisUrl(url));
  await new Promise((resolve) => client.once('ready', resolve));
  const counters = createRedisCounters({
    connection: { client },
    prefix: PREFIX,
    maxAttemptsPerAccount: 1_048_576,
    fingerprint,
  });
  const used = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))[1]);

  /** Marks the account's counts as restored: a new account has none. */
  async function countOne(request) {
    await client.hsetnx(keys.ofAccount(request.event.account).state, 'm', 1);
    const { counted } = await counters.checkAndCount(request);
    if (counted === null) throw new Error('an attempt was not counted');
  }

  /** Bytes per attempt. */
  async function fill(attemptOf, count = ATTEMPTS) {
    await client.flushall('SYNC');
    await client.call('MEMORY', 'PURGE');
    const before = await used();
    for (let first = 0; first < count; first += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, step) =>
          countOne(requestOf(attemptOf(first + step), first + step)),
        ),
      );
    return ((await used()) - before) / count;
  }
  const entry = async (key) => (await client.call('MEMORY', 'USAGE', key, 'SAMPLES', '0')) / ATTEMPTS;

  const signup = { account: 0, network: null, domain: 'hot', address: undefined };
  const fresh = (index) => ({ ...signup, domain: index, address: index });
  const alone = await fill(fresh);
  const accounts = await fill((index) => ({ ...fresh(index), account: index }), ACCOUNTS);
  const withNetwork = await fill((index) => ({ ...fresh(index), network: index }));
  const packedNetwork = await fill((index) => ({ ...fresh(index), network: Math.floor(index / TOGETHER) }));
  const spreadNetwork = await fill((index) => ({ ...fresh(index), network: 0 }));
  const oneDomain = await fill((index) => ({ ...signup, address: index }));
  const domainSpread = await entry(keys.ofAccount(accountId(0)).domain('hot'));
  const packedDomain = await fill((index) => ({ ...fresh(index), domain: Math.floor(index / TOGETHER) }));
  const retried = await fill((index) => ({ ...signup, address: Math.floor(index / 5) }));
  const sharing = await fill((index) => ({ ...signup, address: index, mailbox: Math.floor(index / 5) }));
  client.disconnect();

  const mailboxKey = oneDomain - domainSpread;
  const domainKey = alone - mailboxKey;
  const networkKey = withNetwork - alone;
  const further = (packed, key) => (packed * TOGETHER - key) / (TOGETHER - 1);
  return rounded({
    account: accounts - alone,
    kinds: {
      address: { key: 0, packed: (5 * retried - mailboxKey - domainSpread) / 4, spread: 0 },
      mailbox: { key: mailboxKey, packed: (5 * (sharing - domainSpread) - mailboxKey) / 4, spread: 0 },
      network: {
        key: networkKey,
        packed: further(packedNetwork - alone, networkKey),
        spread: spreadNetwork - alone,
      },
      domain: { key: domainKey, packed: further(packedDomain - mailboxKey, domainKey), spread: domainSpread },
    },
  });
}

function requestOf({ account, network, domain, address, mailbox = address }, index) {
  const id = accountId(account);
  const hashed = (what) =>
    createHash('sha256').update(String(what)).digest('base64url').slice(0, HASH_CHARACTERS);
  const event = {
    id: `req_01k${String(index).padStart(23, '0')}`,
    account: id,
    at: NOW + index,
    network: network === null ? null : `203.${network >> 16}.${(network >> 8) & 255}.${network & 255}`,
    domain: domain === 'hot' ? 'hot' : `company-${String(domain).padStart(6, '0')}.com`,
    addressHash: hashed(`address ${address}`),
    mailbox: address === mailbox ? hashed(`address ${mailbox}`) : hashed(`mailbox ${mailbox}`),
  };
  return {
    bucket: `${id}:live`,
    window: WINDOW,
    credit: { month: '2026-05', cap: 1e9, used: 0, exact: false },
    event,
  };
}

function rounded(value) {
  if (typeof value === 'number') return Math.round(value * 10) / 10;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rounded(part)]));
}
