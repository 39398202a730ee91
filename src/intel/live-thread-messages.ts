/** The messages between the service and the thread that keeps its feeds up to date. */
import type { FeedFlips, FeedStatus } from '../model/feed-status.ts';
import type { ProxySettings } from '../outbound/proxy-choice.ts';
import type { Feed } from './feed.ts';
import type { FeedReport } from './feed-refresh.ts';
import type { Publication } from './snapshot-publisher.ts';

export interface ThreadData {
  readonly dataDir: string;
  /** Database that several nodes share feeds through; `null`: this machine keeps them for itself. */
  readonly databaseUrl: string | null;
  readonly feeds: readonly Feed[];
  readonly fetching: boolean;
  readonly proxies: ProxySettings | undefined;
  /** Id of the snapshot that the service answers from. */
  readonly inForce: string;
}

export type ThreadEvent =
  /** Whole and checked; the memory is handed over. */
  | { readonly kind: 'snapshot'; readonly bytes: Uint8Array }
  /** Snapshot to compare with the active one before it is published; the answer names the number. */
  | { readonly kind: 'review'; readonly review: number; readonly bytes: Uint8Array }
  | { readonly kind: 'report'; readonly report: FeedReport }
  /** The reports of all that was fetched together are in. */
  | { readonly kind: 'round' }
  | { readonly kind: 'published'; readonly publication: Publication }
  | { readonly kind: 'status'; readonly status: readonly FeedStatus[] }
  /** `isStoreAway`: the database that nodes share feeds in does not answer. */
  | { readonly kind: 'fault'; readonly why: string; readonly isStoreAway?: boolean }
  /** Nothing is left to do now but the orders that are open. */
  | { readonly kind: 'idle' }
  /** An order was carried out, or why not. */
  | { readonly kind: 'done'; readonly order: number; readonly why: string | null };

/** The orders for the thread, except stopping. */
export type ThreadOrder = { readonly order: number } & (
  | { readonly refresh: readonly string[] }
  | FeedDecision
);

/** Decision of a person about the versions of a feed. */
export type FeedDecision =
  | { readonly rollBack: string }
  | { readonly use: string }
  | { readonly keep: string };

/** The feeds that change too many verdicts. */
export interface ReviewAnswer {
  readonly review: number;
  readonly flips: readonly FeedFlips[];
}
