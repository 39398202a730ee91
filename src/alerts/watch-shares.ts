/** Sees that a larger share of signups than usual is challenged or blocked, or would be with a key in shadow mode. */
import type { Verdict } from '../contract/messages.ts';
import { isInShadow } from '../model/enforced-share.ts';
import { addUpAnswers } from '../store/answer-counts.ts';
import { totalOf } from '../store/history-groups.ts';
import { type HistoryStore, SLOT_MS } from '../store/history-store.ts';
import { DAY_MS, limitOf, MIN_COUNT, STEP_MS, usualOf, WEEK_MS, WEEKS } from './unusual.ts';
import { findShared, type Watch, type WatchedAccount } from './watch-signups.ts';

export interface WatchSharesOptions {
  readonly store: Pick<HistoryStore, 'countGroups' | 'traffic'>;
  readonly isCrowded: (domain: string) => boolean;
}

/** Signups whose share is compared: long enough that a few make no share. */
const WINDOW_MS = 6 * 3_600_000;
const KINDS = { blocked: 'block', challenged: 'challenge' } as const;
type Kind = keyof typeof KINDS;
const SHADOW_MS = DAY_MS;
const SHADOW_DAYS = 7;

/** Verdicts of a window, whether or not they were answered. */
interface VerdictSums {
  readonly verdicts: Readonly<Record<Verdict, number>>;
  readonly total: number;
}

export function createWatchShares({ store, isCrowded }: WatchSharesOptions): Watch {
  async function countsOf(accountId: string, to: number): Promise<VerdictSums> {
    const search = { mode: 'live', from: to - WINDOW_MS, to } as const;
    const { groups } = await store.countGroups(accountId, search, 'all');
    const { verdicts = { allow: 0, challenge: 0, block: 0 } } = groups[0] ?? {};
    return { verdicts, total: verdicts.allow + verdicts.challenge + verdicts.block };
  }

  /** Shares of verdicts, answered or not, in the windows of the last weeks; none without a week of data. */
  async function usualShares(accountId: string, now: number) {
    const end = Math.floor(now / SLOT_MS) * SLOT_MS - WINDOW_MS;
    const from = end - WEEKS * WEEK_MS;
    const { slots } = await store.traffic(accountId, { mode: 'live', from, to: end });
    if ((slots[0]?.at ?? now) > now - WEEK_MS) return undefined;
    const windows = new Map<number, (typeof slots)[number][]>();
    for (const slot of slots) {
      const window = Math.floor((slot.at - from) / WINDOW_MS);
      windows.set(window, [...(windows.get(window) ?? []), slot]);
    }
    const sums = [...windows.values()].map((window) => {
      const { allow, challenge, block, observed } = addUpAnswers(window);
      const all = { challenge: challenge + observed.challenge, block: block + observed.block };
      return { ...all, total: allow + all.challenge + all.block };
    });
    const large = sums.filter(({ total }) => total >= MIN_COUNT);
    const sharesOf = (verdict: 'challenge' | 'block') => large.map((sum) => sum[verdict] / sum.total);
    return { block: usualOf(sharesOf('block')), challenge: usualOf(sharesOf('challenge')) };
  }

  async function watchKind(
    kind: Kind,
    { account, now }: WatchedAccount,
    latest: VerdictSums,
    earlier: VerdictSums,
  ) {
    const verdict = KINDS[kind];
    if (Math.min(latest.verdicts[verdict], earlier.verdicts[verdict]) < MIN_COUNT) return [];
    const usual = (await usualShares(account.id, now))?.[verdict];
    if (usual === undefined) return [];
    const limit = limitOf(usual, 0);
    const isFar = ({ verdicts, total }: VerdictSums) => verdicts[verdict] > limit * total;
    if (!isFar(latest) || !isFar(earlier)) return [];
    const search = { mode: 'live', verdicts: [verdict], from: now - WINDOW_MS, to: now } as const;
    const { shares, since } = await findShared({ store, isCrowded, accountId: account.id }, search);
    const counts = {
      count: latest.verdicts[verdict],
      total: latest.total,
      usual: usual.count * latest.total,
    };
    return [{ accountId: account.id, kind, subject: '', since, at: now, ...counts, shares, note: '' }];
  }

  return async (watched) => {
    // A flood of signups has an alert of its own, which says the same.
    if (watched.hadLately('signups')) return [];
    const { account, now } = watched;
    const latest = await countsOf(account.id, now);
    if (Math.max(latest.verdicts.block, latest.verdicts.challenge) < MIN_COUNT) return [];
    const earlier = await countsOf(account.id, now - STEP_MS);
    return [
      ...(await watchKind('blocked', watched, latest, earlier)),
      ...(await watchKind('challenged', watched, latest, earlier)),
    ];
  };
}

export function createWatchShadow({ store, isCrowded }: WatchSharesOptions): Watch {
  /** @param shadow whether those alone who were let in, or all with these verdicts */
  async function stopsByKey(
    accountId: string,
    to: number,
    shadow: boolean,
  ): Promise<ReadonlyMap<string, number>> {
    const search = { mode: 'live', verdicts: ['challenge', 'block'], from: to - SHADOW_MS, to } as const;
    const { groups } = await store.countGroups(accountId, { ...search, ...(shadow && { shadow }) }, 'key');
    return new Map(groups.map((group) => [group.value ?? '', totalOf(group)]));
  }

  return async ({ account, keys, now }) => {
    const shadowed = keys.filter((key) => isInShadow(key) && key.mode === 'live' && key.revokedAt === null);
    if (shadowed.length === 0) return [];
    const latest = await stopsByKey(account.id, now, true);
    const many = shadowed.filter(
      ({ id, createdAt }) => (latest.get(id) ?? 0) >= MIN_COUNT && createdAt <= now - WEEK_MS,
    );
    if (many.length === 0) return [];
    // The share that a key enforces may have changed: with all its verdicts, each day says the same.
    const [today = new Map<string, number>(), ...days] = await Promise.all(
      Array.from({ length: 1 + SHADOW_DAYS }, (_, day) =>
        stopsByKey(account.id, now - day * SHADOW_MS, false),
      ),
    );
    const found = many.map(async ({ id: subject }) => {
      const count = latest.get(subject) as number;
      const usual = usualOf(days.map((day) => day.get(subject) ?? 0));
      const all = today.get(subject) ?? count;
      if (all <= limitOf(usual)) return [];
      const own = { mode: 'live', shadow: true, keyId: subject, from: now - SHADOW_MS, to: now } as const;
      const search = { ...own, verdicts: ['challenge', 'block'] } as const;
      const { shares, since } = await findShared({ store, isCrowded, accountId: account.id }, search);
      // The same part of the usual number would be let in.
      const counts = { count, total: 0, usual: (usual.count * count) / all, shares, note: '' };
      return [{ accountId: account.id, kind: 'shadow' as const, subject, since, at: now, ...counts }];
    });
    return (await Promise.all(found)).flat();
  };
}
