/** The tokens of the management API, each with the button that revokes it. */
import { ActionIcon } from '@mantine/core';
import type { TokenRow } from '../../../src/contract/dashboard-tokens.ts';
import { actionsColumn, type Column, DataTable, type FetchedRows } from '../ui/data-table.tsx';
import { Hint } from '../ui/hint.tsx';
import { IconTrash } from '../ui/icons.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './tokens-page.module.css';

export function TokensTable({
  onRevoke,
  ...props
}: FetchedRows<TokenRow> & { onRevoke(token: TokenRow): void }) {
  const actions = actionsColumn<TokenRow>(
    56,
    (token) => token.state === 'active' && <Revoke token={token} onRevoke={onRevoke} />,
  );
  return (
    <DataTable
      {...props}
      label="Management tokens"
      columns={[...COLUMNS, actions]}
      rowKey={({ id }) => id}
      skeletons={2}
    />
  );
}

const COLUMNS: readonly Column<TokenRow>[] = [
  {
    id: 'name',
    head: 'Name',
    wrap: true,
    cell: ({ name, prefix, state, account }) => (
      <>
        <strong className={state === 'active' ? styles.name : styles.ended} title={`${name}, ${prefix}…`}>
          {name}
        </strong>
        {state !== 'active' && <span className={styles.state}>{state}</span>}
        <span className={styles.account}>{account?.name ?? 'all accounts'}</span>
      </>
    ),
  },
  {
    id: 'scopes',
    head: 'Scopes',
    width: 'min(340px, 40vw)',
    wrap: true,
    cell: ({ scopes }) => (
      <span className={`gh-mono ${styles.list}`} title={scopes.join(' ')}>
        {scopes.map((scope) => (
          <span key={scope}>{scope} </span>
        ))}
      </span>
    ),
  },
  {
    id: 'account',
    head: 'Account',
    width: 150,
    from: 'sm',
    cell: ({ account }) =>
      account === null ? 'all accounts' : <span title={account.name}>{account.name}</span>,
  },
  {
    id: 'by',
    head: 'Created by',
    width: 220,
    from: 'lg',
    cell: ({ created_by }) => (
      <span className="gh-dim" title={created_by}>
        {created_by}
      </span>
    ),
  },
  {
    id: 'used',
    head: 'Last used',
    width: 'clamp(84px, 10vw, 128px)',
    from: 'sm',
    cell: ({ last_used_at }) => <RelativeTime at={last_used_at} />,
  },
  {
    id: 'expires',
    head: 'Expires',
    width: 'clamp(84px, 10vw, 128px)',
    from: 'md',
    cell: ({ expires_at }) => <RelativeTime at={expires_at} />,
  },
];

function Revoke({ token, onRevoke }: { token: TokenRow; onRevoke(token: TokenRow): void }) {
  return (
    <Hint label="Revoke token">
      <ActionIcon variant="subtle" aria-label={`Revoke token ${token.name}`} onClick={() => onRevoke(token)}>
        <IconTrash size={16} />
      </ActionIcon>
    </Hint>
  );
}
