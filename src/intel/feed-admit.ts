/** Decides about the fetched bytes of a feed: a new active version, a confirmation of the known one, or a refusal. */
import { FORGOTTEN_AFTER_MS } from './abuse-score.ts';
import type { DepartedEntry, Feed, ParsedFeed } from './feed.ts';
import { type FeedArchive, versionOf } from './feed-archive.ts';
import { judgeFeed } from './feed-gate.ts';
import type { Guards } from './feed-guards.ts';
import {
  currentVersion,
  type FeedState,
  type FeedVersion,
  forAddress,
  isSetAside,
  isWaiting,
  withConfirmation,
  withRefusal,
  withVersion,
} from './feed-state.ts';

export type AdmitResult =
  | { readonly outcome: 'changed'; readonly version: string; readonly entries: number }
  | { readonly outcome: 'unchanged' }
  /** It was rolled back or not taken, and the publisher still has it. */
  | { readonly outcome: 'held'; readonly version: string }
  /** It changes too many verdicts: a person decides. */
  | { readonly outcome: 'waiting'; readonly version: string }
  | { readonly outcome: 'refused'; readonly version: string; readonly why: string };

export interface FetchedFeed {
  readonly bytes: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Takes a version whose size alone is out of bounds. */
  readonly anySize?: boolean;
}

export interface AdmitOptions {
  readonly archive: FeedArchive;
  readonly guards: Guards;
  readonly parse: (format: Feed['format'], bytes: Uint8Array) => ParsedFeed;
}

/** The new state is returned, not saved: the caller decides when the next fetch is due. */
export type Admit = (feed: Feed, fetched: FetchedFeed) => Promise<{ result: AdmitResult; state: FeedState }>;

export function createAdmit({ archive, guards, parse }: AdmitOptions): Admit {
  return async (feed, { bytes, fetchedAt, etag, lastModified, anySize }) => {
    const stored = await archive.state(feed);
    const known = forAddress(stored, feed.url);
    const version = versionOf(bytes);
    const before = currentVersion(known);
    const validated = { ...known, etag, lastModified };
    if (known.held.includes(version)) {
      return { result: { outcome: 'held', version }, state: withConfirmation(validated, fetchedAt) };
    }
    if (isSetAside(known, version)) {
      const outcome = isWaiting(known) ? ('waiting' as const) : ('held' as const);
      return { result: { outcome, version }, state: withConfirmation(validated, fetchedAt) };
    }
    // The stored file must also be readable: a lost file is fetched again, not confirmed.
    if (before?.version === version && (await archive.raw(feed.id, version)) !== undefined) {
      const { review } = known;
      const publishers = {
        ...validated,
        held: [],
        review: review?.version.version === version ? review : null,
      };
      const state = withConfirmation(publishers, Math.max(fetchedAt, before.seenAt));
      return { result: { outcome: 'unchanged' }, state };
    }
    const parsed = parse(feed.format, bytes);
    const lastGood = stored.url === feed.url && anySize !== true ? before : undefined;
    const verdict = judgeFeed(feed, parsed, lastGood, guards);
    if (!verdict.ok) {
      const { why } = verdict;
      const state = withRefusal(known, { at: fetchedAt, why, version });
      return { result: { outcome: 'refused', version, why }, state };
    }
    const replaced = before === undefined ? undefined : await readVersion(feed, before);
    if (feed.category === 'abuse' && before !== undefined) {
      const known = await archive.departed(feed.id);
      const departed = leftEntries({ known, before, replaced, entries: parsed.entries, now: fetchedAt });
      await archive.saveDeparted(feed.id, departed);
    }
    await archive.saveRaw(feed.id, bytes);
    const entries = parsed.entries.length;
    const change = replaced === undefined ? {} : changeOf(replaced, parsed);
    const state = withVersion(validated, { version, fetchedAt, seenAt: fetchedAt, entries, ...change });
    return { result: { outcome: 'changed', version, entries }, state };
  };

  async function readVersion(feed: Feed, { version }: FeedVersion): Promise<ParsedFeed | undefined> {
    const raw = await archive.raw(feed.id, version);
    return raw === undefined ? undefined : parse(feed.format, raw);
  }
}

interface Departures {
  /** Entries that left earlier. */
  readonly known: readonly DepartedEntry[];
  /** The version that is replaced, and its content; `undefined` when the content is gone. */
  readonly before: FeedVersion;
  readonly replaced: ParsedFeed | undefined;
  /** Entries that are listed now. */
  readonly entries: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Entries that left a feed fade: they are remembered for a while. */
function leftEntries({ known, before, replaced, entries, now }: Departures): DepartedEntry[] {
  const listed = new Set(entries);
  const byEntry = new Map(known.map((departed) => [departed.entry, departed]));
  for (const [at, entry] of replaced?.entries.entries() ?? []) {
    byEntry.set(entry, { entry, level: replaced?.levels?.[at] ?? 1, lastSeen: before.seenAt });
  }
  return [...byEntry.values()].filter(
    ({ entry, lastSeen }) => !listed.has(entry) && now - lastSeen < FORGOTTEN_AFTER_MS,
  );
}

function changeOf(before: ParsedFeed, after: ParsedFeed): { added: number; removed: number } {
  const listed = new Set(before.entries);
  const stayed = after.entries.reduce((count, entry) => count + Number(listed.has(entry)), 0);
  return { added: after.entries.length - stayed, removed: before.entries.length - stayed };
}
