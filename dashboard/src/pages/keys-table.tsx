/** The keys of one mode, each with its actions. */
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import type { ShadowReadiness, ShadowReport } from '../../../src/contract/dashboard-shadow.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useGet, useSend, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { actionsColumn, type Column, DataTable, type FetchedRows } from '../ui/data-table.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Hint } from '../ui/hint.tsx';
import {
  IconAdjustmentsHorizontal,
  IconEye,
  IconPencil,
  IconRefresh,
  IconShieldLock,
  IconTrash,
} from '../ui/icons.ts';
import { LAST_USED_COLUMN } from '../ui/last-used-column.tsx';
import { later } from '../ui/later.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RevokeDialog } from '../ui/revoke-dialog.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { useForm } from '../ui/use-form.ts';
import { useNow } from '../ui/use-now.ts';
import { ReadinessState } from './key-readiness-state.tsx';
import { ShadowDialog } from './key-shadow-dialog.tsx';
import { useKeyCounts } from './keys-counts.tsx';
import styles from './keys-page.module.css';
import { expiryState } from './keys-states.ts';

const EditAccess = later(async () => (await import('./keys-access.tsx')).EditAccess);
const EditThresholds = later(async () => (await import('./keys-thresholds.tsx')).EditThresholds);
const RotateKey = later(async () => (await import('./keys-rotate.tsx')).RotateKey);

type Action = 'rotate' | 'rename' | 'thresholds' | 'access' | 'shadow' | 'revoke';

export function KeysTable(props: FetchedRows<KeyRow> & { readonly label: string; readonly mode: KeyMode }) {
  const [chosen, setChosen] = useState<{ key: KeyRow; action: Action }>();
  const close = () => setChosen(undefined);
  const apiKey = props.rows?.find(({ id }) => id === chosen?.key.id) ?? chosen?.key;
  const actions = actionsColumn<KeyRow>(
    64,
    (key) =>
      key.revoked_at === null && <Actions apiKey={key} onChoose={(action) => setChosen({ key, action })} />,
  );
  const counts = useKeyCounts(props.mode, props.rows);
  const readinessOf = useReadiness(props.rows);
  const name: Column<KeyRow> = {
    id: 'name',
    head: 'Name',
    wrap: true,
    cell: (key) => <NameCell apiKey={key} readiness={readinessOf(key)} counts={counts.line(key)} />,
  };
  const columns: readonly Column<KeyRow>[] = [name, ...COLUMNS, ...counts.columns, LAST_USED_COLUMN, actions];
  return (
    <>
      <DataTable {...props} columns={columns} rowKey={({ id }) => id} skeletons={2} />
      {apiKey && chosen?.action === 'rotate' && <RotateKey apiKey={apiKey} onClose={close} />}
      {apiKey && chosen?.action === 'access' && <EditAccess apiKey={apiKey} onClose={close} />}
      {apiKey && chosen?.action === 'rename' && <RenameKey apiKey={apiKey} onClose={close} />}
      {apiKey && chosen?.action === 'thresholds' && <EditThresholds apiKey={apiKey} onClose={close} />}
      {apiKey && chosen?.action === 'shadow' && <ShadowDialog apiKey={apiKey} onClose={close} />}
      {apiKey && chosen?.action === 'revoke' && <RevokeKey apiKey={apiKey} onClose={close} />}
    </>
  );
}

const COLUMNS: readonly Column<KeyRow>[] = [
  {
    id: 'prefix',
    head: 'Begins with',
    width: 140,
    from: 'md',
    cell: ({ prefix }) => <span className="gh-mono gh-dim">{prefix}…</span>,
  },
  {
    id: 'thresholds',
    head: 'Thresholds',
    width: 190,
    from: 'lg',
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
    from: 'xl',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

/** Reads the readiness of the keys in shadow mode, if there are some. */
function useReadiness(rows: readonly KeyRow[] | undefined) {
  const { api, period } = useScope();
  const isAsked = rows?.some(({ shadow, mode }) => shadow && mode === 'live') === true;
  const { data } = useGet<ShadowReport>(isAsked ? withQuery(api('shadow'), { period }) : null);
  return ({ id }: KeyRow) => data?.keys.find((key) => key.id === id)?.readiness ?? null;
}

interface NameCellProps {
  readonly apiKey: KeyRow;
  readonly readiness: ShadowReadiness | null;
  readonly counts: ReactNode;
}

function NameCell({ apiKey, readiness, counts }: NameCellProps) {
  const { name, shadow, revoked_at, allowed_ranges } = apiKey;
  const isValid = revoked_at === null;
  return (
    <>
      <span className={styles.name}>
        <span className={isValid ? undefined : styles.revoked}>{name}</span>
        {shadow && isValid && <ShadowMark share={apiKey.enforced_share} />}
        {readiness !== null && <ReadinessState keyId={apiKey.id} readiness={readiness} />}
        {isValid && <ExpiryMark apiKey={apiKey} />}
        {allowed_ranges !== null && isValid && (
          <Hint label={`Works only from ${allowed_ranges.join(', ')}`}>
            <span className={styles.ranges}>
              <IconShieldLock size={15} aria-hidden />
              <span className="gh-hidden">, works only from {allowed_ranges.join(', ')}</span>
            </span>
          </Hint>
        )}
      </span>
      <span className={styles.counts}>{counts}</span>
    </>
  );
}

function ExpiryMark({ apiKey }: { apiKey: KeyRow }) {
  const state = expiryState(apiKey, useNow());
  if (state === undefined) return null;
  return (
    <span className={styles.expiry} data-state={state}>
      <span className="gh-hidden">, </span>
      {state === 'over' ? 'expired' : 'expires'} <RelativeTime at={apiKey.expires_at} />
    </span>
  );
}

function ShadowMark({ share }: { share: number }) {
  const words =
    share === 0
      ? 'Shadow mode: every answer is Allow'
      : `Shadow mode: ${share}% of people get the verdict, all others Allow`;
  return (
    <Hint label={words}>
      <span className={styles.shadow}>
        <IconEye size={14} aria-hidden />
        <span className="gh-hidden">, in </span>shadow<span className="gh-hidden"> mode</span>
        {share > 0 && ` ${100 - share}%`}
      </span>
    </Hint>
  );
}

function Actions({ apiKey, onChoose }: { apiKey: KeyRow; onChoose: (action: Action) => void }) {
  const { name, shadow, enforced_share: share } = apiKey;
  return (
    <RowMenu
      subject={`key ${name}`}
      width={200}
      entries={[
        { words: 'Rotate…', icon: IconRefresh, onChoose: () => onChoose('rotate') },
        { words: 'Rename…', icon: IconPencil, onChoose: () => onChoose('rename') },
        { words: 'Thresholds…', icon: IconAdjustmentsHorizontal, onChoose: () => onChoose('thresholds') },
        { words: 'Expiry and callers…', icon: IconShieldLock, onChoose: () => onChoose('access') },
        {
          words: shadow ? (share === 0 ? 'Enforce…' : 'Enforce for more…') : 'Start shadow mode…',
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
