/** GET …/today/needs: what waits for a person, the most harmful first, and what explains the chart of answers. */
import { findRequests, type RequestStore } from '../accounts/customer-requests.ts';
import type { Need, TodayMarks, TodayNeeds } from '../contract/dashboard-today.ts';
import type { AlertKind } from '../model/alert.ts';
import type { ListEntry } from '../model/list-entry.ts';
import { createWallClock } from '../model/time-zone.ts';
import { reportedAs } from '../signup/label-effect.ts';
import { describeCampaign } from '../signup/wave-words.ts';
import type { AuditStore } from '../store/audit-store.ts';
import type { CampaignStore } from '../store/campaign-store.ts';
import type { HistoryStore } from '../store/history-store.ts';
import type { RecallStore } from '../store/recall-store.ts';
import type { Account, ListStore } from '../store/store.ts';
import { toAlertRow } from './dashboard-alerts.ts';
import { toInstant } from './dashboard-history.ts';
import { DAY_MS, readPeriod, spanOf } from './dashboard-periods.ts';
import { totalsOf } from './dashboard-recall.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { type ReadinessOptions, readReadiness } from './dashboard-shadow-readiness.ts';
import { MAX_ALERTS, MAX_CAMPAIGNS } from './dashboard-today.ts';
import { type AlertReader, type AlertsOptions, readAlerts } from './manage-alerts.ts';

export interface TodayNeedsOptions {
  readonly store: RequestStore &
    AlertsOptions['store'] &
    Pick<CampaignStore, 'campaigns'> &
    Pick<HistoryStore, 'labelCounts' | 'shadowCounts' | 'findAssessments'> &
    Pick<ListStore, 'expiringEntries'> &
    Pick<RecallStore, 'recallCounts'> &
    Pick<AuditStore, 'auditEntries'>;
  readonly directory: AlertsOptions['directory'];
}

const MAX_NEEDS = 5;
/** Waves with a line of their own: others must not hide what else waits. */
const MAX_OWN_LINES = 2;
const MAX_ENTRIES = 500;
const MAX_CHANGES = 100;
/** Min. good customers with one main finding that are more than a coincidence. */
const MIN_GOOD_STOPPED = 2;

/** Kinds by harm, the worst first. */
const HARM: readonly (Exclude<Need['kind'], 'alert'> | AlertKind)[] = [
  'campaign',
  'campaigns',
  'signups',
  'blocked',
  'source',
  'bounced',
  'complained',
  'shared_address',
  'challenged',
  'recalled',
  'good_stopped',
  'requests',
  'quota',
  'entries',
  'feed',
  'backup',
  'shadow',
  'shadow_look',
  'shadow_ready',
];

/** Changes that may explain what the chart shows. */
const OWN_CHANGES: ReadonlySet<string> = new Set([
  'thresholds.set',
  'policy.save',
  'list.allow',
  'list.deny',
  'list.office',
  'list.remove',
  'key.shadow',
  'key.enforce',
]);

export function todayNeedsRoute(routes: DashboardRoutes, { store, directory }: TodayNeedsOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/today/needs',
    minRole: 'member',
    async handle({ account, role, query, user, now }): Promise<TodayNeeds> {
      const { from, to } = spanOf(readPeriod(query.period, '24h'), now, account.timeZone);
      const reader = { accountId: account.id, seesOperatorAlerts: user.operator };
      const alerts = await readAlertRows({ store, directory }, reader);
      const parts = await Promise.all([
        alerts.filter(({ state, kind }) => state === 'open' && kind !== 'campaign').map(toAlertNeed),
        campaignNeeds(store, account.id),
        recallNeeds(store, account.id),
        goodStoppedNeeds(store, account, now),
        requestsNeeds(store, account.id, now),
        // Members can change neither lists nor keys.
        role === 'member' ? [] : entriesNeeds(store, account, now),
        role === 'member' ? [] : shadowNeeds({ store, directory }, account, now),
      ]);
      const needs = parts.flat().sort((a, b) => rankOf(a) - rankOf(b) || sizeOf(b) - sizeOf(a));
      return {
        needs: needs.slice(0, MAX_NEEDS),
        more: Math.max(0, needs.length - MAX_NEEDS),
        marks: {
          alerts: alerts
            .filter(({ state, seen_at }) => state === 'open' || Date.parse(seen_at) >= from)
            .map(({ id, title, state, since }) => ({ id, title, state, at: since }))
            .sort((a, b) => (a.at < b.at ? -1 : 1)),
          changes: await changesSince(store, account.id, from, to),
        },
      };
    },
  });
}

async function readAlertRows(options: AlertsOptions, reader: AlertReader) {
  const { alerts } = await readAlerts(options, reader, { limit: String(MAX_ALERTS) });
  return alerts.map((alert) => toAlertRow(alert, reader, options)).reverse();
}

const toAlertNeed = (alert: ReturnType<typeof toAlertRow>): Need => ({ kind: 'alert', alert });

function rankOf(need: Need): number {
  return HARM.indexOf(need.kind === 'alert' ? need.alert.kind : need.kind);
}

function sizeOf(need: Need): number {
  switch (need.kind) {
    case 'campaign':
    case 'campaigns':
      return need.let_in;
    case 'alert':
      return need.alert.count;
    case 'recalled':
      return need.block + need.challenge;
    case 'good_stopped':
      return need.good;
    case 'entries':
      return need.hits;
    case 'shadow_look':
      return need.good_stopped;
    case 'shadow_ready':
      return need.signups;
    case 'requests':
      return need.count;
  }
}

async function campaignNeeds(store: Pick<CampaignStore, 'campaigns'>, accountId: string): Promise<Need[]> {
  const { campaigns } = await store.campaigns(accountId, { state: 'open', limit: MAX_CAMPAIGNS });
  const waiting = campaigns.filter(({ decision }) => decision === '').sort((a, b) => b.letIn - a.letIn);
  const others = waiting.slice(MAX_OWN_LINES);
  const own = waiting.slice(0, MAX_OWN_LINES).map(
    (campaign): Need => ({
      kind: 'campaign',
      id: campaign.id,
      summary: describeCampaign(campaign),
      members: campaign.members,
      let_in: campaign.letIn,
    }),
  );
  if (others.length === 0) return own;
  const letIn = others.reduce((sum, campaign) => sum + campaign.letIn, 0);
  return [...own, { kind: 'campaigns', count: others.length, let_in: letIn }];
}

async function recallNeeds(store: Pick<RecallStore, 'recallCounts'>, accountId: string): Promise<Need[]> {
  const { total, block, challenge } = totalsOf(await store.recallCounts(accountId));
  return total === 0 ? [] : [{ kind: 'recalled', block, challenge }];
}

/** Counts blocked signups alone: somebody who passed a challenge is a good customer, too, and was not stopped. */
async function goodStoppedNeeds(
  store: Pick<HistoryStore, 'labelCounts'>,
  { id, timeZone }: Account,
  now: number,
): Promise<Need[]> {
  const { answered } = await store.labelCounts(id, { mode: 'live', ...spanOf('7d', now, timeZone) });
  const byFinding = new Map<string, { good: number; fraud: number }>();
  for (const { finding, verdict, shadow, label, count } of answered) {
    const side = reportedAs(label);
    if (side === null || finding === '' || verdict !== 'block' || shadow) continue;
    const counts = byFinding.get(finding) ?? { good: 0, fraud: 0 };
    counts[side] += count;
    byFinding.set(finding, counts);
  }
  return [...byFinding]
    .filter(([, { good }]) => good >= MIN_GOOD_STOPPED)
    .map(([detector, counts]) => ({ kind: 'good_stopped', detector, ...counts }));
}

async function requestsNeeds(store: RequestStore, accountId: string, now: number): Promise<Need[]> {
  const requests = await findRequests(store, accountId, now);
  const count = requests.filter(({ done }) => done === undefined).length;
  return count === 0 ? [] : [{ kind: 'requests', count }];
}

async function entriesNeeds(
  store: Pick<ListStore, 'expiringEntries'>,
  { id, timeZone }: Account,
  now: number,
): Promise<Need[]> {
  const clock = createWallClock(timeZone);
  const until = clock.instantOf(Math.floor(clock.wallOf(now) / DAY_MS) * DAY_MS + 2 * DAY_MS);
  const entries = await store.expiringEntries(id, now, until, MAX_ENTRIES);
  return (['allow', 'deny', 'office'] as const).flatMap((action): Need[] => {
    const own = entries.filter((entry) => entry.action === action && entry.hits > 0);
    const [first] = own;
    if (first === undefined) return [];
    const hits = own.reduce((sum, entry) => sum + entry.hits, 0);
    return [{ kind: 'entries', action, count: own.length, hits, first: toFirst(first) }];
  });
}

function toFirst({ id, shown, expiresAt }: ListEntry) {
  return { id, value: shown, expires_at: toInstant(expiresAt as number) };
}

/** Keys that have seen enough: a person decides, or looks first. */
async function shadowNeeds(
  { store, directory }: Pick<TodayNeedsOptions, 'directory'> & ReadinessOptions,
  account: Account,
  now: number,
): Promise<Need[]> {
  const keys = directory.keysOf(account.id);
  const readiness = await readReadiness({ store }, account, keys, now);
  return keys.flatMap((key): Need[] => {
    const found = readiness.get(key.id);
    if (found === undefined || found.state === 'collecting') return [];
    const { state, days, verdicts, reported } = found;
    const { id, name, mode, enforcedShare } = key;
    const signups = verdicts.allow + verdicts.challenge + verdicts.block;
    const seen = { id, name, mode, days, signups, enforced_share: enforcedShare };
    return state === 'ready'
      ? [{ kind: 'shadow_ready', ...seen }]
      : [{ kind: 'shadow_look', ...seen, good_stopped: reported.good_stopped }];
  });
}

async function changesSince(
  store: Pick<AuditStore, 'auditEntries'>,
  accountId: string,
  since: number,
  until: number,
): Promise<TodayMarks['changes']> {
  const { entries } = await store.auditEntries(accountId, null, MAX_CHANGES * 2, { since, until });
  return entries
    .filter(({ action }) => OWN_CHANGES.has(action))
    .slice(0, MAX_CHANGES)
    .reverse()
    .map(({ at, action }) => ({ at: toInstant(at), action }));
}
