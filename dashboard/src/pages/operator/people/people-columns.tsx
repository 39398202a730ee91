/** What is told of a person and of an invitation, and what can be done to either. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Role } from '../../../../../src/contract/dashboard/account.ts';
import type { InvitationRow, UserRow } from '../../../../../src/contract/dashboard/installation.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { RelativeTime } from '../../../ui/text/relative-time.tsx';
import styles from './people.module.css';

/** A person in an account. */
export interface Seat {
  readonly user: UserRow;
  readonly account_id: string;
  readonly account_name: string;
  readonly role: Role;
}

/** `accountId` undefined: of all accounts; each membership leads to where it can be ended. */
export function personColumns(
  accountId: string | undefined,
  onRemove: (seat: Seat) => void,
): readonly Column<UserRow>[] {
  return [
    {
      id: 'email',
      head: 'Email',
      cell: ({ email, operator }) => (
        <span title={email}>
          {email}
          {operator && <span className={styles.tag}>operator</span>}
        </span>
      ),
    },
    { id: 'name', head: 'Name', from: 'sm', width: '22%', cell: ({ name }) => name },
    accountId === undefined
      ? {
          id: 'accounts',
          head: 'Accounts',
          width: '36%',
          cell: (user) => <Seats user={user} />,
        }
      : { id: 'role', head: 'Role', width: 92, cell: (user) => seatIn(user, accountId)?.role ?? 'operator' },
    {
      id: 'since',
      head: 'Since',
      from: 'md',
      width: 120,
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    ...(accountId === undefined ? [] : [removal(accountId, onRemove)]),
  ];
}

export function invitationColumns(
  named: boolean,
  onWithdraw: (invitation: InvitationRow) => void,
): readonly Column<InvitationRow>[] {
  return [
    { id: 'email', head: 'Email', cell: ({ email }) => <span title={email}>{email}</span> },
    ...(named
      ? [{ id: 'account', head: 'Account', width: '20%', from: 'sm', cell: nameOfAccount } as const]
      : []),
    { id: 'role', head: 'Role', width: 92, from: 'sm', cell: ({ role }) => role },
    {
      id: 'by',
      head: 'Invited by',
      width: '22%',
      from: 'md',
      cell: ({ invited_by }) => <span title={invited_by}>{invited_by}</span>,
    },
    { id: 'expires', head: 'Ends', width: 96, cell: ({ expires_at }) => <RelativeTime at={expires_at} /> },
    {
      id: 'actions',
      head: <span className="gh-hidden">Actions</span>,
      width: 120,
      align: 'right',
      cell: (invitation) => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Withdraw the invitation of ${invitation.email}`}
          onClick={() => onWithdraw(invitation)}
        >
          Withdraw
        </Button>
      ),
    },
  ];
}

const nameOfAccount = ({ account_name }: InvitationRow) => account_name;

function removal(accountId: string, onRemove: (seat: Seat) => void): Column<UserRow> {
  return {
    id: 'actions',
    head: <span className="gh-hidden">Actions</span>,
    width: 112,
    align: 'right',
    cell: (user) => {
      const seat = seatIn(user, accountId);
      if (seat === undefined) return null;
      return (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Remove ${user.email}`}
          onClick={() => onRemove(seat)}
        >
          Remove
        </Button>
      );
    },
  };
}

function Seats({ user: { memberships, operator } }: { user: UserRow }) {
  if (memberships.length === 0)
    return <span className="gh-faint">{operator ? 'all, as operator' : 'none'}</span>;
  return memberships.map(({ account_id, account_name, role }, index) => (
    <span key={account_id}>
      {index > 0 && ', '}
      <Link href={`/accounts/${account_id}/people`} className={styles.seat}>
        {account_name}
      </Link>{' '}
      <span className="gh-dim">{role}</span>
    </span>
  ));
}

function seatIn(user: UserRow, accountId: string): Seat | undefined {
  const membership = user.memberships.find(({ account_id }) => account_id === accountId);
  return membership && { user, ...membership };
}
