/** The audit log: who changed what of the account, newest first. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AuditRow } from '../../../src/contract/dashboard-account.ts';
import { usePages } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { actionWords } from './audit-action-words.ts';
import { AuditFilter, useAuditFilter } from './audit-filter.tsx';
import styles from './audit-page.module.css';

interface Page {
  readonly rows: readonly AuditRow[];
  readonly cursor: string | null;
}

const COLUMNS: readonly Column<AuditRow>[] = [
  {
    id: 'action',
    head: 'What',
    // On a phone a third of the window, so that the target keeps its room.
    width: 'min(200px, 30vw)',
    wrap: true,
    cell: ({ action }) => <span title={actionWords(action)}>{actionWords(action)}</span>,
  },
  {
    id: 'target',
    head: 'Target',
    wrap: true,
    cell: ({ target, detail, by }) => (
      <>
        <span title={target}>{target}</span>
        {detail !== '' && <span className={styles.detail}>{detail}</span>}
        <span className={styles.by}>by {by}</span>
      </>
    ),
  },
  {
    id: 'detail',
    head: 'Detail',
    from: 'md',
    cell: ({ detail }) => (
      <span className="gh-dim" title={detail}>
        {detail}
      </span>
    ),
  },
  { id: 'by', head: 'Person', from: 'sm', width: '22%', cell: ({ by }) => <Person by={by} /> },
  { id: 'at', head: 'When', width: 112, align: 'right', cell: ({ at }) => <RelativeTime at={at} /> },
];

/** Unverified facts about a person are in brackets behind the address; here they get their own line. */
function Person({ by }: { by: string }) {
  const [, name, unverified] = /^(\S+) \((not verified.*)\)$/.exec(by) ?? [by, by];
  return (
    <span title={by}>
      {name}
      {unverified !== undefined && <span className={styles.unverified}>{unverified}</span>}
    </span>
  );
}

export function AuditPage() {
  const { account, api, canManage } = useScope();
  if (!canManage)
    return (
      <>
        <PageHeader title="Audit log" />
        <EmptyState title="Only owners see the audit log">Ask an owner of {account.name}.</EmptyState>
      </>
    );
  return (
    <>
      <PageHeader title="Audit log">
        Everything that people and the command line changed in {account.name}, and every export. Entries
        cannot be removed.
      </PageHeader>
      <AuditLog path={api('audit')}>
        New keys, thresholds, list entries, invites and exports appear here, with who did it and when.
      </AuditLog>
    </>
  );
}

/** `children`: the text of an empty log. */
export function AuditLog({ path, children }: { path: string; children: ReactNode }) {
  const filter = useAuditFilter();
  const log = usePages<Page>(path, { ...filter.query });
  const rows = log.data?.pages
    .flatMap((page) => page.rows)
    .map((row, index) => ({ ...row, key: `${row.at} ${index}` }));
  return (
    <>
      <AuditFilter />
      <Card flush>
        <DataTable<AuditRow & { key: string }>
          label="Audit log"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ key }) => key}
          error={log.error}
          onRetry={() => void log.refetch()}
          empty={
            filter.isUsed ? (
              <NothingFound isPart={log.hasNextPage} onClear={filter.clear} />
            ) : (
              <EmptyState title="No changes yet">{children}</EmptyState>
            )
          }
        />
      </Card>
      {log.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </>
  );
}

function NothingFound({ isPart, onClear }: { isPart: boolean; onClear(): void }) {
  return (
    <EmptyState
      title={isPart ? 'None of the newest entries matches' : 'No entry matches'}
      action={
        <Button variant="default" onClick={onClear}>
          Show all entries
        </Button>
      }
    />
  );
}
