/** Shows on every page of an account what is unusual now, with what its signups share; a click leads to all alerts. */
import { Link } from 'wouter';
import type { AlertPageAnswer, AlertRow } from '../../../src/contract/dashboard-alerts.ts';
import { useGet } from '../api.ts';
import { type Account, accountHref } from '../scope.ts';
import { grouped } from '../ui/format.ts';
import { IconBell } from '../ui/icons.ts';
import styles from './frame.module.css';

const REFRESH_MS = 30_000;
const MAX_SHOWN = 3;

/** Open alerts without those of sources, which have a notice of their own. */
export function useOpenAlerts(account: Account | undefined): readonly AlertRow[] {
  const path = account === undefined ? null : `/accounts/${account.id}/alerts?state=open`;
  const { data } = useGet<AlertPageAnswer>(path, { live: REFRESH_MS });
  return data?.data.filter(({ kind }) => kind !== 'source') ?? [];
}

export function AlertBanner({
  alerts,
  account,
}: {
  alerts: readonly AlertRow[];
  account: Account | undefined;
}) {
  const more = alerts.length - MAX_SHOWN;
  return (
    <div role="status">
      {account !== undefined &&
        alerts.slice(0, MAX_SHOWN).map(({ id, kind, subject, title, text, filter }) => (
          <p key={id} className={styles.notice}>
            <IconBell size={16} aria-hidden />
            <span>
              <Link href={accountHref(account.id, cardPath({ id, kind, subject, filter }), {})}>{title}</Link>
              . {filter !== null && text}
            </span>
          </p>
        ))}
      {account !== undefined && more > 0 && (
        <p className={styles.notice}>
          <IconBell size={16} aria-hidden />
          <Link href={accountHref(account.id, 'alerts', {})}>
            {grouped(more)} more {more === 1 ? 'alert is' : 'alerts are'} open
          </Link>
        </p>
      )}
    </div>
  );
}

/** An alert about signups has a card, where one can end the attack. */
function cardPath({ id, kind, subject, filter }: Pick<AlertRow, 'id' | 'kind' | 'subject' | 'filter'>) {
  if (kind === 'campaign') return `campaigns/${subject}` as const;
  return filter === null ? (`alerts/${id}` as const) : (`campaigns/${id}` as const);
}
