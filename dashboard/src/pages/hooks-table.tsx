/** The hooks of an account, each with its actions. */
import { useState } from 'react';
import type { HookRow } from '../../../src/contract/dashboard-hooks.ts';
import type { HookAnswer } from '../../../src/model/hook.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { actionsColumn, type Column, DataTable, type FetchedRows } from '../ui/data-table.tsx';
import { IconRefresh, IconTrash } from '../ui/icons.ts';
import { LAST_USED_COLUMN } from '../ui/last-used-column.tsx';
import { later } from '../ui/later.tsx';
import { RevokeDialog } from '../ui/revoke-dialog.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { hookUrl } from './hooks-hand-over.tsx';
import styles from './hooks-page.module.css';
import { PROVIDERS } from './hooks-providers.ts';

const RotateHook = later(async () => (await import('./hooks-rotate.tsx')).RotateHook);

type Action = 'rotate' | 'revoke';

export function HooksTable(props: FetchedRows<HookRow>) {
  const [chosen, setChosen] = useState<{ hook: HookRow; action: Action }>();
  const close = () => setChosen(undefined);
  const actions = actionsColumn<HookRow>(
    64,
    (hook) =>
      hook.revoked_at === null && <Actions hook={hook} onChoose={(action) => setChosen({ hook, action })} />,
  );
  return (
    <>
      <DataTable
        {...props}
        label="Hooks"
        columns={[...COLUMNS, actions]}
        rowKey={({ id }) => id}
        skeletons={2}
      />
      {chosen?.action === 'rotate' && <RotateHook hook={chosen.hook} onClose={close} />}
      {chosen?.action === 'revoke' && <RevokeHook hook={chosen.hook} onClose={close} />}
    </>
  );
}

const ANSWERS = { allow: 'Allow', deny: 'Deny' };

/** A mail provider is answered nothing. */
function answerOf(provider: HookRow['provider'], answer: HookAnswer) {
  return PROVIDERS[provider].isMail === true ? <span className="gh-faint">–</span> : ANSWERS[answer];
}

const COLUMNS: readonly Column<HookRow>[] = [
  {
    id: 'name',
    head: 'Name',
    wrap: true,
    cell: ({ name, mode, has_secret, revoked_at }) => (
      <>
        <span className={revoked_at === null ? undefined : styles.revoked}>{name}</span>
        {mode === 'test' && <span className={styles.sandbox}>sandbox</span>}
        {!has_secret && revoked_at === null && <span className={styles.missing}>needs its secret</span>}
      </>
    ),
  },
  { id: 'provider', head: 'Provider', width: 150, cell: ({ provider }) => PROVIDERS[provider].title },
  {
    id: 'path',
    head: 'URL',
    width: 290,
    from: 'lg',
    cell: (hook) => <CopyText what="the URL" text={hookUrl(hook)} shown={hook.id} />,
  },
  {
    id: 'challenge',
    head: 'Challenge',
    width: 100,
    from: 'md',
    cell: ({ provider, challenge_as }) => answerOf(provider, challenge_as),
  },
  {
    id: 'error',
    head: 'No verdict',
    width: 100,
    from: 'md',
    cell: ({ provider, on_error }) => answerOf(provider, on_error),
  },
  { ...LAST_USED_COLUMN, from: 'sm' },
];

function Actions({ hook, onChoose }: { hook: HookRow; onChoose: (action: Action) => void }) {
  return (
    <RowMenu
      subject={`hook ${hook.name}`}
      width={200}
      entries={[
        {
          words: hook.has_secret ? 'Replace secret…' : 'Set secret…',
          icon: IconRefresh,
          onChoose: () => onChoose('rotate'),
        },
        {
          words: 'Revoke hook…',
          icon: IconTrash,
          danger: true,
          apart: true,
          onChoose: () => onChoose('revoke'),
        },
      ]}
    />
  );
}

function RevokeHook({ hook, onClose }: { hook: HookRow; onClose: () => void }) {
  const { api } = useScope();
  const revoke = useSend('POST', api(`hooks/${hook.id}/revoke`), {
    refreshes: [api('hooks')],
    version: hook.version,
  });
  return (
    <RevokeDialog
      revoke={revoke}
      noun="hook"
      name={hook.name}
      lastUsedAt={hook.last_used_at}
      stays="Its past signups stay in the history."
      onClose={onClose}
    >
      <p>
        Requests to this hook will be refused from now on, and most providers then refuse every signup. Remove
        the hook in {PROVIDERS[hook.provider].title} first. This cannot be undone.
      </p>
    </RevokeDialog>
  );
}
