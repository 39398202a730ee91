/** The keys of one mode, each with its actions. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { actionsColumn, type Column, DataTable, type FetchedRows } from '../ui/data-table.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Hint } from '../ui/hint.tsx';
import { IconAdjustmentsHorizontal, IconEye, IconPencil, IconTrash } from '../ui/icons.ts';
import { LAST_USED_COLUMN } from '../ui/last-used-column.tsx';
import { later } from '../ui/later.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RevokeDialog } from '../ui/revoke-dialog.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { useForm } from '../ui/use-form.ts';
import { ShadowDialog } from './key-shadow-dialog.tsx';
import styles from './keys-page.module.css';

const EditThresholds = later(async () => (await import('./keys-thresholds.tsx')).EditThresholds);

type Action = 'rename' | 'thresholds' | 'shadow' | 'revoke';

export function KeysTable(props: FetchedRows<KeyRow> & { readonly label: string }) {
  const [chosen, setChosen] = useState<{ key: KeyRow; action: Action }>();
  const close = () => setChosen(undefined);
  const apiKey = props.rows?.find(({ id }) => id === chosen?.key.id) ?? chosen?.key;
  const actions = actionsColumn<KeyRow>(
    64,
    (key) =>
      key.revoked_at === null && <Actions apiKey={key} onChoose={(action) => setChosen({ key, action })} />,
  );
  return (
    <>
      <DataTable {...props} columns={[...COLUMNS, actions]} rowKey={({ id }) => id} skeletons={2} />
      {apiKey && chosen?.action === 'rename' && <RenameKey apiKey={apiKey} onClose={close} />}
      {apiKey && chosen?.action === 'thresholds' && <EditThresholds apiKey={apiKey} onClose={close} />}
      {apiKey && chosen?.action === 'shadow' && <ShadowDialog apiKey={apiKey} onClose={close} />}
      {apiKey && chosen?.action === 'revoke' && <RevokeKey apiKey={apiKey} onClose={close} />}
    </>
  );
}

const COLUMNS: readonly Column<KeyRow>[] = [
  {
    id: 'name',
    head: 'Name',
    wrap: true,
    cell: ({ name, shadow, revoked_at }) => (
      <span className={styles.name}>
        <span className={revoked_at === null ? undefined : styles.revoked}>{name}</span>
        {shadow && revoked_at === null && <ShadowMark />}
      </span>
    ),
  },
  {
    id: 'prefix',
    head: 'Begins with',
    width: 140,
    from: 'sm',
    cell: ({ prefix }) => <span className="gh-mono gh-dim">{prefix}…</span>,
  },
  {
    id: 'thresholds',
    head: 'Thresholds',
    width: 200,
    from: 'md',
    cell: ({ thresholds }) =>
      thresholds === null ? (
        <span className="gh-faint">the account's</span>
      ) : (
        `challenge ${thresholds.challenge}, block ${thresholds.block}`
      ),
  },
  {
    id: 'created',
    head: 'Created',
    width: 130,
    from: 'lg',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  LAST_USED_COLUMN,
];

function ShadowMark() {
  return (
    <Hint label="Shadow mode: every answer is Allow">
      <span className={styles.shadow}>
        <IconEye size={14} aria-hidden />
        <span className="gh-hidden">, in </span>shadow<span className="gh-hidden"> mode</span>
      </span>
    </Hint>
  );
}

function Actions({ apiKey, onChoose }: { apiKey: KeyRow; onChoose: (action: Action) => void }) {
  const { name, shadow } = apiKey;
  return (
    <RowMenu
      subject={`key ${name}`}
      width={200}
      entries={[
        { words: 'Rename…', icon: IconPencil, onChoose: () => onChoose('rename') },
        { words: 'Thresholds…', icon: IconAdjustmentsHorizontal, onChoose: () => onChoose('thresholds') },
        {
          words: shadow ? 'Enforce…' : 'Start shadow mode…',
          icon: IconEye,
          onChoose: () => onChoose('shadow'),
        },
        {
          words: 'Revoke key…',
          icon: IconTrash,
          danger: true,
          apart: true,
          onChoose: () => onChoose('revoke'),
        },
      ]}
    />
  );
}

function RenameKey({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const change = useSend<unknown, { name: string }>('PATCH', api(`keys/${apiKey.id}`), {
    refreshes: [api('keys'), api('policy')],
    version: apiKey.version,
  });
  const form = useForm({
    values: { name: apiKey.name },
    change,
    body: ({ name }) => ({ name: name.trim() }),
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog form={form} title="Rename key" verb="Rename key">
      <TextInput label="Name" required maxLength={100} data-autofocus {...form.text('name')} />
    </FormDialog>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const revoke = useSend('POST', api(`keys/${apiKey.id}/revoke`), {
    refreshes: [api('keys'), api('policy')],
    version: apiKey.version,
  });
  return (
    <RevokeDialog
      revoke={revoke}
      noun="key"
      name={apiKey.name}
      lastUsedAt={apiKey.last_used_at}
      stays="Its past signups stay in the history."
      onClose={onClose}
    >
      <p>Requests with this key will be refused from now on. This cannot be undone.</p>
    </RevokeDialog>
  );
}
