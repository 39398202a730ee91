/** Decides what is remembered about mail hosts: in memory what is used, in the store what must outlive the process. */
import type { StoredText } from '../rdap/bootstrap.ts';
import type { TextCache } from '../rdap/durable-ages.ts';
import { createTwoGenerationCache } from '../two-generation-cache.ts';
import { type HostDecisions, recordName } from './host-decisions.ts';
import {
  emptyRecord,
  HOUR_MS,
  type HostRecord,
  lastHour,
  merge,
  type Observation,
  observe,
  readRecord,
  writeRecord,
} from './host-record.ts';
import { type HostVerdict, judgeHost, servesOtherListed } from './host-verdict.ts';

export interface HostReputation {
  /** Takes note of a domain that the hosts or the address of `key` serve. */
  observe(key: string, observation: Observation): void;
  /** For an account that judges a domain. */
  verdict(key: string, account: string, domain: string): HostVerdict;
  /** Whether anybody saw a listed domain there besides this one. */
  servesOtherListed(key: string, domain: string): boolean;
  /** What has to be waited for until the keys are known; `undefined` when nothing has. */
  arriving(keys: readonly string[]): Promise<unknown> | undefined;
  /** Writes what changed since the last time, together with what other nodes wrote. */
  flush(): void;
  /** Writes it at once, for the last time. */
  close(): void;
}

export interface HostReputationOptions {
  readonly texts: TextCache;
  readonly decisions: Pick<HostDecisions, 'generationOf'>;
  /** Fewest listed domains that flag a host for every account. */
  readonly minListed: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Keys in memory at most. */
  readonly capacity: number;
}

interface Entry {
  record: HostRecord;
  /** When it was read last. */
  readAt: number;
}

/** What other nodes learned is read again after this. */
const REREAD_MS = 60_000;

export function createHostReputation(options: HostReputationOptions): HostReputation {
  const { texts, decisions, minListed, clock, capacity } = options;
  const recent = createTwoGenerationCache<Entry>(capacity);
  /** Held here until written, so that what memory forgets meanwhile is not lost. */
  const changed = new Map<string, Entry>();
  /** Keys that are being read. */
  const loading = new Map<string, Promise<void>>();
  /** Texts that need not be waited for need not be read ahead. */
  let atHand = false;
  const hour = () => Math.floor(clock() / HOUR_MS);

  function get(key: string): Entry {
    const entry = recent.get(key) ?? changed.get(key) ?? add(key);
    // An operator forgot it meanwhile, here or on another node.
    const generation = decisions.generationOf(key);
    if (entry.record.generation < generation) entry.record = emptyRecord(generation);
    return entry;
  }

  function add(key: string): Entry {
    const entry: Entry = { record: emptyRecord(decisions.generationOf(key)), readAt: clock() };
    recent.set(key, entry);
    read(key, entry);
    return entry;
  }

  function read(key: string, entry: Entry): void {
    const kept = texts.get(recordName(key));
    atHand = !(kept instanceof Promise);
    entry.readAt = clock();
    if (!(kept instanceof Promise)) {
      join(key, entry, kept);
      return;
    }
    const loaded = kept.then((text) => {
      loading.delete(key);
      join(key, entry, text);
    });
    loading.set(key, loaded);
  }

  function join(key: string, entry: Entry, kept: StoredText | undefined): void {
    const record = kept === undefined || kept.expiresAt <= clock() ? undefined : readRecord(kept.text);
    if (record !== undefined && record.generation >= decisions.generationOf(key))
      entry.record = merge(entry.record, record);
  }

  function put(key: string, { record }: Entry): void {
    texts.put(recordName(key), writeRecord(record), lastHour(record) * HOUR_MS);
  }

  return {
    observe(key, observation) {
      const entry = get(key);
      if (observe(entry.record, observation, hour())) changed.set(key, entry);
    },
    verdict: (key, account, domain) =>
      judgeHost(get(key).record, { account, domain, hour: hour(), minListed }),
    servesOtherListed: (key, domain) => servesOtherListed(get(key).record, domain, hour()),
    arriving(keys) {
      if (atHand) return undefined;
      const awaited: Promise<void>[] = [];
      for (const key of keys) {
        const entry = get(key);
        const arriving = loading.get(key);
        if (arriving !== undefined) awaited.push(arriving);
        // Nobody waits for news of other nodes.
        else if (!atHand && clock() - entry.readAt >= REREAD_MS) read(key, entry);
      }
      return awaited.length === 0 ? undefined : Promise.all(awaited);
    },
    flush() {
      for (const [key, entry] of changed) {
        // Half of it would take the place of the whole.
        if (loading.has(key)) continue;
        changed.delete(key);
        if (atHand) {
          put(key, entry);
          continue;
        }
        read(key, entry);
        void loading.get(key)?.then(() => put(key, get(key)));
      }
    },
    close() {
      for (const [key, entry] of changed) if (!loading.has(key)) put(key, entry);
    },
  };
}
