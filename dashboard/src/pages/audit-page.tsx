/** The audit log: who changed what of the account, newest first. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AuditLogRow } from '../../../src/contract/dashboard-account.ts';
import { apiUrl, usePages, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconDownload } from '../ui/icons.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { actionWords } from './audit-action-words.ts';
import { AuditFilter, useAuditFilter } from './audit-filter.tsx';
import styles from './audit-page.module.css';
import { UndoDialog, Undone, undoColumn } from './audit-undo.tsx';

interface Page {
  readonly rows: readonly AuditLogRow[];
  readonly cursor: string | null;
}

const COLUMNS: readonly Column<AuditLogRow>[] = [
  {
    id: 'action',
    head: 'What',
    width: 200,
    from: 'sm',
    wrap: true,
    cell: ({ action }) => <span title={actionWords(action)}>{actionWords(action)}</span>,
  },
  {
    id: 'target',
    head: 'Target',
    wrap: 'always',
    cell: (row) => (
      <>
        <strong className={styles.action}>{actionWords(row.action)}</strong>
        <span title={row.target}>{row.target}</span>
        {row.detail !== '' && <span className={styles.detail}>{row.detail}</span>}
        {personName(row.by) !== row.target && <span className={styles.by}>by {personName(row.by)}</span>}
        <Undone row={row} />
      </>
    ),
  },
  {
    id: 'detail',
    head: 'Detail',
    from: 'md',
    wrap: 'always',
    cell: ({ detail }) => (
      <span className="gh-dim" title={detail}>
        {detail}
      </span>
    ),
  },
  {
    id: 'by',
    head: 'Person',
    from: 'sm',
    width: '22%',
    cell: ({ by }) => <span title={by}>{personName(by)}</span>,
  },
  {
    id: 'at',
    head: 'When',
    width: 'clamp(84px, 10vw, 128px)',
    align: 'right',
    cell: ({ at }) => <RelativeTime at={at} />,
  },
];

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
        Everything that people and the command line changed in {account.name}, and every export. No entry can
        be removed. Erasing a person, or the history of a list entry, takes values and reasons out of entries;
        that is an entry, too.
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
  const rows = log.data?.pages.flatMap((page) => page.rows);
  const hasUndo = rows?.some(({ can_undo }) => can_undo) === true;
  const [taken, setTaken] = useState<AuditLogRow>();
  return (
    <>
      <AuditFilter />
      <div className={styles.export}>
        <Button
          component="a"
          href={apiUrl(withQuery(`${path}.csv`, { ...filter.query }))}
          download
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} />}
        >
          Export CSV
        </Button>
      </div>
      <Card flush>
        <DataTable<AuditLogRow>
          label="Audit log"
          columns={hasUndo ? [...COLUMNS, undoColumn(setTaken)] : COLUMNS}
          rows={rows}
          rowKey={({ id }) => String(id)}
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
      {taken !== undefined && <UndoDialog path={path} row={taken} onClose={() => setTaken(undefined)} />}
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
