/** Decides which rows of a list are members of a wave: everything is learned in order of time, then each row is looked up again. */
import type { LearnedCampaign } from '../model/campaign.ts';
import { numberOf, numberOfHex } from './group-key.ts';
import { keysOf, WaveLearner } from './learner.ts';
import { FRESH_S } from './learning.ts';
import { MIN_DECADES } from './odds.ts';
import { scopesOf } from './scopes.ts';
import type { WaveMember } from './wave-member.ts';
import { LEARNER_BYTES } from './wave-replay.ts';

/** A row of a list. */
interface ListRow {
  readonly member: WaveMember;
}

export interface ListWave<Row> {
  readonly campaign: LearnedCampaign;
  /** Members in order of time. */
  readonly rows: readonly Row[];
}

/** Rows between two calls of `onProgress`. */
const PROGRESS_ROWS = 1_000;
/** Rows of a wave that no surer wave has: a few, and most of its own. */
const MIN_ROWS = 4;
const MIN_SHARE = 0.5;
const NONE = -1;
const DAY_MS = 86_400_000;
/** Pause beyond which members are none of the wave, in usual pauses; at most five days, and at least a day at a domain of its own. */
const USUAL_PAUSES = 8;
const MAX_PAUSE_MS = 5 * DAY_MS;
const MIN_PAUSE_MS = DAY_MS / 4;
const SECOND_MS = 1_000;

/** Waves by size. @param rows in order of time */
export function findWaves<Row extends ListRow>(
  rows: readonly Row[],
  onProgress: (done: number) => void,
): ListWave<Row>[] {
  const campaigns = learn(rows, onProgress);
  const candidates = lookUp(rows, campaigns, onProgress);
  return assign(rows, campaigns, candidates);
}

function learn(rows: readonly ListRow[], onProgress: (done: number) => void): LearnedCampaign[] {
  const learner = new WaveLearner({ bytes: LEARNER_BYTES });
  for (const [done, { member }] of rows.entries()) {
    learner.learn(member);
    if (done % PROGRESS_ROWS === 0) onProgress(done / 2);
  }
  // Spellings of one mailbox are counted apart, exactly. Generated names at a few addresses are only suspected: here, none will follow.
  return learner
    .takeChanged()
    .filter(
      ({ scope, mark, decades }) => scope !== 'mailbox' && (mark !== 'generated' || decades >= MIN_DECADES),
    )
    .sort((a, b) => b.families.length - a.families.length || b.decades - a.decades);
}

/** Rows of each campaign by their places, those included that came before it was found. */
function lookUp(
  rows: readonly ListRow[],
  campaigns: readonly LearnedCampaign[],
  onProgress: (done: number) => void,
): (readonly number[])[] {
  const found = campaigns.map((): number[] => []);
  const byKey = new Map<number, number[]>();
  for (const [place, { key }] of campaigns.entries()) {
    const number = numberOfHex(key);
    byKey.set(number, [...(byKey.get(number) ?? []), place]);
  }
  const firstOf = new Map<string, number>();
  for (const [at, { member }] of rows.entries()) {
    if (at % PROGRESS_ROWS === 0) onProgress((rows.length + at) / 2);
    const first = firstOf.get(member.registrable) ?? member.at;
    firstOf.set(member.registrable, first);
    const isFresh = member.at - first < FRESH_S * SECOND_MS;
    for (const key of keysOf(member, scopesOf(member, isFresh)))
      for (const place of byKey.get(numberOf(key)) ?? []) {
        if (member.at >= (campaigns[place] as LearnedCampaign).since) (found[place] as number[]).push(at);
      }
  }
  return found.map((places, at) => withinPauses(rows, campaigns[at] as LearnedCampaign, places));
}

/**
 * Rows that came while it was open, and before it without a long pause: everybody at a provider may have one form of names without
 * being a member. Later rows count only at a domain of its own, where a surer campaign may have counted them.
 */
function withinPauses(
  rows: readonly ListRow[],
  { openedAt, lastAt, scope }: LearnedCampaign,
  places: readonly number[],
): readonly number[] {
  const times = places.map((place) => (rows[place] as ListRow).member.at);
  const isWithin = (at: number) => at >= openedAt && at < lastAt + SECOND_MS;
  let first = times.findIndex(isWithin);
  let last = times.findLastIndex(isWithin);
  if (first < 0) return [];
  const usual = (lastAt - openedAt) / (last - first + 1);
  const min = scope === 'domain' ? DAY_MS : MIN_PAUSE_MS;
  const pause = Math.min(MAX_PAUSE_MS, Math.max(min, USUAL_PAUSES * usual));
  const isNear = (at: number) => (times[at + 1] as number) - (times[at] as number) <= pause;
  while (first > 0 && isNear(first - 1)) first -= 1;
  while (scope === 'domain' && last < times.length - 1 && isNear(last)) last += 1;
  return places.slice(first, last + 1);
}

/**
 * Gives each row to the surest of its campaigns. Where surer ones take most members of a campaign, it is no wave of its own: the rest
 * joins the one of the same scope that took most; of another scope, nothing speaks against the rest.
 */
function assign<Row extends ListRow>(
  rows: readonly Row[],
  campaigns: readonly LearnedCampaign[],
  candidates: readonly (readonly number[])[],
): ListWave<Row>[] {
  const ofRow = new Map<number, number[]>();
  for (const [campaign, places] of candidates.entries())
    for (const place of places) ofRow.set(place, [...(ofRow.get(place) ?? []), campaign]);
  const inOrder = [...ofRow].sort(([a], [b]) => a - b);
  /** Campaign that stands for each; `NONE`: it is no wave. */
  const heirs = campaigns.map((_, at) => at);
  for (const [at, places] of candidates.entries()) {
    const takers = places.map((place) => takerOf(ofRow.get(place) as number[], heirs));
    const own = takers.filter((taker) => taker === at).length;
    if (own >= MIN_ROWS && own >= places.length * MIN_SHARE) continue;
    const heir = mostFrequent(takers.filter((taker) => taker !== at));
    heirs[at] = heir !== NONE && isSameScope(campaigns[heir], campaigns[at]) ? heir : NONE;
  }
  const taken = campaigns.map((): Row[] => []);
  for (const [place, ofThis] of inOrder) taken[takerOf(ofThis, heirs)]?.push(rows[place] as Row);
  return taken
    .map((members, at) => ({ campaign: campaigns[at] as LearnedCampaign, rows: members }))
    .filter(({ rows: members }) => members.length > 0)
    .sort((a, b) => b.rows.length - a.rows.length);
}

/** @param ofRow the campaigns of a row, the surest first */
function takerOf(ofRow: readonly number[], heirs: readonly number[]): number {
  for (const campaign of ofRow) {
    const heir = heirs[campaign] as number;
    if (heir !== NONE) return heir;
  }
  return NONE;
}

function mostFrequent(takers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const taker of takers) counts.set(taker, (counts.get(taker) ?? 0) + 1);
  const [most = [NONE]] = [...counts].sort(([, a], [, b]) => b - a);
  return most[0] as number;
}

function isSameScope(one: LearnedCampaign | undefined, other: LearnedCampaign | undefined): boolean {
  return one?.scope === other?.scope && one?.scopeText === other?.scopeText;
}
