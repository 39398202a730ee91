/** The columns of people and invitations, with their actions. */
import { Button } from '@mantine/core';
import { Link } from 'wouter';
import type { Role } from '../../../src/contract/dashboard-account.ts';
import type { InvitationRow, UserRow } from '../../../src/contract/dashboard-installation.ts';
import { accountHref } from '../scope.ts';
import { actionsColumn, type Column } from '../ui/data-table.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import styles from './people-page.module.css';
import { RoleSelect } from './people-role-select.tsx';

/** A person in an account. */
export interface Seat {
  readonly user: UserRow;
  readonly account_id: string;
  readonly account_name: string;
  readonly role: Role;
  readonly version: string;
}

/** The actions on a person; `undefined`: the viewer may not use them. */
export interface PersonActions {
  onVerify: ((user: UserRow) => void) | undefined;
  onEndSessions(user: UserRow): void;
  onRemove(seat: Seat): void;
}

/** `accountId` undefined: of all accounts; each membership leads to where it can be ended. */
export function personColumns(
  accountId: string | undefined,
  actions: PersonActions,
): readonly Column<UserRow>[] {
  return [
    {
      id: 'email',
      head: 'Email',
      wrap: 'always',
      cell: ({ email, operator, verified, invited_by }) => (
        <span title={verified || invited_by === null ? email : `${email}, invited by ${invited_by}`}>
          <EmailText email={email} />
          {operator && <span className={styles.tag}>operator</span>}
          {!verified && (
            <span className={styles.unverified}>
              not verified{invited_by === null ? '' : `, invited by ${invited_by}`}
            </span>
          )}
        </span>
      ),
    },
    { id: 'name', head: 'Name', from: 'sm', width: '22%', cell: ({ name }) => name },
    accountId === undefined
      ? {
          id: 'accounts',
          head: 'Accounts',
          wrap: true,
          width: '36%',
          cell: (user) => <Seats user={user} />,
        }
      : {
          id: 'role',
          head: 'Role',
          width: 132,
          cell: (user) => {
            const seat = seatIn(user, accountId);
            return seat === undefined ? 'operator' : <RoleSelect seat={seat} />;
          },
        },
    {
      id: 'since',
      head: 'Since',
      from: 'md',
      width: 'clamp(84px, 10vw, 128px)',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
    },
    menu(accountId, actions),
  ];
}

export function invitationColumns(
  named: boolean,
  onCancel: (invitation: InvitationRow) => void,
): readonly Column<InvitationRow>[] {
  return [
    {
      id: 'email',
      head: 'Email',
      wrap: true,
      cell: ({ email }) => (
        <span title={email}>
          <EmailText email={email} />
        </span>
      ),
    },
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
    {
      id: 'expires',
      head: 'Expires',
      width: 'clamp(84px, 10vw, 128px)',
      cell: ({ expires_at }) => <RelativeTime at={expires_at} />,
    },
    actionsColumn<InvitationRow>('clamp(124px, 25vw, 140px)', (invitation) => (
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`Cancel invite of ${invitation.email}`}
        onClick={() => onCancel(invitation)}
      >
        Cancel invite
      </Button>
    )),
  ];
}

const nameOfAccount = ({ account_name }: InvitationRow) => account_name;

function menu(accountId: string | undefined, actions: PersonActions): Column<UserRow> {
  const { onVerify, onEndSessions, onRemove } = actions;
  return actionsColumn<UserRow>(56, (user) => {
    const seat = accountId === undefined ? undefined : seatIn(user, accountId);
    if (accountId !== undefined && seat === undefined) return null;
    return (
      <RowMenu
        subject={user.email}
        entries={[
          ...(onVerify !== undefined && !user.verified
            ? [{ words: 'Verify address…', onChoose: () => onVerify(user) }]
            : []),
          { words: 'End sessions…', onChoose: () => onEndSessions(user) },
          ...(seat === undefined
            ? []
            : [{ words: 'Remove from the account…', danger: true, onChoose: () => onRemove(seat) }]),
        ]}
      />
    );
  });
}

/** Shows an email that breaks only after the @ where a cell wraps; a part that is too long is cut. */
function EmailText({ email }: { email: string }) {
  const domainStart = email.lastIndexOf('@') + 1;
  return (
    <>
      <span className={styles.emailPart}>{email.slice(0, domainStart)}</span>
      <span className={styles.emailPart}>{email.slice(domainStart)}</span>
    </>
  );
}

function Seats({ user: { memberships, operator } }: { user: UserRow }) {
  if (memberships.length === 0)
    return <span className="gh-faint">{operator ? 'all, as operator' : 'none'}</span>;
  return memberships.map(({ account_id, account_name, role }, index) => (
    <span key={account_id}>
      {index > 0 && ', '}
      <Link href={accountHref(account_id, 'people')} className={styles.seat}>
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
