/** The entries of one list, each with its reason and, for owners, a menu: its history, removal, and erasing the history. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { actionsColumn, type Column, DataTable, type FetchedRows } from '../ui/data-table.tsx';
import { DomainText } from '../ui/domain-text.tsx';
import { grouped, pluralize } from '../ui/format.ts';
import { Hint } from '../ui/hint.tsx';
import { IconHistory, IconTrash, IconX } from '../ui/icons.ts';
import { personName } from '../ui/person-name.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { useNow } from '../ui/use-now.ts';
import { useTimes } from '../ui/use-times.ts';
import { ACTIONS, KIND_WORDS } from './listing-kinds.ts';
import { EntryHistory } from './lists-entry-history.tsx';
import { EraseEntryHistory } from './lists-erase-history.tsx';

type Action = 'history' | 'remove' | 'erase';

const ERASE = { words: 'Erase history…', icon: IconX, danger: true, apart: true };

export function EntriesTable(props: FetchedRows<ListEntryRow> & { readonly label: string }) {
  const { canList } = useScope();
  const [chosen, setChosen] = useState<{ entry: ListEntryRow; action: Action }>();
  const close = () => setChosen(undefined);
  const actions = actionsColumn<ListEntryRow>(64, (entry) => (
    <Actions entry={entry} onChoose={(action) => setChosen({ entry, action })} />
  ));
  return (
    <>
      <DataTable
        {...props}
        columns={canList ? [...COLUMNS, actions] : COLUMNS}
        rowKey={({ id }) => id}
        skeletons={4}
      />
      {chosen?.action === 'history' && <EntryHistory entry={chosen.entry} onClose={close} />}
      {chosen?.action === 'remove' && (
        <RemoveEntry
          entry={props.rows?.find(({ id }) => id === chosen.entry.id) ?? chosen.entry}
          onClose={close}
        />
      )}
      {chosen?.action === 'erase' && <EraseEntryHistory entry={chosen.entry} onClose={close} />}
    </>
  );
}

function Actions({ entry, onChoose }: { entry: ListEntryRow; onChoose: (action: Action) => void }) {
  const { canManage } = useScope();
  return (
    <RowMenu
      subject={entry.value}
      width={200}
      entries={[
        { words: 'History', icon: IconHistory, onChoose: () => onChoose('history') },
        { words: 'Remove entry…', icon: IconTrash, danger: true, onChoose: () => onChoose('remove') },
        ...(canManage ? [{ ...ERASE, onChoose: () => onChoose('erase') }] : []),
      ]}
    />
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
        {personName(author)}
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
    head: 'Signups',
    width: 84,
    align: 'right',
    cell: (entry) => <Hits entry={entry} />,
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

/** The signups that it decided. The sandbox knows no lists. */
function Hits({ entry: { id, value, hits } }: { entry: ListEntryRow }) {
  const { page } = useScope();
  if (hits === 0) return <span className="gh-faint">0</span>;
  return (
    <Link href={page('assessments', { list_entry: id, mode: undefined, period: undefined })}>
      {grouped(hits)}
      <span className="gh-hidden"> signups of the entry {value}</span>
    </Link>
  );
}

/** Names the consequences first. */
function RemoveEntry({ entry, onClose }: { entry: ListEntryRow; onClose: () => void }) {
  const { api } = useScope();
  const remove = useSend('DELETE', api(`lists/${entry.id}`), {
    refreshes: [api('lists')],
    version: entry.version,
  });
  return (
    <ChangeDialog
      change={remove}
      body={undefined}
      title={`Remove ${entry.value} from the ${ACTIONS[entry.action].list}?`}
      verb="Remove entry"
      danger
      onClose={onClose}
    >
      {entry.action === 'office' ? (
        <p>From now on, bursts count against these people again.</p>
      ) : (
        <p>
          From now on such signups are no longer {ACTIONS[entry.action].did} by this entry: their score
          decides.
        </p>
      )}
      <p>
        {entry.hits === 0
          ? `No signup ${entry.action === 'office' ? 'came from it' : 'was decided by it'} yet.`
          : entry.action === 'office'
            ? `${pluralize(entry.hits, 'signup')} came from it.`
            : `It decided ${pluralize(entry.hits, 'signup')}.`}{' '}
        Past decisions do not change.
      </p>
    </ChangeDialog>
  );
}
