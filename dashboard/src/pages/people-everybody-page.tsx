/** Everybody who may sign in to the installation, for its operators. */
import { OperatorTabs } from './operator-tabs.tsx';
import { PeopleTables } from './people-tables.tsx';

export function EverybodyPage() {
  return (
    <PeopleTables account={undefined} title={<OperatorTabs />}>
      Everybody who may sign in to this installation, and to which accounts.
    </PeopleTables>
  );
}
