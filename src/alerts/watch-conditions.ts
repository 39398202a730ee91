/** Sees what is unusual without counting signups: waves, the quota, an IP that everybody has, sources, feeds and backups that fail. */
import { limitsOf } from '../accounts/plans.ts';
import type { DistrustedSource } from '../contract/distrusted-source.ts';
import type { AlertSighting } from '../model/alert.ts';
import type { BackupState } from '../model/backup-state.ts';
import { isSure } from '../model/campaign.ts';
import type { FeedStatus } from '../model/feed-status.ts';
import type { SharedAddress } from '../model/shared-address.ts';
import { monthOf } from '../platform/month.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { AssessmentStore } from '../store/store.ts';
import type { Watch } from './watch-signups.ts';

const MAX_CAMPAIGNS = 50;
const NEARLY_FULL = 0.8;
/** Note on a quota beyond which signups go on. */
export const OVERAGE = 'overage';
const NOTHING_COUNTED = { count: 0, total: 0, usual: 0, shares: null, note: '' };

/** Open waves that block their members, and that nobody has decided about. Smaller ones are many, and challenge only. */
export function createWatchCampaigns(store: Pick<CampaignStore, 'campaigns'>): Watch {
  return async ({ account, now }) => {
    const { campaigns } = await store.campaigns(account.id, { state: 'open', limit: MAX_CAMPAIGNS });
    return campaigns
      .filter((campaign) => campaign.decision === '' && isSure(campaign))
      .map(({ id, since, members, letIn }) => ({
        accountId: account.id,
        kind: 'campaign',
        subject: id,
        since,
        at: now,
        ...NOTHING_COUNTED,
        count: members,
        total: letIn,
      }));
  };
}

/** Months of which 80 or 100 % are used; the higher one alone. */
export function createWatchQuota(store: Pick<AssessmentStore, 'creditsUsed'>): Watch {
  return async ({ account, now }) => {
    const month = monthOf(now);
    const count = await store.creditsUsed(account.id, month);
    const { monthlyAssessments: total, cap } = limitsOf(account);
    if (count < NEARLY_FULL * total) return [];
    const subject = `${count < total ? 80 : 100} ${month}`;
    const seen = { accountId: account.id, kind: 'quota', subject, since: now, at: now } as const;
    return [{ ...seen, ...NOTHING_COUNTED, count, total, note: cap === null ? OVERAGE : '' }];
  };
}

/** Keys and hooks whose signups nearly all have one IP. */
export function createWatchSharedAddresses(sharedAddresses: () => readonly SharedAddress[]): Watch {
  return async ({ account, now }) =>
    sharedAddresses()
      .filter(({ account: owner }) => owner === account.id)
      .map(({ keyId: subject, since, kind: note }) => ({
        accountId: account.id,
        kind: 'shared_address',
        subject,
        since,
        at: now,
        ...NOTHING_COUNTED,
        note,
      }));
}

export interface InstallationState {
  readonly distrusted: () => readonly DistrustedSource[];
  /** Feeds that this installation fetches. */
  readonly feeds: () => readonly FeedStatus[];
  /** Scheduled backups of this process; `null`: there are none. */
  readonly backups: () => BackupState | null;
}

/** Sources, feeds and backups that fail, for all accounts. */
export function watchInstallation(
  { distrusted, feeds, backups }: InstallationState,
  now: number,
): AlertSighting[] {
  const common = { accountId: '', at: now, ...NOTHING_COUNTED };
  const sources = distrusted().map(({ source: subject, since, message: note }) => ({
    ...common,
    kind: 'source' as const,
    subject,
    since: Date.parse(since),
    note,
  }));
  const failing = feeds().flatMap(({ id: subject, condition, refusal, review, seenAt }) => {
    if (condition === 'waiting' && review !== null) {
      const { judged: total, stricter, milder, at: since } = review;
      const counts = { count: stricter + milder, total, note: `${stricter} stricter, ${milder} milder` };
      return [{ ...common, kind: 'feed' as const, subject, since, ...counts }];
    }
    if (condition === 'refused')
      return [
        { ...common, kind: 'feed' as const, subject, since: refusal?.at ?? now, note: refusal?.why ?? '' },
      ];
    return condition === 'stale' ? [{ ...common, kind: 'feed' as const, subject, since: seenAt ?? now }] : [];
  });
  return [...sources, ...failing, ...missingBackup(backups(), now)];
}

/** Why a backup failed is in the log: it names folders of the server, and alerts are read by others, too. */
function missingBackup(state: BackupState | null, now: number): AlertSighting[] {
  if (state === null || now < state.missingFrom) return [];
  const { lastAt, missingFrom } = state;
  const note =
    lastAt === null ? 'There is no good backup yet.' : `The last good one is of ${toTimestamp(lastAt)}.`;
  const since = lastAt ?? missingFrom;
  return [{ accountId: '', kind: 'backup', subject: 'scheduled', since, at: now, ...NOTHING_COUNTED, note }];
}
