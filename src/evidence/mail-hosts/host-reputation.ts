/** Decides what is remembered about mail hosts: in memory what is used, in the store what must outlive the process. */
import type { StoredText, TextCache } from '../cached-texts.ts';
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
import { type HostVerdict, judgeHost, servesOtherListed, type Views, viewsOf } from './host-verdict.ts';

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
  /** Writes it at once, for the last time; what cannot be read soon is not written over. */
  close(): Promise<void>;
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
  /** What was kept is part of it; before that it must not be written over what was kept. */
  isWhole: boolean;
  /** What the record says within an hour, until it changes. */
  views?: { readonly record: HostRecord; readonly hour: number; readonly views: Views } | undefined;
}

/** What other nodes learned is read again after this. */
const REREAD_MS = 60_000;
/** An assessment waits no longer for what was kept. */
const PATIENCE_MS = 100;
/** After so long, whether a text is stored whole is looked up, or a read that failed is tried again. */
const REST_MS = 1_000;
const CLOSE_MS = 2_000;
/** A record of some 30 KB, of which 400 domains are seen again each day by four accounts, is written four times a day. */
const AGAIN_MS = 6 * HOUR_MS;
const MAX_SEEN_AGAIN = 10_000;

export function createHostReputation(options: HostReputationOptions): HostReputation {
  const { texts, decisions, minListed, clock, capacity } = options;
  const recent = createTwoGenerationCache<Entry>(capacity);
  /** Kept here until the store is known to have it, so that what memory forgets meanwhile is not lost. */
  const changed = new Map<string, Entry>();
  /** The same, but the store lacks only that something was seen again: that is not worth writing a record each time. */
  const seenAgain = new Map<string, { readonly entry: Entry; readonly dueAt: number }>();
  /** Keys that are being read. */
  const reading = new Map<string, Promise<void>>();
  /** Those of them that are read for the first time: assessments wait for them. */
  const arriving = new Map<string, Promise<unknown>>();
  /** Keys that were written, or could not be read, a moment ago. */
  const resting = new Map<string, NodeJS.Timeout>();
  /** Texts that need not be waited for need not be read ahead. */
  let atHand = false;
  let closed = false;
  const hour = () => Math.floor(clock() / HOUR_MS);

  function get(key: string): Entry {
    return upToDate(key, recent.get(key) ?? changed.get(key) ?? seenAgain.get(key)?.entry ?? add(key));
  }

  /** An operator may have forgotten it meanwhile, here or on another node. */
  function upToDate(key: string, entry: Entry): Entry {
    const generation = decisions.generationOf(key);
    if (entry.record.generation < generation) entry.record = emptyRecord(generation);
    return entry;
  }

  function add(key: string): Entry {
    const entry: Entry = {
      record: emptyRecord(decisions.generationOf(key)),
      readAt: clock(),
      isWhole: false,
    };
    recent.set(key, entry);
    read(key, entry);
    const first = reading.get(key);
    if (first !== undefined)
      arriving.set(
        key,
        inTime(first, PATIENCE_MS).finally(() => arriving.delete(key)),
      );
    return entry;
  }

  /** @param onRead called with whether the store lacks something of the entry; `undefined`: it could not be read */
  function read(key: string, entry: Entry, onRead: (lacks: boolean | undefined) => void = () => {}): void {
    entry.readAt = clock();
    const kept = tryRead(texts, recordName(key));
    atHand = !(kept instanceof Promise);
    if (!(kept instanceof Promise)) {
      onRead(kept === UNREADABLE ? undefined : join(key, entry, kept));
      return;
    }
    const done = kept.then((text) => {
      reading.delete(key);
      onRead(text === UNREADABLE ? undefined : join(key, entry, text));
    });
    reading.set(key, done);
  }

  /** Returns whether what was kept lacks something. */
  function join(key: string, entry: Entry, kept: StoredText | undefined): boolean {
    entry.isWhole = true;
    const { record } = upToDate(key, entry);
    const other = kept === undefined || kept.expiresAt <= clock() ? undefined : readRecord(kept.text);
    if (other === undefined) return record.domains.size > 0;
    // In this order the text stays the same where nothing is new.
    entry.record = merge(other, record);
    return writeRecord(entry.record) !== kept?.text;
  }

  function put(key: string, { record }: Entry): void {
    texts.put(recordName(key), writeRecord(record), lastHour(record) * HOUR_MS);
  }

  /**
   * Reads what other nodes wrote, writes both together, and looks a moment later whether another that wrote at the same
   * time took it away. Until nothing is missing.
   */
  function save(key: string, entry: Entry): void {
    read(key, entry, (lacks) => {
      if (lacks === false) {
        changed.delete(key);
        return;
      }
      if (lacks) put(key, entry);
      if (!closed) rest(key);
    });
  }

  function rest(key: string): void {
    const over = () => {
      resting.delete(key);
      flush();
    };
    resting.set(key, setTimeout(over, REST_MS).unref());
  }

  /** A look at every domain of a host costs too much for each signup. */
  function judge<T>(entry: Entry, by: (record: HostRecord, now: number, views: Views) => T): T {
    const { record } = entry;
    const now = hour();
    if (entry.views?.record !== record || entry.views.hour !== now)
      entry.views = { record, hour: now, views: viewsOf(record, now) };
    return by(record, now, entry.views.views);
  }

  function takeDue(): void {
    for (const [key, { entry, dueAt }] of seenAgain) {
      if (dueAt > clock() && seenAgain.size <= MAX_SEEN_AGAIN && !closed) return;
      seenAgain.delete(key);
      changed.set(key, entry);
    }
  }

  function flush(): void {
    takeDue();
    for (const [key, entry] of changed) {
      if (reading.has(key) || resting.has(key)) continue;
      if (!atHand || !entry.isWhole) {
        save(key, entry);
        continue;
      }
      changed.delete(key);
      put(key, entry);
    }
  }

  return {
    observe(key, observation) {
      const entry = get(key);
      const change = observe(entry.record, observation, hour());
      if (change !== 'none') entry.views = undefined;
      if (change === 'new') {
        changed.set(key, entry);
        seenAgain.delete(key);
      } else if (change === 'again' && !changed.has(key) && !seenAgain.has(key))
        seenAgain.set(key, { entry, dueAt: clock() + AGAIN_MS });
    },
    verdict: (key, account, domain) =>
      judge(get(key), (record, now, views) =>
        judgeHost(record, { account, domain, hour: now, minListed }, views),
      ),
    servesOtherListed: (key, domain) =>
      judge(get(key), (record, now, views) => servesOtherListed(record, domain, now, views)),
    arriving(keys) {
      if (atHand) return undefined;
      const awaited: Promise<unknown>[] = [];
      for (const key of keys) {
        const entry = get(key);
        const first = arriving.get(key);
        if (first !== undefined) awaited.push(first);
        // Nobody waits for news of other nodes.
        else if (!atHand && !reading.has(key) && clock() - entry.readAt >= REREAD_MS) read(key, entry);
      }
      return awaited.length === 0 ? undefined : Promise.all(awaited);
    },
    flush,
    async close() {
      closed = true;
      for (const timer of resting.values()) clearTimeout(timer);
      resting.clear();
      const underWay = [...reading.values()];
      if (underWay.length > 0) await inTime(Promise.all(underWay), CLOSE_MS);
      flush();
      if (reading.size > 0) await inTime(Promise.all(reading.values()), CLOSE_MS);
    },
  };
}

const UNREADABLE = Symbol('unreadable');
type Read = StoredText | undefined | typeof UNREADABLE;

function tryRead(texts: TextCache, name: string): Read | Promise<Read> {
  try {
    const kept = texts.read(name);
    return kept instanceof Promise ? kept.catch((): Read => UNREADABLE) : kept;
  } catch {
    return UNREADABLE;
  }
}

async function inTime(work: Promise<unknown>, patienceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([work, patience]).finally(() => clearTimeout(timer));
}
