/** Decides whether a policy does its work in the month: waves are stopped, innocent crowds and everyday people are not. */
import type { Month, MonthGroup } from './month-file.ts';
import type { MonthVerdict } from './replay-month.ts';

/** People of a crowd, and everyday people, who may be challenged. */
const MAX_CHALLENGED = 0.02;
/** Everyday people who may be blocked: those at throw-away or mistyped domains are. */
const MAX_BLOCKED = 0.001;
/** Noise of a result: where the defaults miss a floor, a policy may be this much worse than they are. */
const SLACK = 0.02;
/** Everyday people whom lists stop that have nothing to do with waves or thresholds. */
const NOT_ORDINARY = 'disposable';
export const EVERYDAY = 'everyday people';

export interface Tally {
  readonly signups: number;
  /** Place of the first that was stopped; 0: none was. */
  readonly first: number;
  /** Shares of those from the place on from which a wave must be known, 0 … 1. */
  readonly stopped: number;
  readonly challenged: number;
  readonly blocked: number;
}

/** Result of a wave, a crowd or everyday people. */
export interface GroupResult {
  readonly group: MonthGroup;
  readonly tally: Tally;
  readonly byDefault: Tally;
  /** Share of a wave that must be stopped; of the others, share that may be challenged; `null`: any. */
  readonly floor: number | null;
  readonly miss: 'passes' | 'challenged' | 'blocked' | null;
  /** Places of its signups in the month that are judged. */
  readonly places: readonly number[];
}

/** Results of waves, crowds and everyday people, in the order of the month. */
export function judgeMonth(
  { groups, signups }: Month,
  verdicts: readonly MonthVerdict[],
  byDefault: readonly MonthVerdict[],
): GroupResult[] {
  const places: number[][] = groups.map(() => []);
  for (const [at, { group }] of signups.entries()) places[group]?.push(at);
  const everyday = groups.flatMap(({ kind, name }, at) =>
    kind === 'everyday' && name !== NOT_ORDINARY ? (places[at] ?? []) : [],
  );
  const all = [
    ...groups.flatMap((group, at) =>
      group.kind === 'everyday' ? [] : [{ group, places: places[at] ?? [] }],
    ),
    { group: EVERYDAY_GROUP, places: everyday },
  ];
  return all
    .filter((each) => each.places.length > 0)
    .map((each) => resultOf(each.group, each.places, verdicts, byDefault));
}

const EVERYDAY_GROUP: MonthGroup = {
  kind: 'everyday',
  name: EVERYDAY,
  knownFrom: 1,
  floor: null,
  mayBeChallenged: false,
};

function resultOf(
  group: MonthGroup,
  places: readonly number[],
  verdicts: readonly MonthVerdict[],
  defaults: readonly MonthVerdict[],
): GroupResult {
  const tally = tallyOf(places, verdicts, group.knownFrom);
  const byDefault = tallyOf(places, defaults, group.knownFrom);
  const judged = places.slice(group.knownFrom - 1);
  const result = { group, tally, byDefault, places: judged };
  if (group.kind === 'wave') {
    const floor = group.floor === null ? null : Math.min(group.floor, byDefault.stopped - SLACK);
    const passes = floor !== null && tally.stopped < floor;
    return { ...result, floor: group.floor, miss: passes ? 'passes' : null };
  }
  const maxBlocked = group.kind === 'everyday' ? byDefault.blocked + MAX_BLOCKED : byDefault.blocked;
  const floor = group.mayBeChallenged ? null : MAX_CHALLENGED;
  const maxChallenged = Math.max(MAX_CHALLENGED, byDefault.challenged + SLACK);
  const isChallenged = floor !== null && tally.challenged > maxChallenged;
  return {
    ...result,
    floor,
    miss: tally.blocked > maxBlocked ? 'blocked' : isChallenged ? 'challenged' : null,
  };
}

function tallyOf(places: readonly number[], verdicts: readonly MonthVerdict[], knownFrom: number): Tally {
  const all = places.map((place) => (verdicts[place] as MonthVerdict).verdict);
  const late = all.slice(knownFrom - 1);
  const share = (wanted: (verdict: MonthVerdict['verdict']) => boolean) =>
    late.length === 0 ? 0 : late.filter(wanted).length / late.length;
  return {
    signups: all.length,
    first: all.findIndex((verdict) => verdict !== 'allow') + 1,
    stopped: share((verdict) => verdict !== 'allow'),
    challenged: share((verdict) => verdict === 'challenge'),
    blocked: share((verdict) => verdict === 'block'),
  };
}

/** Share of the signups that must be stopped for the result to be none of a wave that passes. */
export function neededShare({ group, byDefault }: GroupResult): number {
  return Math.min(group.floor ?? 0, byDefault.stopped - SLACK);
}

/** Number of signups of a crowd that may be stopped in the way that is too much now. */
export function allowedCount({ group, byDefault, miss, places }: GroupResult): number {
  const share =
    miss === 'blocked'
      ? byDefault.blocked + (group.kind === 'everyday' ? MAX_BLOCKED : 0)
      : Math.max(MAX_CHALLENGED, byDefault.challenged + SLACK);
  return Math.floor(share * places.length);
}
