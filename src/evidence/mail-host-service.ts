/** Lets operators see the data about a mail host, delete it, and decide that the host is never flagged. */
import { parseEmail } from '../address/email.ts';
import { parseIp } from '../address/ip.ts';
import { trimInvisible } from '../address/visible-text.ts';
import type { MailHostCounts, MailHostReport, MailHostState } from '../contract/dashboard-installation.ts';
import type { Intel } from '../intel/intel.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AuditEntry } from '../store/audit-store.ts';
import type { HostDecision } from '../store/dashboard-store.ts';
import type { Store } from '../store/store.ts';
import { addressesName } from './mail-host-addresses.ts';
import { type HostSummary, summarizeHost } from './mail-host-decisions.ts';
import { createHostFacts } from './mail-host-facts.ts';
import { emptyRecord, type HostRecord, hostKey, readRecord, recordName } from './mail-host-record.ts';

export interface MailHostServiceOptions {
  readonly store: Pick<Store, 'cache' | 'decideHosts' | 'hostDecisionsSince'>;
  readonly intel: () => Promise<Intel>;
  /** `null`: nothing is learned. */
  readonly minListed: number | null;
  /** Points of a flagged host in the default policy; an account may have set another weight. */
  readonly defaultPoints: number | undefined;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export interface MailHostService {
  /** The report on a host name or an IP address; `undefined` when the text is neither. */
  lookUp(text: string): Promise<MailHostReport | undefined>;
  /** Deletes the observations of the host and its addresses, on all nodes. @throws when that could not be stored */
  forget(report: MailHostReport, entry: AuditEntry): Promise<void>;
  /** Never flags the host and its addresses; with `on` false it judges them again. @throws when it could not be stored */
  neverFlag(report: MailHostReport, on: boolean, entry: AuditEntry): Promise<void>;
}

const MAX_NAMES = 20;

export function createMailHostService(options: MailHostServiceOptions): MailHostService {
  const { store } = options;
  const keysOf = ({ remembered_as, addresses }: MailHostReport) => [
    remembered_as,
    ...addresses.map(({ address }) => address),
  ];

  return {
    lookUp: createLookUp(options),
    async forget(report, entry) {
      const keys = keysOf(report);
      const { by, at } = entry;
      await store.decideHosts({ keys, forget: keys.map(recordName), by, at }, entry);
    },
    async neverFlag(report, on, entry) {
      const { by, at } = entry;
      await store.decideHosts({ keys: keysOf(report), neverFlag: on, by, at }, entry);
    },
  };
}

type Decisions = ReadonlyMap<string, HostDecision>;

function createLookUp(options: MailHostServiceOptions): MailHostService['lookUp'] {
  const { store, intel, minListed, defaultPoints, clock } = options;
  const follows = `Other domains with their mail here are challenged (${defaultPoints} points by default).`;
  const factsOf = createHostFacts(100);

  async function readHostRecord(key: string, decisions: Decisions): Promise<HostRecord> {
    const generation = decisions.get(key)?.generation ?? 0;
    const stored = await store.cache.read(recordName(key));
    const record = stored === undefined || stored.expiresAt <= clock() ? undefined : readRecord(stored.text);
    return record === undefined || record.generation < generation ? emptyRecord(generation) : record;
  }

  const summarize = (record: HostRecord) =>
    summarizeHost(record, minListed ?? Number.POSITIVE_INFINITY, clock());

  async function readAddresses(hosts: readonly string[]): Promise<string[]> {
    const stored = await Promise.all(hosts.map((host) => store.cache.read(addressesName(host))));
    return [...new Set(stored.flatMap((addresses) => addresses?.text.split(' ') ?? []))];
  }

  /** An address has no name, so only observations and decisions of operators count. */
  async function reportAddress(address: string, decisions: Decisions) {
    const summary = summarize(await readHostRecord(address, decisions));
    return { address, ...countsOf(summary, addressState(summary, decisions.get(address))) };
  }

  /** Rules about the name come before observations. */
  async function hostState(host: string, summary: HostSummary, decision: HostDecision | undefined) {
    const { relay, shared, below } = factsOf(host, await intel());
    if (relay !== undefined) return 'relay';
    if (shared) return 'shared';
    if (decision?.neverFlag === true) return 'never_flagged';
    return below === '' ? summary.state : 'listed';
  }

  return async (text) => {
    const address = parseIp(trimInvisible(text))?.text;
    const host = address ?? readHost(text);
    if (host === undefined) return undefined;
    const decisions = new Map((await store.hostDecisionsSince(0)).map((row) => [row.key, row]));
    const key = address ?? hostKey(host);
    const decision = decisions.get(key);
    const record = await readHostRecord(key, decisions);
    const summary = summarize(record);
    const isAddress = address !== undefined;
    const state = isAddress ? addressState(summary, decision) : await hostState(host, summary, decision);
    const addresses = isAddress ? [] : await readAddresses([...new Set([host, ...record.names])]);
    return {
      host,
      remembered_as: key,
      ...countsOf(summary, state),
      summary: sentenceOf(host, key, state, summary, follows),
      listed_domains: summary.listed.slice(0, MAX_NAMES),
      ordinary_domains: summary.ordinary.slice(0, MAX_NAMES),
      first_seen: toTime(summary.firstAt),
      last_seen: toTime(summary.lastAt),
      hosts: [...record.names],
      addresses: await Promise.all(addresses.map((address) => reportAddress(address, decisions))),
      decision: decision === undefined ? null : reportDecision(decision),
    };
  };
}

function addressState(summary: HostSummary, decision: HostDecision | undefined): MailHostState {
  return decision?.neverFlag === true ? 'never_flagged' : summary.state;
}

function reportDecision({ neverFlag, generation, by, at }: HostDecision): MailHostReport['decision'] {
  return { never_flag: neverFlag, forgotten: generation, by, at: toTimestamp(at) };
}

function toTime(at: number | null): string | null {
  return at === null ? null : toTimestamp(at);
}

function readHost(text: string): string | undefined {
  return parseEmail(`x@${trimInvisible(text).replace(/\.$/, '')}`)?.domain;
}

function countsOf(
  { listed, ordinary, accounts, flaggedFor }: HostSummary,
  state: MailHostState,
): MailHostCounts {
  return { state, listed: listed.length, ordinary: ordinary.length, accounts, flagged_for: flaggedFor };
}

function sentenceOf(
  host: string,
  key: string,
  state: MailHostState,
  { listed, ordinary, flaggedFor }: HostSummary,
  follows: string,
): string {
  const seen = `${count(listed.length, 'listed disposable domain')} and ${count(ordinary.length, 'ordinary domain')} were seen there.`;
  switch (state) {
    case 'shared':
      return `Shared by many unrelated customers: nothing is learned about ${host}, and it is never flagged.`;
    case 'relay':
      return `${host} belongs to a relay: its domains count as relays.`;
    case 'listed':
      return `${host} belongs to a listed disposable domain, so every domain there counts as disposable by association.`;
    case 'never_flagged':
      return `An operator decided that ${key} is never flagged. Nothing is learned there.`;
    case 'flagged':
      return `${key} is flagged for every account: ${seen} ${follows}`;
    case 'flagged_for_some':
      return `${key} is flagged for ${count(flaggedFor, 'account')} only, by what they saw themselves: ${seen} ${follows}`;
    case 'ordinary':
      return `${key} is not flagged: ${seen}`;
    case 'unknown':
      return listed.length + ordinary.length === 0
        ? `Nothing was seen at ${key} yet.`
        : `Too little was seen at ${key} to flag it: ${seen}`;
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
