/** Decides whether a fetched feed is plausible, before it is used. */
import type { Category } from '../model/source.ts';
import { type Feed, type ParsedFeed, WILDCARD } from './feed.ts';
import type { Guards } from './feed-guards.ts';

export type GateVerdict = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** The last version that passed: the new one is compared with it. */
export interface LastGood {
  readonly entries: number;
}

const DEFAULT_BOUNDS = [0.5, 3] as const;
/** Number of entries that may be lost or gained without a meaning, even in a short list. */
const SLACK_LOST = 5;
const SLACK_GAINED = 20;
const MAX_ERROR_SHARE = 0.01;
const WIDEST_V4 = 8;
const WIDEST_V6 = 19;

/** No throw-away service has ever had so high a rank. */
const TOP_RANKS = 1_000;
/** A ranking of so many names them. */
const LONG_RANKING = 10_000;
const MIN_LARGE = 20;

/** Feeds by which a mail provider could be locked out. */
const ACCUSES_DOMAINS: readonly Category[] = ['disposable', 'spam'];
/** Feeds that say what an address is for. The ranges of a cloud may contain its public resolver: `datacenter` accuses nobody. */
const ACCUSES_ADDRESSES: readonly Category[] = ['tor', 'vpn', 'proxy', 'relay', 'abuse'];

/** One rule: why a feed fails it, or nothing. */
type Rule = (feed: Feed, parsed: ParsedFeed, guards: Guards) => string | undefined;

/** Rules in order; the first that fails is reported. */
const RULES: readonly Rule[] = [
  readable,
  longEnough,
  publicRanges,
  noGuardedDomain,
  trulyPopular,
  noGuardedAddress,
  noGuardedNetwork,
];

/** `lastGood`: `undefined` when there is nothing to compare the size with. */
export function judgeFeed(
  feed: Feed,
  parsed: ParsedFeed,
  lastGood: LastGood | undefined,
  guards: Guards,
): GateVerdict {
  for (const rule of RULES) {
    const why = rule(feed, parsed, guards);
    if (why !== undefined) return { ok: false, why };
  }
  const why =
    lastGood === undefined ? undefined : withinBounds(feed, parsed.entries.length, lastGood.entries);
  return why === undefined ? { ok: true } : { ok: false, why };
}

function readable(_: Feed, { rows, errors, firstError }: ParsedFeed): string | undefined {
  if (errors === 0 || errors < rows * MAX_ERROR_SHARE) return undefined;
  return `${errors} of ${rows} rows cannot be read, the first: ${JSON.stringify(firstError ?? '')}`;
}

function longEnough({ minEntries = 1 }: Feed, { entries }: ParsedFeed): string | undefined {
  if (entries.length === 0) return 'it is empty';
  return entries.length < minEntries ? `${entries.length} entries, fewer than ${minEntries}` : undefined;
}

function publicRanges({ entryKind }: Feed, { entries }: ParsedFeed, guards: Guards): string | undefined {
  if (entryKind !== 'range') return undefined;
  for (const entry of entries) {
    const slash = entry.indexOf('/');
    const widest = entry.includes(':') ? WIDEST_V6 : WIDEST_V4;
    if (slash > 0 && Number(entry.slice(slash + 1)) < widest) return `${entry} is wider than /${widest}`;
    const special = guards.specialRange(entry);
    if (special !== undefined) return `${entry} is not public: it touches ${special}`;
  }
  return undefined;
}

/** An entry includes the names below it, so the parents of a guarded domain are guarded too. */
function noGuardedDomain({ entryKind, category }: Feed, { entries }: ParsedFeed, guards: Guards) {
  if (entryKind !== 'domain' || !ACCUSES_DOMAINS.includes(category)) return undefined;
  const found = entries
    .map((entry) => (entry.startsWith(WILDCARD) ? entry.slice(WILDCARD.length) : entry))
    .find((name) => guards.isDomain(name));
  return found === undefined ? undefined : `it calls ${found} ${category}, which is a mail provider many use`;
}

/** Bought ranks of throw-away domains show at the top; a ranking without the largest names is not a ranking. */
function trulyPopular({ category }: Feed, { entries }: ParsedFeed, guards: Guards): string | undefined {
  if (category !== 'popular') return undefined;
  const service = entries.slice(0, TOP_RANKS).find((name) => guards.isThrowAway(name));
  if (service !== undefined) return `it ranks ${service}, a throw-away service, among the first ${TOP_RANKS}`;
  if (entries.length < LONG_RANKING) return undefined;
  const named = entries.reduce((count, name) => count + Number(guards.isLarge(name)), 0);
  return named < MIN_LARGE ? `it names ${named} of the largest domains, fewer than ${MIN_LARGE}` : undefined;
}

function noGuardedAddress({ entryKind, category }: Feed, { entries }: ParsedFeed, guards: Guards) {
  if (entryKind !== 'range' || !ACCUSES_ADDRESSES.includes(category)) return undefined;
  for (const entry of entries) {
    const address = guards.addressWithin(entry);
    if (address !== undefined) return `${entry} contains ${address}, a public resolver or a similar service`;
  }
  return undefined;
}

function noGuardedNetwork({ entryKind }: Feed, { entries }: ParsedFeed, guards: Guards): string | undefined {
  if (entryKind !== 'asn') return undefined;
  const found = entries.find((entry) => guards.isNetwork(entry));
  return found === undefined ? undefined : `it lists ${found}, an access provider of many households`;
}

function withinBounds({ bounds = DEFAULT_BOUNDS }: Feed, now: number, before: number): string | undefined {
  const [shrink, grow] = bounds;
  if (now < before * shrink && before - now > SLACK_LOST) return `it shrank from ${before} to ${now} entries`;
  if (now > before * grow && now - before > SLACK_GAINED) return `it grew from ${before} to ${now} entries`;
  return undefined;
}
