/** The state of a feed between two fetches, and how each outcome changes it. */
import type { FeedRefusal } from '../model/feed-status.ts';

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
  return { ...newState(state.url), ...state };
}

export function currentVersion({ current, versions }: FeedState): FeedVersion | undefined {
  return versions.find(({ version }) => version === current);
}

/** A new version passed the gate. */
export function withVersion(state: FeedState, added: FeedVersion): FeedState {
  const others = state.versions.filter(({ version }) => version !== added.version);
  const versions = [...others, added].slice(-KEPT_VERSIONS);
  return { ...settled(state), versions, current: added.version, held: [] };
}

/** The publisher confirmed the active version. */
export function withConfirmation(state: FeedState, now: number): FeedState {
  const isHeld = state.held.length > 0;
  const versions = state.versions.map((version) =>
    version.version === state.current && !isHeld ? { ...version, seenAt: now } : version,
  );
  return { ...settled(state), versions };
}

export function withRefusal(state: FeedState, refusal: FeedRefusal): FeedState {
  return { ...settled(state), refusal, refused: true };
}

export function withFailure(state: FeedState, why: string): FeedState {
  return { ...state, failures: state.failures + 1, failure: why };
}

/** Returns to the version before the active one. @throws when there is none */
export function withRollback(state: FeedState): FeedState {
  const at = state.versions.findIndex(({ version }) => version === state.current);
  const previous = state.versions[at - 1];
  if (previous === undefined) throw new Error('there is no earlier good version');
  const held = [...state.held, state.current as string];
  return { ...state, current: previous.version, versions: state.versions.slice(0, at), held };
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

function settled(state: FeedState): FeedState {
  return { ...state, failures: 0, failure: null, refused: false };
}
