/** Decides whether a new version of a feed changes too many verdicts: in all accounts together, or in one whose customers it stops. */
import type { FeedFlip, FeedFlips, FlipLimit } from '../../model/feed-status.ts';
import { severityChange } from '../label-effect.ts';

/** A share of so few signups is chance. */
const MIN_FLIPS = 25;
/** Changes that other accounts need, so that one account alone cannot make all of them wait. */
const MIN_OF_OTHERS = 10;
const MAX_EXAMPLES = 20;

/** A changed verdict. */
export interface Flip extends FeedFlip {
  /** Network of its IP; `null` without an IP. */
  readonly network: string | null;
}

/** A feed that changes too many verdicts, with the newest of these signups. */
export interface TooManyFlips extends FeedFlips {
  readonly examples: readonly FeedFlip[];
}

/** A feed that changes too many verdicts of one account, but is used because the others are not affected. */
export interface UnheldFlips {
  readonly feed: string;
  /** The account that it changes most. */
  readonly accountId: string;
  /** Changes that count, and signups that were judged, both of this account. */
  readonly flips: number;
  readonly judged: number;
}

/** Counts of one feed in one account. */
interface Counted {
  stricter: number;
  milder: number;
  /** Changes without an IP. */
  addressless: number;
  readonly networks: Set<string>;
  readonly examples: FeedFlip[];
}

interface Account {
  judged: number;
  readonly feeds: Map<string, Counted>;
}

/** The part of one account in the changes of one feed. */
interface Part {
  readonly accountId: string;
  readonly judged: number;
  /** Changes that count: many signups of one network are one. */
  readonly flips: number;
}

export type FlipTally = ReturnType<typeof createFlipTally>;

/** @param changed feeds, with the version that is in use */
export function createFlipTally(
  changed: readonly { readonly feed: string; readonly inUse: string }[],
  limit: FlipLimit,
) {
  const accounts = new Map<string, Account>();
  let judged = 0;

  function note(account: string, flip: Flip | undefined, causes: readonly string[]): void {
    const own = accounts.get(account) ?? { judged: 0, feeds: new Map<string, Counted>() };
    accounts.set(account, own);
    own.judged += 1;
    judged += 1;
    if (flip === undefined) return;
    for (const feed of causes) {
      const counted = own.feeds.get(feed) ?? newCounted();
      own.feeds.set(feed, counted);
      noteFlip(counted, flip);
    }
  }

  function tooMany(): TooManyFlips[] {
    return changed.flatMap(({ feed, inUse }) => {
      const counts = [...accounts.values()].flatMap(({ feeds }) => feeds.get(feed) ?? []);
      if (!isTooMuch(partsOf(accounts, feed), limit)) return [];
      const examples = counts
        .flatMap((counted) => counted.examples)
        .sort((a, b) => b.at - a.at)
        .slice(0, MAX_EXAMPLES);
      const stricter = sum(counts.map((counted) => counted.stricter));
      const milder = sum(counts.map((counted) => counted.milder));
      return [{ feed, inUse, judged, stricter, milder, examples }];
    });
  }

  function unheld(): UnheldFlips[] {
    return changed.flatMap(({ feed }) => {
      const parts = partsOf(accounts, feed);
      const over = parts.filter(({ flips, judged }) => flips > maxFlips(limit, judged));
      if (over.length === 0 || isTooMuch(parts, limit)) return [];
      return [{ feed, ...largestOf(over) }];
    });
  }

  return { note, tooMany, unheld, judged: () => judged };
}

function partsOf(accounts: ReadonlyMap<string, Account>, feed: string): Part[] {
  return [...accounts].map(([accountId, { judged, feeds }]) => {
    const counted = feeds.get(feed);
    return { accountId, judged, flips: counted === undefined ? 0 : weightOf(counted) };
  });
}

const largestOf = (parts: readonly Part[]): Part =>
  parts.reduce((first, part) => (part.flips > first.flips ? part : first));

function newCounted(): Counted {
  return { stricter: 0, milder: 0, addressless: 0, networks: new Set(), examples: [] };
}

function noteFlip(counted: Counted, { network, ...flip }: Flip): void {
  counted[severityChange(flip.oldVerdict, flip.newVerdict) > 0 ? 'stricter' : 'milder'] += 1;
  if (network === null) counted.addressless += 1;
  else counted.networks.add(network);
  if (counted.examples.length < MAX_EXAMPLES) counted.examples.push(flip);
}

const weightOf = ({ addressless, networks }: Counted): number => addressless + networks.size;

/**
 * Whether the changes are more than the limit, in all accounts together or in one.
 * One account, with signups made for it, could make a feed wait for everybody: other accounts must have some changes, too.
 * An account that changes more than all others have signups decides alone: there, waiting costs the others less.
 */
function isTooMuch(parts: readonly Part[], limit: FlipLimit): boolean {
  const judged = sum(parts.map((part) => part.judged));
  const flips = sum(parts.map((part) => part.flips));
  const isOver =
    flips > maxFlips(limit, judged) || parts.some((part) => part.flips > maxFlips(limit, part.judged));
  if (!isOver) return false;
  const largest = largestOf(parts);
  const ofOthers = flips - largest.flips;
  return ofOthers >= minOfOthers(limit) || largest.flips > judged - largest.judged;
}

function minOfOthers(limit: FlipLimit): number {
  return 'signups' in limit ? Math.min(MIN_OF_OTHERS, limit.signups + 1) : MIN_OF_OTHERS;
}

function maxFlips(limit: FlipLimit, judged: number): number {
  return 'signups' in limit ? limit.signups : Math.max(MIN_FLIPS, limit.share * judged);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
