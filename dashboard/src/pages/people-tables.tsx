/** People and open invitations, of one account or of the whole installation. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { InvitationRow, People, UserRow } from '../../../src/contract/dashboard-installation.ts';
import { useGet, useSession, withQuery } from '../api.ts';
import { useOpenedByCommand } from '../scope.ts';
import { Card } from '../ui/card.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconUserPlus } from '../ui/icons.ts';
import { later } from '../ui/later.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { invitationColumns, personColumns, type Seat } from './people-columns.tsx';
import { CancelInvite, EndSessions, RemovePerson, VerifyPerson } from './people-dialogs.tsx';

const InvitePerson = later(async () => (await import('./people-invite.tsx')).InvitePerson);

export interface PeopleTablesProps {
  /** `undefined`: everybody. */
  readonly account: { readonly id: string; readonly name: string } | undefined;
  readonly title?: ReactNode;
  /** Introduction: what the page is about. */
  readonly children: ReactNode;
}

export function PeopleTables({ account, title, children }: PeopleTablesProps) {
  const [inviting, setInviting] = useState(useOpenedByCommand() === 'invite');
  const [leaving, setLeaving] = useState<Seat>();
  const [verifying, setVerifying] = useState<UserRow>();
  const [ending, setEnding] = useState<UserRow>();
  const operator = useSession().data?.user.operator === true;
  const people = useGet<People>(withQuery('/operator/people', { account: account?.id }));
  const invite = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
      Invite a person
    </Button>
  );
  const retry = () => void people.refetch();
  return (
    <>
      <PageHeader title="People" actions={invite}>
        {children}
      </PageHeader>
      {title}
      <Card title="People" flush>
        <DataTable<UserRow>
          label="People"
          columns={personColumns(account?.id, {
            onVerify: operator ? setVerifying : undefined,
            onEndSessions: setEnding,
            onRemove: setLeaving,
          })}
          rows={people.data?.users}
          rowKey={({ id }) => id}
          error={people.error}
          onRetry={retry}
          skeletons={3}
          empty={
            <EmptyState title="Nobody is a member yet">
              The operator sees every account without being a member of it.
            </EmptyState>
          }
        />
      </Card>
      {people.error === null && (
        <Invitations rows={people.data?.invitations} withAccount={account === undefined} />
      )}
      {inviting && <InvitePerson account={account} onClose={() => setInviting(false)} />}
      {leaving !== undefined && <RemovePerson seat={leaving} onClose={() => setLeaving(undefined)} />}
      {verifying !== undefined && <VerifyPerson user={verifying} onClose={() => setVerifying(undefined)} />}
      {ending !== undefined && (
        <EndSessions
          user={ending}
          // An operator reaches people of several accounts, too.
          accountId={operator ? undefined : account?.id}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  );
}

function Invitations({
  rows,
  withAccount,
}: {
  rows: readonly InvitationRow[] | undefined;
  withAccount: boolean;
}) {
  const [cancelling, setCancelling] = useState<InvitationRow>();
  return (
    <>
      {rows?.length !== 0 && (
        <Card title="Open invitations" note="each link works once and expires in 7 days" flush>
          <DataTable<InvitationRow>
            label="Open invitations"
            columns={invitationColumns(withAccount, setCancelling)}
            rows={rows}
            rowKey={({ id }) => id}
            skeletons={1}
          />
        </Card>
      )}
      {cancelling !== undefined && (
        <CancelInvite invitation={cancelling} onClose={() => setCancelling(undefined)} />
      )}
    </>
  );
}
