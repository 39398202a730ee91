/** Decides which entries that left a feed are remembered, and for how long: they fade. */
import { FORGOTTEN_AFTER_MS } from './abuse-score.ts';
import type { DepartedEntry, ParsedFeed } from './feed.ts';
import type { FeedVersion } from './feed-state.ts';

export interface Departures {
  /** Those that left earlier. */
  readonly known: readonly DepartedEntry[];
  /** The version that is replaced, and its content; `undefined` when the content is gone. */
  readonly before: FeedVersion;
  readonly replaced: ParsedFeed | undefined;
  /** What is listed now. */
  readonly entries: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function leftEntries({ known, before, replaced, entries, now }: Departures): DepartedEntry[] {
  const listed = new Set(entries);
  const byEntry = new Map(known.map((departed) => [departed.entry, departed]));
  for (const [at, entry] of replaced?.entries.entries() ?? []) {
    byEntry.set(entry, { entry, level: replaced?.levels?.[at] ?? 1, lastSeen: before.seenAt });
  }
  return [...byEntry.values()].filter(
    ({ entry, lastSeen }) => !listed.has(entry) && now - lastSeen < FORGOTTEN_AFTER_MS,
  );
}
