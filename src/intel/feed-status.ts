/** The status of a feed for people: its active version, the age of that version, and the last failure. */
import type { FeedCondition, FeedReview, FeedStatus } from '../model/feed-status.ts';
import type { Feed } from './feed.ts';
import { currentVersion, type FeedState, isWaiting } from './feed-state.ts';

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
    review: reviewOf(state),
    held: state.held.length > 0,
    licence: feed.licence,
    url: feed.url,
    category: feed.category,
    added: version?.added ?? null,
    removed: version?.removed ?? null,
    canRollBack: version !== undefined && version !== state.versions[0],
    versions: state.versions.map(({ version, seenAt }) => ({
      version,
      staleFrom: seenAt + patienceOf(feed),
    })),
  };
}

function reviewOf({ review }: FeedState): FeedReview | null {
  if (review === null) return null;
  const { at, judged, stricter, milder, decision } = review;
  const { version, entries } = review.version;
  return { version, entries, at, judged, stricter, milder, decision };
}

function conditionOf(feed: Feed, state: FeedState, now: number): FeedCondition {
  if (!feed.enabled) return 'off';
  if (isWaiting(state)) return 'waiting';
  if (state.refused) return 'refused';
  if (state.failures > 0) return 'failed';
  const version = currentVersion(state);
  if (version === undefined) return 'never';
  return now - version.seenAt > patienceOf(feed) ? 'stale' : 'ok';
}

/** Time that a version counts as fresh after its publisher confirmed it. */
function patienceOf({ everyHours }: Feed): number {
  return STALE_TURNS * everyHours * HOUR_MS;
}
