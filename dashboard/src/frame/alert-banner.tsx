/** One notice on every page of an account: what is unusual now. A single alert says what its signups share; several are only named. */
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { AlertPageAnswer, AlertRow } from '../../../src/contract/dashboard-alerts.ts';
import { useGet } from '../api.ts';
import { type Account, accountHref } from '../scope.ts';
import { alertCardPath } from '../ui/alert-card-path.ts';
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
  const [first] = alerts;
  if (account === undefined || first === undefined) return <div role="status" />;
  const more = alerts.length - MAX_SHOWN;
  return (
    <div role="status">
      <p className={styles.notice}>
        <IconBell size={16} aria-hidden />
        <span>
          {alerts.slice(0, MAX_SHOWN).map((alert, at) => (
            <Fragment key={alert.id}>
              {at > 0 && ' · '}
              <Link href={accountHref(account.id, alertCardPath(alert) ?? `alerts/${alert.id}`, {})}>
                {alert.title}
              </Link>
            </Fragment>
          ))}
          {more > 0 && (
            <>
              {' · '}
              <Link href={accountHref(account.id, 'alerts', {})}>{grouped(more)} more</Link>
            </>
          )}
          {alerts.length === 1 && first.filter !== null && `. ${first.text}`}
        </span>
      </p>
    </div>
  );
}
