/** Waves: groups of signups by one hand, open and past. The open one is beside the list and has its own URL. */
import { Tabs } from '@mantine/core';
import { useLocation, useParams, useSearchParams } from 'wouter';
import type { CampaignPageAnswer, CampaignRow } from '../../../src/contract/dashboard-campaigns.ts';
import { useGet, withQuery } from '../api.ts';
import { useScope, useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { NumberText } from '../ui/number-text.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { CampaignPanel } from './campaigns-panel.tsx';
import { headlineOf, stateOf } from './campaigns-words.ts';

const MAX_ROWS = '200';

export function CampaignsPage() {
  const { api, page } = useScope();
  const [search] = useSearchParams();
  const setQuery = useSetQuery();
  const [, navigate] = useLocation();
  const { campaign: open } = useParams();
  const state = search.get('state') === 'ended' ? 'ended' : 'open';
  const found = useGet<CampaignPageAnswer>(withQuery(api('campaigns'), { state, limit: MAX_ROWS }));
  const hrefOf = (path: '' | `/${string}`) =>
    page(`campaigns${path}`, { state: search.get('state') ?? undefined });
  return (
    <>
      <PageHeader title="Waves">
        Many signups by one person or program. The next members are challenged, or blocked once a wave is
        sure.
      </PageHeader>
      <Tabs
        value={state}
        onChange={(value) => setQuery({ state: value === 'ended' ? 'ended' : undefined })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="open">Open</Tabs.Tab>
          <Tabs.Tab value="ended">Past</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={state}>
          <Card flush>
            <DataTable
              label={state === 'open' ? 'Open waves' : 'Past waves'}
              columns={COLUMNS}
              rows={found.data?.data}
              error={found.error}
              onRetry={() => void found.refetch()}
              rowKey={({ id }) => id}
              href={({ id }) => hrefOf(`/${id}`)}
              selected={open}
              quiet={open !== undefined}
              skeletons={4}
              empty={
                <EmptyState title={state === 'open' ? 'No wave is open' : 'No wave has ended'}>
                  Gatehouse looks for signups that have more in common than your people usually have. Waves
                  that it finds are listed here.
                </EmptyState>
              }
            />
          </Card>
          {found.data?.next != null && <p className="gh-faint">Only the newest {MAX_ROWS} are shown.</p>}
        </Tabs.Panel>
      </Tabs>
      {open !== undefined && <CampaignPanel id={open} onClose={() => navigate(hrefOf(''))} />}
    </>
  );
}

const COLUMNS: readonly Column<CampaignRow>[] = [
  {
    id: 'summary',
    head: 'Wave',
    wrap: 'always',
    cell: (row) => <span title={row.summary}>{headlineOf(row)}</span>,
  },
  { id: 'state', head: 'State', width: 140, cell: (row) => <span className="gh-dim">{stateOf(row)}</span> },
  {
    id: 'members',
    head: 'Members',
    width: 90,
    align: 'right',
    from: 'sm',
    cell: ({ members }) => <NumberText value={members} />,
  },
  {
    id: 'stopped',
    head: 'Stopped',
    width: 90,
    align: 'right',
    from: 'md',
    cell: ({ stopped }) => <NumberText value={stopped} />,
  },
  {
    id: 'newest',
    head: 'Last member',
    width: 'clamp(84px, 10vw, 128px)',
    from: 'md',
    cell: ({ last_at }) => <RelativeTime at={last_at} />,
  },
];
