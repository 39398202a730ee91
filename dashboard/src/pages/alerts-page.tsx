/** Alerts: what is unusual now, and what was; each leads to exactly what it is about. */
import { Box, Tabs } from '@mantine/core';
import { Link, Redirect, useParams, useSearchParams } from 'wouter';
import type { AlertPageAnswer, AlertRow } from '../../../src/contract/dashboard-alerts.ts';
import { useGet, withQuery } from '../api.ts';
import { linkTo } from '../pages.ts';
import { type Scope, useScope, useSetQuery } from '../scope.ts';
import { alertCardPath } from '../ui/alert-card-path.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SinceChip, wasSince } from '../ui/since-chip.tsx';
import styles from './alerts-page.module.css';

const MAX_ROWS = '200';
const REFRESH_MS = 30_000;

export function AlertsPage() {
  const scope = useScope();
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  const { alert: chosen } = useParams();
  const state = search.get('state') === 'closed' ? 'closed' : 'open';
  const path = (of: AlertRow['state']) => withQuery(scope.api('alerts'), { state: of, limit: MAX_ROWS });
  const found = useGet<AlertPageAnswer>(path(state), { live: REFRESH_MS });
  const since = search.get('since') ?? undefined;
  const isChosen = ({ id }: AlertRow) => id === chosen;
  const isHere = chosen === undefined || found.data?.data.some(isChosen) !== false;
  // Messages lead to an alert that may be over when they are read.
  const past = useGet<AlertPageAnswer>(isHere || state === 'closed' ? null : path('closed')).data;
  const target = found.data?.data.find(isChosen) ?? past?.data.find(isChosen);
  if (target !== undefined) return <Redirect to={hrefOf(target, scope)} replace />;
  return (
    <>
      <PageHeader title="Alerts">
        What is unusual for this account: signups are compared with the same hour of the last four weeks. An
        alert closes by itself.
      </PageHeader>
      <Tabs
        value={state}
        onChange={(value) => setQuery({ state: value === 'closed' ? 'closed' : undefined, since: undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="open">Open</Tabs.Tab>
          <Tabs.Tab value="closed">Past</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={state}>
          {since !== undefined && (
            <Box mb="sm">
              <SinceChip name="Seen since" since={since} onRemove={() => setQuery({ since: undefined })} />
            </Box>
          )}
          <Card flush>
            <DataTable
              label={state === 'open' ? 'Open alerts' : 'Past alerts'}
              columns={columnsOf(scope)}
              rows={found.data?.data.filter(({ seen_at }) => wasSince(seen_at, since))}
              error={found.error}
              onRetry={() => void found.refetch()}
              rowKey={({ id }) => id}
              href={(row) => hrefOf(row, scope)}
              skeletons={4}
              empty={
                <EmptyState title={state === 'open' ? 'Nothing is unusual' : 'Nothing was unusual'}>
                  Gatehouse looks once a minute, as soon as there is a week of signups to compare with. What
                  stands out is shown here, and on every page while it lasts.
                </EmptyState>
              }
            />
          </Card>
          {found.data?.next != null && <p className="gh-faint">Only the newest {MAX_ROWS} are shown.</p>}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function columnsOf(scope: Scope): readonly Column<AlertRow>[] {
  return [
    {
      id: 'what',
      head: 'Alert',
      wrap: 'always',
      cell: (row) => (
        <span>
          <span className={styles.title}>{row.title}</span>
          {row.text !== '' && <span className="gh-dim"> {row.text}</span>}
        </span>
      ),
    },
    {
      id: 'since',
      head: 'Since',
      width: 'clamp(84px, 10vw, 128px)',
      from: 'sm',
      cell: ({ since }) => <RelativeTime at={since} />,
    },
    {
      id: 'until',
      head: 'Until',
      width: 'clamp(84px, 10vw, 128px)',
      from: 'md',
      cell: ({ state, seen_at }) => (state === 'open' ? 'now' : <RelativeTime at={seen_at} />),
    },
    {
      id: 'link',
      head: 'Look at',
      width: 104,
      cell: (row) => {
        const target = targetOf(row, scope);
        return target.name !== '' && <Link href={target.href}>{target.name}</Link>;
      },
    },
  ];
}

function hrefOf(row: AlertRow, scope: Scope): string {
  const card = alertCardPath(row);
  return card === undefined ? targetOf(row, scope).href : scope.page(card);
}

function targetOf({ kind, subject, filter }: AlertRow, { page }: Scope) {
  if (filter !== null) return { name: 'Signups', href: page('assessments', { ...filter, mode: undefined }) };
  switch (kind) {
    case 'campaign':
      return { name: 'Wave', href: page(`campaigns/${subject}`) };
    case 'quota':
      return { name: 'Usage', href: page('usage') };
    case 'shared_address':
      return subject.startsWith('hk_')
        ? { name: 'Hooks', href: page('hooks') }
        : { name: 'Keys', href: page('keys') };
    case 'backup':
      // Nothing on a page helps: somebody has to look at the server.
      return { name: '', href: page('alerts') };
    default:
      return { name: 'Sources', href: linkTo('/intelligence') };
  }
}
