/** People of one account, for its owners: who sees it, who is invited, inviting and removing. */
import { useScope } from '../scope.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PeopleTables } from './people-tables.tsx';

export function PeoplePage() {
  const { account, canManage } = useScope();
  if (!canManage)
    return (
      <>
        <PageHeader title="People" />
        <EmptyState title="Only owners see the people of the account">
          Ask an owner of {account.name}.
        </EmptyState>
      </>
    );
  return (
    <PeopleTables account={account}>
      Who may sign in and see {account.name}. Owners can change everything in the account. Analysts report,
      keep lists and decide about waves. Members help customers who write.
    </PeopleTables>
  );
}
