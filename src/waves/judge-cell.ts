/** Decides whether far more of a scope have a mark than usual. */
import { type GroupKey, joinKeys } from './group-key.ts';
import { DAY, HOURS, WEEK } from './group-table.ts';
import { type Counted, type Learning, WAVES } from './learning.ts';
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

/** Cell of a scope and a mark that a member was counted in. */
export interface Cell {
  readonly scope: Scope;
  readonly mark: Mark;
  /** Places of everybody of the scope and of those with the mark. */
  readonly trials: number;
  readonly place: number;
  readonly ofAccount: number;
}

/** Whether far more of a scope have a mark than usual. */
export function judgeCell(learning: Learning, counted: Counted, cell: Cell): void {
  const { scope, mark, place } = cell;
  const groups = learning.groups;
  const { at } = counted;
  if (groups.count(place, WEEK, at) < MIN_MEMBERS - DECAYED) return;
  const ofDomains = isOfDomains(scope);
  if (ofDomains && groups.distinct(place) < (mark.kind === 'form' ? MIN_DOMAINS_OF_FORM : MIN_DOMAINS))
    return;
  const usual = usualOf(learning, counted, cell);
  const counts = countsOfCell(learning, counted, cell);
  const slack = isApart(cell) && mark.kind === 'form' ? 2 : mark.slack;
  const decadesAt = (now: number) => decadesOf(counts, usual, slack, now);
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
    isUsualAt(now) {
      const { count, all } = counts(DAY, now);
      return count < 2 + 3 * usual * all;
    },
  });
}

/** People of companies and people at providers have names of different forms. */
function isApart({ scope, mark }: Cell): boolean {
  return isOfDomains(scope) && (mark.kind === 'form' || mark.kind === 'manner');
}

function usualOf(learning: Learning, { account, at }: Counted, cell: Cell): number {
  const { mark, trials, place, ofAccount } = cell;
  const ofAll = learning.groups.find(joinKeys(account, joinKeys(ACCOUNT.key, mark.key)));
  // A slow wave must not make itself usual.
  const lag = LAGS[mark.kind];
  const prior = isApart(cell)
    ? Math.min(mark.prior, 0.01)
    : learning.usualShare(ofAccount, ofAll, mark.prior, at, lag);
  return learning.usualShare(trials, place, prior, at, lag);
}

/** Weeks until people count as usual, where it is not one. */
const LAGS: { readonly [Kind in Mark['kind']]?: { readonly scope: number; readonly cell: number } } = {
  manner: { scope: 2, cell: 2 },
  stem: { scope: 1, cell: 1.5 },
};

type CellCounts = (window: number, now: number) => { readonly count: number; readonly all: number };

/** Counts of people with the mark, and of all people of the scope except members of waves without it: two waves at one place do not hide each other. */
function countsOfCell(learning: Learning, { account }: Counted, { scope, mark }: Cell): CellCounts {
  const key = joinKeys(scope.key, mark.key);
  const inAccount = (each: GroupKey) => joinKeys(account, each);
  const [trials, place] = [inAccount(scope.key), inAccount(key)];
  const [ofWaves, marked] = [inAccount(joinKeys(scope.key, WAVES)), inAccount(joinKeys(key, WAVES))];
  const { groups } = learning;
  return (window, now) => {
    const of = (each: GroupKey) => groups.countOf(each, window, now);
    const count = of(place);
    return { count, all: Math.max(count, of(trials) - of(ofWaves) + of(marked)) };
  };
}

function decadesOf(counts: CellCounts, usual: number, slack: number, at: number): number {
  let decades = 0;
  for (const window of [HOURS, DAY, WEEK]) {
    const { count, all } = counts(window, at);
    if (count < MIN_MEMBERS - DECAYED || count < MIN_EXCESS * all * usual) continue;
    const share = Math.min(1, Math.max(usual * slack, MIN_EXPECTED / Math.max(1, all)));
    decades = Math.max(decades, decadesAbove(count, all, share));
  }
  return decades;
}
