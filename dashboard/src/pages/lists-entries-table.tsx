/** The entries of one list, each with its reason and, for owners, a remove button. */
import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { actionsColumn, type Column, DataTable, type FetchedRows } from '../ui/data-table.tsx';
import { DomainText } from '../ui/domain-text.tsx';
import { pluralize } from '../ui/format.ts';
import { Hint } from '../ui/hint.tsx';
import { IconHistory, IconTrash } from '../ui/icons.ts';
import { NumberText } from '../ui/number-text.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useNow } from '../ui/use-now.ts';
import { useTimes } from '../ui/use-times.ts';
import { ACTIONS, KIND_WORDS } from './listing-kinds.ts';
import { EntryHistory } from './lists-entry-history.tsx';
import styles from './lists-page.module.css';

export function EntriesTable(props: FetchedRows<ListEntryRow> & { readonly label: string }) {
  const { canManage } = useScope();
  const [removing, setRemoving] = useState<ListEntryRow>();
  const [shown, setShown] = useState<ListEntryRow>();
  const actions = actionsColumn<ListEntryRow>(92, (entry) => (
    <span className={styles.actions}>
      <Hint label="History">
        <ActionIcon variant="subtle" aria-label={`History of ${entry.value}`} onClick={() => setShown(entry)}>
          <IconHistory size={16} />
        </ActionIcon>
      </Hint>
      <Hint label="Remove entry">
        <ActionIcon
          variant="subtle"
          aria-label={`Remove ${entry.value} from the list`}
          onClick={() => setRemoving(entry)}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Hint>
    </span>
  ));
  return (
    <>
      <DataTable
        {...props}
        columns={canManage ? [...COLUMNS, actions] : COLUMNS}
        rowKey={({ id }) => id}
        skeletons={4}
      />
      {shown !== undefined && <EntryHistory entry={shown} onClose={() => setShown(undefined)} />}
      {removing !== undefined && <RemoveEntry entry={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<ListEntryRow>[] = [
  {
    id: 'value',
    head: 'Value',
    cell: ({ value }) => (
      <span className="gh-mono" title={value}>
        <DomainText text={value} />
      </span>
    ),
  },
  {
    id: 'kind',
    head: 'Kind',
    width: 124,
    from: 'lg',
    cell: ({ kind }) => <span className="gh-dim">{KIND_WORDS[kind]}</span>,
  },
  {
    id: 'reason',
    head: 'Reason',
    width: '22%',
    from: 'sm',
    cell: ({ reason }) =>
      reason === '' ? <span className="gh-faint">none</span> : <span title={reason}>{reason}</span>,
  },
  {
    id: 'added',
    head: 'Added',
    width: 128,
    from: 'lg',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    id: 'author',
    head: 'By',
    width: 170,
    from: 'xl',
    cell: ({ author }) => (
      <span className="gh-dim" title={author}>
        {author}
      </span>
    ),
  },
  {
    id: 'expires',
    head: 'Expires',
    width: 'clamp(84px, 10vw, 128px)',
    cell: (entry) => <Expiry at={entry.expires_at} />,
  },
  {
    id: 'hits',
    head: 'Hits',
    width: 84,
    align: 'right',
    from: 'sm',
    cell: ({ hits }) => <NumberText value={hits} />,
  },
];

function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  const times = useTimes();
  if (at === null || Date.parse(at) > now) return <RelativeTime at={at} />;
  return (
    <Hint label={`${times.exact(at)} (${times.zone})`}>
      <span className="gh-faint">expired</span>
    </Hint>
  );
}

/** Names the consequences first. */
function RemoveEntry({ entry, onClose }: { entry: ListEntryRow; onClose: () => void }) {
  const { api } = useScope();
  const remove = useSend('DELETE', api(`lists/${entry.id}`), { refreshes: [api('lists')] });
  return (
    <ChangeDialog
      change={remove}
      body={undefined}
      title={`Remove ${entry.value} from the ${ACTIONS[entry.action].list}?`}
      verb="Remove entry"
      danger
      onClose={onClose}
    >
      <p>
        From now on such signups are no longer {ACTIONS[entry.action].did} by this entry: their score decides.
      </p>
      <p>It decided {pluralize(entry.hits, 'signup')}. Past decisions do not change.</p>
    </ChangeDialog>
  );
}
