/** Everybody who may sign in to the installation, for its operators. */
import { useSession } from '../api.ts';
import { OperatorsOnly } from './operator-only.tsx';
import { OperatorTabs } from './operator-tabs.tsx';
import { PeopleTables } from './people-tables.tsx';

export function EverybodyPage() {
  if (useSession().data?.user.operator !== true) return <OperatorsOnly title="People" />;
  return (
    <PeopleTables account={undefined} title={<OperatorTabs />}>
      Everybody who may sign in to this installation, and to which accounts.
    </PeopleTables>
  );
}
