/** The record of one mail host: which domains it was seen to serve, which accounts saw that, and when. */
import { ownerDomain } from '../address/domain.ts';

/**
 * Kind of a served domain for its host: on a list of disposable domains, ordinary, or neither any more. The last is
 * stored too, so that other nodes learn it.
 */
export type ServedKind = 'listed' | 'ordinary' | 'neither';

/** One account saw one domain. Hours since the epoch. */
export interface Sighting {
  first: number;
  last: number;
}

export interface DomainObservation {
  readonly kind: ServedKind;
  /** Sightings by account. */
  readonly seen: Map<string, Sighting>;
}

export interface HostRecord {
  /** Number of times that an operator had forgotten the host when this was learned. */
  readonly generation: number;
  /** Observations by the listed entry, or the owner's domain. */
  readonly domains: Map<string, DomainObservation>;
  /** Some of the host names behind it, for people. */
  readonly names: Set<string>;
}

export interface Observation {
  readonly domain: string;
  readonly kind: ServedKind;
  readonly account: string;
  /** Name of the host that served it. */
  readonly host: string;
}

const KINDS: readonly ServedKind[] = ['listed', 'ordinary', 'neither'];
export const HOUR_MS = 3_600_000;
/** Hosts get new owners: what nobody saw again for so long is forgotten. */
export const LIFETIME_HOURS = 180 * 24;
/** A sighting that lasts is written once a day. */
const REFRESH_HOURS = 24;
const MAX_DOMAINS = { listed: 256, ordinary: 80, neither: 80 } as const;
/** An account fills at most half of the places. Its ordinary domains can outweigh all listed ones of another account. */
const MAX_PER_ACCOUNT = { listed: 128, ordinary: 40, neither: 40 } as const;
/** More accounts than this add no information about one domain. */
const MAX_ACCOUNTS = 4;
const MAX_NAMES = 8;

/** All hosts of one owner are remembered together: `*.example.net` for `mx7.example.net`. */
export function hostKey(host: string): string {
  const owner = ownerDomain(host);
  return owner === undefined ? host : `*.${owner}`;
}

export function recordName(key: string): string {
  return `host-record:${key}`;
}

export function emptyRecord(generation: number): HostRecord {
  return { generation, domains: new Map(), names: new Set() };
}

/** `again`: only the time of something known changed. */
export type Change = 'none' | 'again' | 'new';

/** Adds an observation. Returns the changes in the record. */
export function observe(record: HostRecord, observation: Observation, hour: number): Change {
  const { domain, kind, account, host } = observation;
  const named: Change = noteName(record, host) ? 'new' : 'none';
  const known = record.domains.get(domain);
  if (kind === 'neither' && known === undefined) return named;
  const seen = known?.kind === kind ? known.seen : new Map<string, Sighting>();
  const sighting = seen.get(account);
  if (sighting !== undefined) {
    if (hour - sighting.last < REFRESH_HOURS) return named;
    sighting.last = hour;
    return named === 'new' ? named : 'again';
  }
  if (seen.size >= MAX_ACCOUNTS || !hasRoom(record, observation, hour)) return named;
  seen.set(account, { first: hour, last: hour });
  record.domains.set(domain, { kind, seen });
  return 'new';
}

/** Merges the records of two nodes. Observations from before an operator forgot the host are dropped. */
export function merge(a: HostRecord, b: HostRecord): HostRecord {
  if (a.generation !== b.generation) return a.generation > b.generation ? a : b;
  const merged = emptyRecord(a.generation);
  for (const { domains, names } of [a, b]) {
    for (const name of names) noteName(merged, name);
    for (const [domain, observation] of domains) mergeDomain(merged, domain, observation);
  }
  return merged;
}

/** The part of a record that others saw; the same record where the accounts saw nothing. */
export function withoutAccounts(record: HostRecord, accounts: ReadonlySet<string>): HostRecord {
  const kept = emptyRecord(record.generation);
  for (const name of record.names) kept.names.add(name);
  for (const [domain, { kind, seen }] of record.domains) {
    const others = [...seen].filter(([account]) => !accounts.has(account));
    if (others.length > 0) kept.domains.set(domain, { kind, seen: new Map(others) });
  }
  return kept;
}

/** Record without what an account saw of some domains, and without hosts there; the same where there is none. */
export function withoutDomains(
  record: HostRecord,
  account: string,
  isErased: (domain: string) => boolean,
): HostRecord {
  const kept = emptyRecord(record.generation);
  for (const [domain, { kind, seen }] of record.domains) {
    const left = isErased(domain) ? [...seen].filter(([other]) => other !== account) : [...seen];
    if (left.length > 0) kept.domains.set(domain, { kind, seen: new Map(left) });
  }
  const isOthers = (host: string) =>
    [...kept.domains.keys()].some((domain) => isErased(domain) && isWithin(host, domain));
  for (const name of record.names) if (!isErased(name) || isOthers(name)) kept.names.add(name);
  return kept;
}

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`);

/** The last hour in which something in the record counts. */
export function lastHour({ domains }: HostRecord): number {
  let last = 0;
  for (const { seen } of domains.values())
    for (const sighting of seen.values()) last = Math.max(last, sighting.last);
  return last + LIFETIME_HOURS;
}

export function writeRecord({ generation, domains, names }: HostRecord): string {
  const accounts: string[] = [];
  const numberOf = (account: string) => {
    const at = accounts.indexOf(account);
    return at >= 0 ? at : accounts.push(account) - 1;
  };
  const rows = [...domains].map(([domain, { kind, seen }]) => [
    domain,
    kind,
    [...seen].map(([account, { first, last }]) => [numberOf(account), first, last]),
  ]);
  return JSON.stringify({ generation, accounts, names: [...names], domains: rows });
}

/** `undefined` for a text that cannot be read. */
export function readRecord(text: string): HostRecord | undefined {
  try {
    const { generation, accounts, names, domains } = JSON.parse(text);
    const record = emptyRecord(Number.isSafeInteger(generation) ? generation : 0);
    for (const name of names) noteName(record, String(name));
    for (const [domain, kind, seen] of domains) {
      if (!KINDS.includes(kind)) continue;
      const sightings = seen.map(([account, first, last]: number[]) => [
        String(accounts[account as number]),
        { first, last },
      ]);
      record.domains.set(String(domain), { kind, seen: new Map(sightings) });
    }
    return record;
  } catch {
    return undefined;
  }
}

function noteName({ names }: HostRecord, host: string): boolean {
  if (names.size >= MAX_NAMES || names.has(host)) return false;
  names.add(host);
  return true;
}

function hasRoom({ domains }: HostRecord, { domain, kind, account }: Observation, hour: number): boolean {
  let all = 0;
  let own = 0;
  for (const [name, observation] of domains) {
    if (observation.kind !== kind || name === domain) continue;
    const { seen } = observation;
    if ([...seen.values()].every(({ last }) => isOver(last, hour))) {
      domains.delete(name);
      continue;
    }
    all += 1;
    if (seen.has(account)) own += 1;
  }
  return all < MAX_DOMAINS[kind] && own < MAX_PER_ACCOUNT[kind];
}

export function isOver(lastSeen: number, hour: number): boolean {
  return hour - lastSeen >= LIFETIME_HOURS;
}

/** Adds a domain's observation; if its kind changed, the newest sighting decides. */
function mergeDomain(record: HostRecord, domain: string, { kind, seen }: DomainObservation): void {
  const known = record.domains.get(domain);
  if (known === undefined || (known.kind !== kind && newest(seen) > newest(known.seen))) {
    record.domains.set(domain, {
      kind,
      seen: new Map([...seen].map(([account, at]) => [account, { ...at }])),
    });
    return;
  }
  if (known.kind !== kind) return;
  for (const [account, { first, last }] of seen) {
    const sighting = known.seen.get(account);
    if (sighting === undefined) {
      if (known.seen.size < MAX_ACCOUNTS) known.seen.set(account, { first, last });
      continue;
    }
    sighting.first = Math.min(sighting.first, first);
    sighting.last = Math.max(sighting.last, last);
  }
}

function newest(seen: ReadonlyMap<string, Sighting>): number {
  return Math.max(...[...seen.values()].map(({ last }) => last));
}
