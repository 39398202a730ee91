/** The connected providers: what accounts can be held at, and what owners can do with each connection. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type {
  ConnectionCheck,
  ConnectionRow,
  ConnectionsPage,
} from '../../../src/contract/dashboard-take-back.ts';
import { useGet, useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { actionsColumn, type Column, DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconPencil, IconPlus, IconSend, IconTrash } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { NoteDialog } from '../ui/note-dialog.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { PROVIDERS } from './takeback-words.ts';
import styles from './takebacks-page.module.css';

const CreateConnection = later(
  async () => (await import('./takebacks-connection-form.tsx')).CreateConnection,
);
const EditConnection = later(async () => (await import('./takebacks-connection-form.tsx')).EditConnection);

type Action = 'edit' | 'try' | 'remove';

export function Connections() {
  const { api, canManage } = useScope();
  const found = useGet<ConnectionsPage>(api('connections'));
  const [creating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ readonly id: string; readonly action: Action }>();
  const close = () => setChosen(undefined);
  const connection = found.data?.connections.find(({ id }) => id === chosen?.id);
  const add = (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={16} />}
      onClick={() => setCreating(true)}
    >
      Connect a provider
    </Button>
  );
  const actions = actionsColumn<ConnectionRow>(56, ({ id, name }) => (
    <ConnectionMenu name={name} onChoose={(action) => setChosen({ id, action })} />
  ));
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h2>Providers</h2>
        {canManage && add}
      </div>
      <Card flush>
        <DataTable
          label="Providers"
          columns={canManage ? [...COLUMNS, actions] : COLUMNS}
          rows={found.data?.connections}
          error={found.error}
          onRetry={() => void found.refetch()}
          rowKey={({ id }) => id}
          skeletons={1}
          empty={
            <EmptyState title="No provider is connected">
              {canManage
                ? 'Connect the admin API of better-auth, Ory Kratos, Supabase, Auth0 or Keycloak. Until then, accounts are only listed.'
                : 'An owner connects the one that keeps your accounts. Until then, accounts are only listed.'}
            </EmptyState>
          }
        />
      </Card>
      {creating && <CreateConnection onClose={() => setCreating(false)} />}
      {connection !== undefined && chosen?.action === 'edit' && (
        <EditConnection connection={connection} onClose={close} />
      )}
      {connection !== undefined && chosen?.action === 'try' && (
        <TryConnection connection={connection} onClose={close} />
      )}
      {connection !== undefined && chosen?.action === 'remove' && (
        <RemoveConnection connection={connection} onClose={close} />
      )}
    </section>
  );
}

function ConnectionMenu({ name, onChoose }: { readonly name: string; onChoose: (action: Action) => void }) {
  return (
    <RowMenu
      subject={`provider ${name}`}
      width={180}
      entries={[
        { words: 'Try it', icon: IconSend, onChoose: () => onChoose('try') },
        { words: 'Edit…', icon: IconPencil, onChoose: () => onChoose('edit') },
        { words: 'Remove…', icon: IconTrash, danger: true, apart: true, onChoose: () => onChoose('remove') },
      ]}
    />
  );
}

const COLUMNS: readonly Column<ConnectionRow>[] = [
  {
    id: 'name',
    head: 'Provider',
    wrap: true,
    cell: ({ name, kind, url }) => (
      <span className={styles.name}>
        <span>{name}</span>
        <span className={styles.url}>
          {PROVIDERS[kind]} · {url}
        </span>
      </span>
    ),
  },
  { id: 'pace', head: 'At most', width: 110, from: 'sm', cell: ({ per_second }) => `${per_second} a second` },
];

interface DialogProps {
  readonly connection: ConnectionRow;
  onClose(): void;
}

function TryConnection({ connection: { id, name }, onClose }: DialogProps) {
  const { api } = useScope();
  const { mutate, data, error } = useSend<ConnectionCheck>('POST', api(`connections/${id}/check`));
  const begun = useRef(false);
  useEffect(() => {
    if (!begun.current) mutate();
    begun.current = true;
  }, [mutate]);
  return (
    <NoteDialog title={`Try “${name}”`} onClose={onClose}>
      <div role="status">
        {data === undefined && error === null && <p>Asking {name}…</p>}
        {data?.problem === null && <p>It works: {name} accepts the secret. Nobody was held.</p>}
        {data !== undefined && data.problem !== null && <p>It does not work: {data.problem}</p>}
      </div>
      <ProblemNote error={error} />
    </NoteDialog>
  );
}

function RemoveConnection({ connection: { id, name, version }, onClose }: DialogProps) {
  const { api } = useScope();
  const remove = useSend('DELETE', api(`connections/${id}`), {
    refreshes: [api('connections'), api('takeback')],
    version,
  });
  return (
    <ChangeDialog
      change={remove}
      body={undefined}
      title={`Remove “${name}”?`}
      verb="Remove provider"
      danger
      onClose={onClose}
    >
      <p>
        Accounts that were held there stay held, and cannot be released from here any more. Its secret is
        removed.
      </p>
    </ChangeDialog>
  );
}
