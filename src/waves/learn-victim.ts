/** Decides whether somebody signs up strangers, so that they get mail that they do not want. */
import { VICTIMS, type Victim } from '../model/evidence.ts';
import { type GroupKey, joinKeys, keyOfText } from './group-key.ts';
import { DAY, HOURS, NO_GROUP } from './group-table.ts';
import type { Counted, Learning } from './learning.ts';
import { decadesAbove } from './odds.ts';
import { ACCOUNT } from './scopes.ts';

/** Mark of all victims together. */
export const VICTIMS_MARK: GroupKey = keyOfText('victims');
/** Odds, as decades: few signups have such addresses, so few groups are looked at. */
const MIN_DECADES = 4;
const VICTIM_SHARES: Readonly<Record<Exclude<Victim, ''>, number>> = {
  gateway: 5e-6,
  desk: 5e-5,
  dots: 5e-5,
};
const MIN_VICTIMS = 2.3;
const VICTIM_SLACK = 3;

/** Signups with the addresses of people who would not want their mail. */
export function learnVictim(
  learning: Learning,
  counted: Counted,
  victim: Exclude<Victim, ''>,
  ofAccount: number,
): void {
  const { account, at } = counted;
  const groups = learning.groups;
  const cellOf = (kind: string) => joinKeys(ACCOUNT.key, keyOfText(`victims ${kind}`));
  groups.mark(learning.count(cellOf(victim), counted, counted.member.range ?? ''));
  const cells = VICTIMS.flatMap((kind) => {
    if (kind === '') return [];
    const key = joinKeys(account, cellOf(kind));
    const place = groups.find(key);
    if (place === NO_GROUP) return [];
    return [{ key, place, usual: learning.usualShare(ofAccount, place, VICTIM_SHARES[kind], at) }];
  });
  const everybody = joinKeys(account, ACCOUNT.key);
  const decadesAt = (now: number) =>
    Math.max(
      ...[HOURS, DAY].map((window) => {
        const counts = cells.map(({ key, usual }) => ({ count: groups.countOf(key, window, now), usual }));
        if (counts.reduce((sum, { count }) => sum + count, 0) < MIN_VICTIMS) return 0;
        const all = groups.countOf(everybody, window, now);
        return counts.reduce(
          (sum, { count, usual }) => sum + decadesAbove(count, all, usual * VICTIM_SLACK),
          0,
        );
      }),
    );
  if (decadesAt(at) < MIN_DECADES) return;
  const usual = cells.reduce((sum, cell) => sum + cell.usual, 0);
  const facts = cells.map(({ place }) => learning.factsOf(place, at));
  learning.openAt(joinKeys(ACCOUNT.key, VICTIMS_MARK), counted, {
    scope: ACCOUNT,
    mark: null,
    shared: { kind: 'victims', text: '' },
    families: ['names'],
    groups: facts.flatMap((each) => each.groups),
    since: Math.min(...facts.map(({ since }) => since)),
    members: facts.reduce((sum, { members }) => sum + members, 0),
    stopped: facts.reduce((sum, { stopped }) => sum + stopped, 0),
    hosting: facts.reduce((sum, { hosting }) => sum + hosting, 0),
    usual,
    decadesAt,
    isUsualAt: () => false,
  });
}
