/** The state of a feed between two fetches, and how each outcome changes it. */
import type { FeedRefusal, FeedReview, FlipCounts } from '../model/feed-status.ts';

/** One version that passed the gate. */
export interface FeedVersion {
  readonly version: string;
  /** Time at which its bytes were fetched, milliseconds since the epoch. */
  readonly fetchedAt: number;
  /** Time at which the publisher last confirmed it. */
  readonly seenAt: number;
  readonly entries: number;
  /** Entries that came and went with it; absent if there was no version before it. */
  readonly added?: number;
  readonly removed?: number;
}

/** A version that changes too many verdicts, with what a person decided about it. */
export interface StoredReview extends Omit<FeedReview, 'version' | 'entries'> {
  readonly version: FeedVersion;
}

export interface FeedState {
  /** Address that the versions came from; versions of another address are not compared with the next. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The active version. */
  readonly current: string | null;
  /** Oldest first, the active one last. */
  readonly versions: readonly FeedVersion[];
  /** Versions that were rolled back: not applied again until the publisher has another one. */
  readonly held: readonly string[];
  /** Time at which the next fetch is due. */
  readonly dueAt: number;
  /** Fetches that failed in a row, and why the last one did. */
  readonly failures: number;
  readonly failure: string | null;
  /** The last version that the gate refused. */
  readonly refusal: FeedRefusal | null;
  /** Whether that was the last thing that happened. */
  readonly refused: boolean;
  /** The newest version, where that changes too many verdicts; it is among `versions` only while it is used. */
  readonly review: StoredReview | null;
  /** Version that a person chose: it needs no review. */
  readonly chosen: string | null;
}

const KEPT_VERSIONS = 5;

export function newState(url: string): FeedState {
  return {
    url,
    etag: null,
    lastModified: null,
    current: null,
    versions: [],
    held: [],
    dueAt: 0,
    failures: 0,
    failure: null,
    refusal: null,
    refused: false,
    review: null,
    chosen: null,
  };
}

/** @throws when the text is not a state */
export function readState(text: string): FeedState {
  const state = JSON.parse(text) as FeedState;
  const fits =
    typeof state.url === 'string' &&
    Number.isFinite(state.dueAt) &&
    Number.isInteger(state.failures) &&
    Array.isArray(state.held) &&
    Array.isArray(state.versions) &&
    state.versions.every(
      ({ version, fetchedAt, seenAt, entries }) =>
        /^[0-9a-f]{16}$/.test(version) && [fetchedAt, seenAt, entries].every(Number.isFinite),
    ) &&
    (state.current === null || state.versions.some(({ version }) => version === state.current));
  if (!fits) throw new Error('it is not the state of a feed');
  return { ...newState(state.url), ...state, review: state.review && withoutExamples(state.review) };
}

/** Earlier releases kept ids of signups here, which an erasure does not reach. */
function withoutExamples(review: StoredReview): StoredReview {
  const { examples: _, ...kept }: StoredReview & { readonly examples?: unknown } = review;
  return kept;
}

export function currentVersion({ current, versions }: FeedState): FeedVersion | undefined {
  return versions.find(({ version }) => version === current);
}

/** A new version passed the gate. */
export function withVersion(state: FeedState, added: FeedVersion): FeedState {
  const others = state.versions.filter(({ version }) => version !== added.version);
  const versions = [...others, added].slice(-KEPT_VERSIONS);
  return { ...settled(state), versions, current: added.version, held: [], review: null };
}

/**
 * The active version changes too many verdicts: the one that is in use stays, and this one waits for a person.
 * @param inUse version of the active snapshot. @returns `undefined` where that is not kept any more
 */
export function withWait(
  state: FeedState,
  inUse: string,
  counts: FlipCounts,
  now: number,
): FeedState | undefined {
  const version = currentVersion(state);
  const at = state.versions.findIndex((known) => known.version === inUse);
  if (version === undefined || version.version === inUse || at < 0) return undefined;
  const review = { ...counts, version, at: now, decision: 'none' } as const;
  return { ...state, current: inUse, versions: state.versions.slice(0, at + 1), review };
}

/** The version that waits, or was not taken, becomes the active one. @throws when there is none */
export function withUse(state: FeedState): FeedState {
  const { review } = state;
  if (review === null || review.decision === 'used') throw new Error('no version waits');
  const { version } = review.version;
  return { ...withVersion(state, review.version), review: { ...review, decision: 'used' }, chosen: version };
}

/** The version that waits, or was taken, is not used. @throws when there is none */
export function withKeep(state: FeedState): FeedState {
  const { review, current } = state;
  if (review === null || review.decision === 'kept') throw new Error('no version waits');
  const kept = { ...review, decision: 'kept' } as const;
  if (review.decision === 'none') return { ...state, review: kept };
  if (current !== review.version.version) throw new Error('the feed has another version by now');
  return { ...withPrevious(state), review: kept };
}

/** Whether the publisher has the version that is not used, as long as nobody takes it. */
export function isSetAside({ review }: FeedState, version?: string): boolean {
  if (review === null || review.decision === 'used') return false;
  return version === undefined || review.version.version === version;
}

/** The publisher confirmed its version: the active one, or the one that is set aside. */
export function withConfirmation(state: FeedState, now: number): FeedState {
  const isHeld = state.held.length > 0 || isSetAside(state);
  const versions = state.versions.map((version) =>
    version.version === state.current && !isHeld ? { ...version, seenAt: now } : version,
  );
  const { review } = state;
  if (review === null || !isSetAside(state)) return { ...settled(state), versions };
  return { ...settled(state), versions, review: { ...review, version: { ...review.version, seenAt: now } } };
}

export function withRefusal(state: FeedState, refusal: FeedRefusal): FeedState {
  return { ...settled(state), refusal, refused: true };
}

export function withFailure(state: FeedState, why: string): FeedState {
  return { ...state, failures: state.failures + 1, failure: why };
}

/** Returns to the version before the active one. @throws when there is none */
export function withRollback(state: FeedState): FeedState {
  const { review, current, held } = state;
  if (review?.decision === 'used' && review.version.version === current) return withKeep(state);
  return { ...withPrevious(state), held: [...held, current as string] };
}

function withPrevious(state: FeedState): FeedState {
  const at = state.versions.findIndex(({ version }) => version === state.current);
  const previous = state.versions[at - 1];
  if (previous === undefined) throw new Error('there is no earlier good version');
  const { version } = previous;
  return { ...state, current: version, versions: state.versions.slice(0, at), chosen: version };
}

/** The bytes of the active version are gone. */
export function withLoss(state: FeedState): FeedState {
  const versions = state.versions.filter(({ version }) => version !== state.current);
  return { ...state, etag: null, lastModified: null, current: null, versions, dueAt: 0 };
}

/** State of a feed under an address. If that changed, the active version stays, but what the publisher said about it does not count. */
export function forAddress(state: FeedState, url: string): FeedState {
  const { current, versions, refusal } = state;
  return state.url === url ? state : { ...newState(url), current, versions, refusal };
}

/** Whether a version waits for a person. */
export function isWaiting({ review }: FeedState): boolean {
  return review?.decision === 'none';
}

/** Versions whose bytes are kept. */
export function keptVersions({ versions, review }: FeedState): string[] {
  const kept = versions.map(({ version }) => version);
  return review === null || kept.includes(review.version.version) ? kept : [...kept, review.version.version];
}

function settled(state: FeedState): FeedState {
  return { ...state, failures: 0, failure: null, refused: false };
}
