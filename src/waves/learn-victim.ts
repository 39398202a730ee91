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
const MIN_DECADES = 5;
const VICTIM_SHARES: Readonly<Record<Exclude<Victim, ''>, number>> = {
  gateway: 5e-6,
  desk: 5e-5,
  dots: 5e-5,
};
const MIN_VICTIMS = 2.8;
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
    const place = groups.find(joinKeys(account, cellOf(kind)));
    if (place === NO_GROUP) return [];
    return [{ place, usual: learning.usualShare(ofAccount, place, VICTIM_SHARES[kind], at) }];
  });
  const sumOf = (window: number, now: number) =>
    cells.reduce((sum, { place }) => sum + groups.count(place, window, now), 0);
  const decadesAt = (now: number) =>
    Math.max(
      ...[HOURS, DAY].map((window) => {
        if (sumOf(window, now) < MIN_VICTIMS) return 0;
        return cells.reduce(
          (sum, { place, usual }) =>
            sum +
            decadesAbove(
              groups.count(place, window, now),
              groups.count(ofAccount, window, now),
              usual * VICTIM_SLACK,
            ),
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
