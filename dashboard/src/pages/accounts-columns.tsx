/** The columns of the operator's table of accounts. */
import { ActionIcon, Button } from '@mantine/core';
import type { OperatorAccount } from '../../../src/contract/dashboard-installation.ts';
import { actionsColumn, type Column } from '../ui/data-table.tsx';
import { capitalized, grouped, percent, short } from '../ui/format.ts';
import { Hint } from '../ui/hint.tsx';
import { IconTrash } from '../ui/icons.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './accounts-page.module.css';

export function accountColumns(
  onEdit: (account: OperatorAccount) => void,
  onDelete: (account: OperatorAccount) => void,
): readonly Column<OperatorAccount>[] {
  return [
    {
      id: 'name',
      head: 'Name',
      wrap: true,
      cell: ({ name }) => (
        <strong className={styles.name} title={name}>
          {name}
        </strong>
      ),
    },
    { id: 'plan', head: 'Plan', width: 'clamp(64px, 10vw, 92px)', cell: ({ plan }) => capitalized(plan) },
    {
      id: 'used',
      head: 'Used this month',
      width: 208,
      from: 'sm',
      cell: (account) => <Used {...account} />,
    },
    {
      id: 'overage',
      head: 'Above the limit',
      width: 130,
      from: 'lg',
      cell: ({ overage }) => (overage ? 'answered, paid' : <span className="gh-dim">refused</span>),
    },
    {
      id: 'rps',
      head: 'Requests a second',
      width: 150,
      align: 'right',
      from: 'lg',
      cell: ({ requests_per_second }) =>
        requests_per_second === null ? (
          <span className="gh-faint">the plan’s</span>
        ) : (
          grouped(requests_per_second)
        ),
    },
    {
      id: 'created',
      head: 'Created',
      width: 'clamp(84px, 10vw, 128px)',
      from: 'md',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    actions(onEdit, onDelete),
  ];
}

function actions(
  onEdit: (account: OperatorAccount) => void,
  onDelete: (account: OperatorAccount) => void,
): Column<OperatorAccount> {
  return actionsColumn<OperatorAccount>(132, (account) => (
    <span className={styles.actions}>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`Change ${account.name}`}
        onClick={() => onEdit(account)}
      >
        Change
      </Button>
      <Hint label="Delete account">
        <ActionIcon variant="subtle" aria-label={`Delete ${account.name}`} onClick={() => onDelete(account)}>
          <IconTrash size={16} />
        </ActionIcon>
      </Hint>
    </span>
  ));
}

function Used({ used, limit }: OperatorAccount) {
  const share = limit === 0 ? 100 : Math.min(100, (100 * used) / limit);
  const state = used > limit ? 'over' : used > 0.9 * limit ? 'near' : 'well';
  return (
    <span className={styles.used} title={`${grouped(used)} of ${grouped(limit)}`}>
      <span className={styles.track} aria-hidden>
        <span data-state={state} style={{ width: `${share}%` }} />
      </span>
      <span>{percent(used, limit)}</span>
      <span className="gh-faint">of {short(limit)}</span>
    </span>
  );
}
