/** GET /v1/manage/accounts/{account}/alerts: what is or was unusual in an account. */
import type { Directory } from '../accounts/directory.ts';
import { describeAlert } from '../alerts/alert-words.ts';
import type { ManageAlert } from '../contract/manage-messages.ts';
import { ALERT_STATES, type Alert, OPERATOR_ALERTS } from '../model/alert.ts';
import { toTimestamp } from '../platform/timestamp.ts';
import type { AlertStore } from '../store/alert-store.ts';
import { oneOf, readLimit } from './dashboard-values.ts';
import type { ManageRoutes } from './manage-route.ts';

export interface AlertsOptions {
  readonly store: Pick<AlertStore, 'alerts'>;
  readonly directory: Pick<Directory, 'keysOf' | 'hooksOf'>;
}

/** The account whose alerts are read, and what the reader may see. */
export interface AlertReader {
  readonly accountId: string;
  /** Whether they see those that only an operator can help with. */
  readonly seesOperatorAlerts: boolean;
}

export function manageAlertRoutes(routes: ManageRoutes, options: AlertsOptions): void {
  routes.forAccount('listAlerts', async ({ account, token, query }) => {
    const reader = { accountId: account.id, seesOperatorAlerts: token.accountId === null };
    const { alerts, next } = await readAlerts(options, reader, query);
    return { data: alerts.map((alert) => toManageAlert(alert, reader, options)), next };
  });
}

/** A page, newest first. @throws Problem `invalid_value` */
export async function readAlerts(
  { store }: Pick<AlertsOptions, 'store'>,
  { accountId, seesOperatorAlerts }: AlertReader,
  { state, after, limit }: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly alerts: readonly Alert[]; readonly next: string | null }> {
  const only = state === undefined || state === '' ? undefined : oneOf(ALERT_STATES, 'state', state);
  const place = after === undefined || after === '' ? null : after;
  const { alerts, next } = await store.alerts(accountId, {
    state: only,
    after: place,
    limit: readLimit(limit),
  });
  return { alerts: alerts.filter(({ kind }) => seesOperatorAlerts || !OPERATOR_ALERTS.has(kind)), next };
}

export function toManageAlert(
  alert: Alert,
  { accountId }: AlertReader,
  { directory }: Pick<AlertsOptions, 'directory'>,
): ManageAlert {
  const owners = [...directory.keysOf(accountId), ...directory.hooksOf(accountId)];
  const { closedAt } = alert;
  return {
    id: alert.id,
    account_id: alert.accountId === '' ? null : alert.accountId,
    state: closedAt === null ? 'open' : 'closed',
    kind: alert.kind,
    subject: alert.subject,
    ...describeAlert(alert, (id) => owners.find((owner) => owner.id === id)?.name),
    since: toTimestamp(alert.since),
    opened_at: toTimestamp(alert.openedAt),
    seen_at: toTimestamp(alert.seenAt),
    closed_at: closedAt === null ? null : toTimestamp(closedAt),
    count: alert.count,
    total: alert.total,
    usual: alert.usual,
    shares: [...alert.shares],
  };
}
