/** The destinations of an account: how each does, and what can be done with it. */
import { useState } from 'react';
import type { DestinationRow, DestinationsPage } from '../../../src/contract/dashboard-destinations.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import type { FetchedRows } from '../ui/data-table.tsx';
import { actionsColumn, type Column, DataTable } from '../ui/data-table.tsx';
import { grouped } from '../ui/format.ts';
import { later } from '../ui/later.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { type DestinationAction, DestinationMenu } from './notifications-menu.tsx';
import styles from './notifications-page.module.css';
import { contentOf, KINDS, stateOf } from './notifications-words.ts';

const EditDestination = later(async () => (await import('./notifications-form.tsx')).EditDestination);
const RotateDestination = later(async () => (await import('./notifications-rotate.tsx')).RotateDestination);
const TestDestination = later(async () => (await import('./notifications-test.tsx')).TestDestination);

export interface DestinationsTableProps extends Omit<FetchedRows<DestinationRow>, 'rows'> {
  readonly page: DestinationsPage | undefined;
  readonly selected: string | undefined;
}

export function DestinationsTable({ page: found, selected, ...props }: DestinationsTableProps) {
  const { page } = useScope();
  const [chosen, setChosen] = useState<{ id: string; action: DestinationAction }>();
  const close = () => setChosen(undefined);
  const actions = actionsColumn<DestinationRow>(56, (destination) => (
    <DestinationMenu
      destination={destination}
      onChoose={(action) => setChosen({ id: destination.id, action })}
    />
  ));
  const destination = found?.destinations.find(({ id }) => id === chosen?.id);
  const dialog = { destination: destination as DestinationRow, onClose: close };
  return (
    <>
      <DataTable
        {...props}
        label="Destinations"
        rows={found?.destinations}
        columns={[...COLUMNS, actions]}
        rowKey={({ id }) => id}
        href={({ id }) => page(`notifications/${id}`)}
        selected={selected}
        quiet={selected !== undefined}
        skeletons={2}
      />
      {destination !== undefined && (
        <>
          {chosen?.action === 'edit' && (
            <EditDestination {...dialog} recipients={found?.recipients ?? null} />
          )}
          {chosen?.action === 'rotate' && <RotateDestination {...dialog} />}
          {chosen?.action === 'test' && <TestDestination {...dialog} />}
          {chosen?.action === 'remove' && <RemoveDestination {...dialog} />}
        </>
      )}
    </>
  );
}

const COLUMNS: readonly Column<DestinationRow>[] = [
  {
    id: 'name',
    head: 'Destination',
    wrap: 'always',
    cell: ({ name, kind, address }) => (
      <span className={styles.name}>
        <span>{name}</span>
        <span className={styles.address}>
          {KINDS[kind]} · {address}
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    head: 'State',
    width: 84,
    cell: (row) => {
      const { word, tone, why } = stateOf(row);
      return (
        <span className={styles.state} data-tone={tone} title={why}>
          {word}
        </span>
      );
    },
  },
  { id: 'content', head: 'Gets', width: 200, from: 'lg', cell: contentOf },
  {
    id: 'delivered',
    head: 'Last delivery',
    width: 130,
    from: 'sm',
    cell: ({ delivered_at }) => <RelativeTime at={delivered_at} />,
  },
  {
    id: 'waiting',
    head: 'Waiting',
    width: 80,
    align: 'right',
    from: 'md',
    cell: ({ waiting }) => grouped(waiting),
  },
  {
    id: 'failed',
    head: 'Given up',
    width: 84,
    align: 'right',
    from: 'md',
    cell: ({ failed }) => <span data-tone={failed > 0 ? 'bad' : undefined}>{grouped(failed)}</span>,
  },
];

function RemoveDestination({ destination, onClose }: { destination: DestinationRow; onClose: () => void }) {
  const { api } = useScope();
  const { id, name, kind, waiting, version } = destination;
  const remove = useSend('DELETE', api(`destinations/${id}`), { refreshes: [api('destinations')], version });
  return (
    <ChangeDialog
      change={remove}
      body={undefined}
      title={`Remove “${name}”?`}
      verb="Remove destination"
      danger
      onClose={onClose}
    >
      <p>
        Nothing more is sent to it, and its log of deliveries is removed
        {waiting > 0 && `, with ${grouped(waiting)} that still wait`}.
        {kind === 'webhook' && ' A new webhook gets another secret.'}
      </p>
      <p>This cannot be undone. To be told nothing for a while, pause it instead.</p>
    </ChangeDialog>
  );
}
