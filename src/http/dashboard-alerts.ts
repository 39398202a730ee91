/** GET …/alerts: what is or was unusual in an account, with the filter that finds the signups of each. */
import type { AlertPageAnswer, AlertRow } from '../contract/dashboard-alerts.ts';
import type { FilterMembers } from '../contract/dashboard-signup-counts.ts';
import { formatFilterValues } from '../contract/filter-values.ts';
import type { Alert, SharedFeature } from '../model/alert.ts';
import { toInstant } from './dashboard-history.ts';
import type { DashboardRoutes } from './dashboard-route.ts';
import { type AlertReader, type AlertsOptions, readAlerts, toManageAlert } from './manage-alerts.ts';

const NAMES = {
  range: 'ip',
  network: 'asn',
  domain: 'domain',
  mailbox: 'mailbox',
  session: 'session_id',
  finding: 'finding',
} as const satisfies Record<SharedFeature, keyof FilterMembers>;

export function alertRoutes(routes: DashboardRoutes, options: AlertsOptions): void {
  routes.forAccount({
    method: 'GET',
    path: '/accounts/:account/alerts',
    minRole: 'member',
    async handle({ account, query, user }): Promise<AlertPageAnswer> {
      const reader = { accountId: account.id, seesOperatorAlerts: user.operator };
      const { alerts, next } = await readAlerts(options, reader, query);
      return { data: alerts.map((alert) => toAlertRow(alert, reader, options)), next };
    },
  });
}

export function toAlertRow(
  alert: Alert,
  reader: AlertReader,
  options: Pick<AlertsOptions, 'directory'>,
): AlertRow {
  return { ...toManageAlert(alert, reader, options), filter: filterOf(alert) };
}

/** Signups since it began that have what most of them share. */
export function filterOf({ kind, subject, since, seenAt, closedAt, shares }: Alert): FilterMembers | null {
  const own = OWN_FILTERS[kind as keyof typeof OWN_FILTERS]?.(subject);
  if (own === undefined) return null;
  const [shared] = shares;
  return {
    ...own,
    from: toInstant(since),
    ...(closedAt !== null && { to: toInstant(seenAt) }),
    ...(shared && { [NAMES[shared.feature]]: formatFilterValues({ any: [shared.value], not: [] }) }),
  };
}

const OWN_FILTERS = {
  signups: (subject: string): FilterMembers => (subject === '' ? {} : { key: subject }),
  blocked: (): FilterMembers => ({ verdict: 'block' }),
  challenged: (): FilterMembers => ({ verdict: 'challenge' }),
  bounced: (): FilterMembers => ({ outcome: 'bounced' }),
  complained: (): FilterMembers => ({ outcome: 'complained' }),
  shadow: (subject: string): FilterMembers => ({ key: subject, shadow: 'true', verdict: 'challenge,block' }),
};
