/** Waves: groups of signups by one hand, open and past. The open one is beside the list and has its own URL. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import type { AttackCard } from '../../../src/contract/dashboard-attacks.ts';
import type { CampaignPageAnswer, CampaignRow } from '../../../src/contract/dashboard-campaigns.ts';
import { useGet, withQuery } from '../api.ts';
import { useScope, useSetQuery } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { later } from '../ui/later.tsx';
import { NumberText } from '../ui/number-text.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SinceChip, wasSince } from '../ui/since-chip.tsx';
import type { BlockAttackProps } from './campaigns-block.tsx';
import styles from './campaigns-page.module.css';
import { AttackPanel } from './campaigns-panel.tsx';
import { headlineOf, stateOf } from './campaigns-words.ts';

const BlockAttack = later<BlockAttackProps>(async () => (await import('./campaigns-block.tsx')).BlockAttack);

const MAX_ROWS = '100';

export function CampaignsPage() {
  const { page } = useScope();
  const [, navigate] = useLocation();
  const { campaign: open } = useParams();
  const [blocking, setBlocking] = useState<string>();
  const [said, setSaid] = useState('');
  const [search] = useSearchParams();
  const since = search.get('since') ?? undefined;
  const setQuery = useSetQuery();
  return (
    <>
      <PageHeader title="Waves">
        Many signups by one person or program. The next members are challenged, or blocked once a wave is
        sure. The lists count members as they arrive; the card of a wave counts all of them, so its numbers
        can be a little higher.
      </PageHeader>
      {said !== '' && <p role="status">{said}</p>}
      {since !== undefined && (
        <div className={styles.actions}>
          <SinceChip
            name="With members since"
            since={since}
            onRemove={() => setQuery({ since: undefined })}
          />
        </div>
      )}
      <Waves state="open" since={since} open={open} onBlock={setBlocking} />
      <Waves state="ended" since={since} open={open} onBlock={setBlocking} />
      {open !== undefined && <AttackPanel id={open} onClose={() => navigate(page('campaigns', { since }))} />}
      {blocking !== undefined && (
        <BlockOne
          id={blocking}
          onDone={(text) => {
            setSaid(text);
            setBlocking(undefined);
          }}
          onClose={() => setBlocking(undefined)}
        />
      )}
    </>
  );
}

/** Today counts the waves that had a member since then, without those that were no attack. */
function isSince({ last_at, decision }: CampaignRow, since: string | undefined): boolean {
  return since === undefined || (decision !== 'dismissed' && wasSince(last_at, since));
}

interface WavesProps {
  readonly state: CampaignRow['state'];
  /** RFC 3339 */
  readonly since: string | undefined;
  /** The wave whose panel is open. */
  readonly open: string | undefined;
  onBlock(id: string): void;
}

const TEXTS = {
  open: { title: 'Open', label: 'Open waves', empty: 'No wave is open' },
  ended: { title: 'Past', label: 'Past waves', empty: 'No wave has ended' },
} as const;

function Waves({ state, since, open, onBlock }: WavesProps) {
  const { api, page, canList } = useScope();
  const { title, label, empty } = TEXTS[state];
  const found = useGet<CampaignPageAnswer>(withQuery(api('campaigns'), { state, limit: MAX_ROWS }));
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <Card flush>
        <DataTable
          label={label}
          columns={canList ? [...COLUMNS, blockColumn(onBlock)] : COLUMNS}
          rows={found.data?.data.filter((row) => isSince(row, since))}
          error={found.error}
          onRetry={() => void found.refetch()}
          rowKey={({ id }) => id}
          href={({ id }) => page(`campaigns/${id}`, { since })}
          selected={open}
          quiet={open !== undefined || state === 'ended'}
          skeletons={3}
          empty={
            <EmptyState title={since === undefined ? empty : `${empty} that had members since then`}>
              {state === 'open' &&
                since === undefined &&
                'Gatehouse looks for signups that have more in common than your people usually have. Waves that it finds are listed here.'}
            </EmptyState>
          }
        />
      </Card>
      {found.data?.next != null && <p className="gh-faint">Only the newest {MAX_ROWS} are shown.</p>}
    </section>
  );
}

/** The sheet that ends a wave of the list. */
function BlockOne({ id, ...rest }: Omit<BlockAttackProps, 'card'> & { readonly id: string }) {
  const { api } = useScope();
  const { data } = useGet<AttackCard>(api(`attacks/${id}`));
  return data === undefined ? null : <BlockAttack card={data} {...rest} />;
}

function blockColumn(onBlock: (id: string) => void): Column<CampaignRow> {
  return {
    id: 'block',
    head: <span className="gh-hidden">Block</span>,
    width: 108,
    align: 'right',
    cell: ({ id }) => (
      <Button size="compact-xs" variant="default" onClick={() => onBlock(id)}>
        Block…
      </Button>
    ),
  };
}

const COLUMNS: readonly Column<CampaignRow>[] = [
  {
    id: 'summary',
    head: 'Wave',
    wrap: 'always',
    cell: (row) => <span title={row.summary}>{headlineOf(row)}</span>,
  },
  {
    id: 'state',
    head: 'State',
    width: 140,
    from: 'sm',
    cell: (row) => <span className="gh-dim">{stateOf(row)}</span>,
  },
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
