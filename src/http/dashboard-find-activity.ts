/** Reads which networks and domains an account has signups from, so that a name leads to those that matter to it. */
import type { KeyMode } from '../model/key-mode.ts';
import type { HistoryStore } from '../store/history-store.ts';

/** Values with signups in the last 30 days, those with the most first. */
export interface FindActivity {
  readonly asns: readonly number[];
  readonly domains: readonly string[];
}

export interface ActivityScope {
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type ReadActivity = (scope: ActivityScope) => Promise<FindActivity>;

const DAYS_MS = 30 * 86_400_000;
/** A name is typed letter by letter: all of these searches share one reading. */
const KEEP_MS = 60_000;
const MAX_KEPT = 50;
/** Max. networks, and domains: the names of all are compared with each text. */
const MAX_VALUES = 10_000;

/** Reads the newest 50,000 signups at most, twice a minute for each account that somebody searches. */
export function createReadActivity({ countGroups }: Pick<HistoryStore, 'countGroups'>): ReadActivity {
  const kept = new Map<string, { readonly at: number; readonly activity: Promise<FindActivity> }>();

  async function read({ accountId, mode, now }: ActivityScope): Promise<FindActivity> {
    const search = { mode, from: now - DAYS_MS };
    const [networks, domains] = await Promise.all([
      countGroups(accountId, search, 'network'),
      countGroups(accountId, search, 'domain'),
    ]);
    const valuesOf = ({ groups }: typeof networks) =>
      groups.slice(0, MAX_VALUES).flatMap(({ value }) => value ?? []);
    return { asns: valuesOf(networks).map(Number), domains: valuesOf(domains) };
  }

  return (scope) => {
    const name = `${scope.accountId} ${scope.mode}`;
    const known = kept.get(name);
    if (known !== undefined && scope.now - known.at < KEEP_MS) return known.activity;
    const activity = read(scope);
    kept.delete(name);
    kept.set(name, { at: scope.now, activity });
    activity.catch(() => kept.delete(name));
    for (const oldest of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(oldest);
    return activity;
  };
}
