/** Decides how a feed stands: what is in force, how old it is, and what last went wrong. */
import type { Feed } from '../feeds/feed.ts';
import { currentVersion, type FeedState, type Refusal } from '../feeds/feed-state.ts';

/** `stale`: not confirmed for three of its turns. `off`: not enabled. */
export type FeedCondition = 'ok' | 'stale' | 'refused' | 'failed' | 'never' | 'off';

export interface FeedStatus {
  readonly id: string;
  readonly condition: FeedCondition;
  /** The version in force, when its bytes were fetched and when the publisher last confirmed it. */
  readonly version: string | null;
  readonly fetchedAt: number | null;
  readonly seenAt: number | null;
  readonly entries: number;
  readonly failure: string | null;
  readonly refusal: Refusal | null;
  /** A rollback holds back what the publisher has. */
  readonly held: boolean;
  readonly licence: string;
  readonly url: string;
  readonly says: string;
  /** Entries that came and went with the version in force; `null` where there was none before it. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly canRollBack: boolean;
  /** Kept versions, and from when on each was stale, milliseconds since the epoch. */
  readonly versions: readonly { readonly version: string; readonly staleFrom: number }[];
}

const HOUR_MS = 3_600_000;
const STALE_TURNS = 3;

export function feedStatus(feed: Feed, state: FeedState, now: number): FeedStatus {
  const version = currentVersion(state);
  return {
    id: feed.id,
    condition: conditionOf(feed, state, now),
    version: version?.version ?? null,
    fetchedAt: version?.fetchedAt ?? null,
    seenAt: version?.seenAt ?? null,
    entries: version?.entries ?? 0,
    failure: state.failure,
    refusal: state.refusal,
    held: state.held.length > 0,
    licence: feed.licence,
    url: feed.url,
    says: feed.says,
    added: version?.added ?? null,
    removed: version?.removed ?? null,
    canRollBack: version !== undefined && version !== state.versions[0],
    versions: state.versions.map(({ version, seenAt }) => ({
      version,
      staleFrom: seenAt + patienceOf(feed),
    })),
  };
}

function conditionOf(feed: Feed, state: FeedState, now: number): FeedCondition {
  if (!feed.enabled) return 'off';
  if (state.refused) return 'refused';
  if (state.failures > 0) return 'failed';
  const version = currentVersion(state);
  if (version === undefined) return 'never';
  return now - version.seenAt > patienceOf(feed) ? 'stale' : 'ok';
}

/** How long a version counts as fresh after its publisher confirmed it. */
function patienceOf({ everyHours }: Feed): number {
  return STALE_TURNS * everyHours * HOUR_MS;
}
