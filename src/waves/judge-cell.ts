/** Decides whether far more of a scope have a mark than usual. */
import { joinKeys } from './group-key.ts';
import { DAY, HOURS, WEEK } from './group-table.ts';
import type { Counted, Learning } from './learning.ts';
import type { Mark } from './marks.ts';
import { decadesAbove, MIN_DECADES } from './odds.ts';
import { ACCOUNT, isOfDomains, type Scope } from './scopes.ts';

const MIN_MEMBERS = 4;
/** A decayed count is a little below its number of members. */
const DECAYED = 0.5;
/** Times the usual share that a group has to be of its scope, so that most of its members are the wave's. */
const MIN_EXCESS = 4;
/** Expected number in a window, below which none is known. */
const MIN_EXPECTED = 0.02;
/** Domains that a group of domains bought in a row has at least; more where names may be those of an organisation. */
const MIN_DOMAINS = 2.5;
const MIN_DOMAINS_OF_FORM = 3.5;

/** Whether far more of a scope have a mark than usual. */
export function judgeCell(
  learning: Learning,
  scope: Scope,
  mark: Mark,
  counted: Counted,
  {
    trials,
    place,
    ofAccount,
  }: { readonly trials: number; readonly place: number; readonly ofAccount: number },
): void {
  const groups = learning.groups;
  const { account, at } = counted;
  if (groups.count(place, WEEK, at) < MIN_MEMBERS - DECAYED) return;
  const ofDomains = isOfDomains(scope);
  if (ofDomains && groups.distinct(place) < (mark.kind === 'form' ? MIN_DOMAINS_OF_FORM : MIN_DOMAINS))
    return;
  // People of companies and people at providers have names of different forms.
  const isApart = ofDomains && (mark.kind === 'form' || mark.kind === 'manner');
  const prior = isApart
    ? Math.min(mark.prior, 0.01)
    : learning.usualShare(
        ofAccount,
        groups.find(joinKeys(account, joinKeys(ACCOUNT.key, mark.key))),
        mark.prior,
        at,
      );
  const usual = learning.usualShare(trials, place, prior, at, mark.kind === 'manner' ? 2 : 1);
  const slack = isApart && mark.kind === 'form' ? 2 : mark.slack;
  const decadesAt = decadesOfCell(learning, trials, place, usual, slack);
  if (decadesAt(at) < MIN_DECADES) return;
  learning.open(counted, {
    scope,
    mark,
    shared: { kind: mark.kind, text: mark.text },
    families: [
      'names',
      ...(ofDomains ? (['domain'] as const) : []),
      ...(scope.kind === 'range' || scope.kind === 'hosting' ? (['network'] as const) : []),
    ],
    ...learning.factsOf(place, at),
    usual,
    decadesAt,
    isUsualAt: (now) => groups.count(place, DAY, now) < 2 + 3 * usual * groups.count(trials, DAY, now),
  });
}

function decadesOfCell(
  learning: Learning,
  trials: number,
  place: number,
  usual: number,
  slack: number,
): (at: number) => number {
  const groups = learning.groups;
  return (at) => {
    let decades = 0;
    for (const window of [HOURS, DAY, WEEK]) {
      const count = groups.count(place, window, at);
      const all = groups.count(trials, window, at);
      if (count < MIN_MEMBERS - DECAYED || count < MIN_EXCESS * all * usual) continue;
      const share = Math.min(1, Math.max(usual * slack, MIN_EXPECTED / Math.max(1, all)));
      decades = Math.max(decades, decadesAbove(count, all, share));
    }
    return decades;
  };
}
