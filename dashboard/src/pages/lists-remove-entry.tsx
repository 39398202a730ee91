/** Removes an entry of a list after a dialog that names the consequences. */
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { grouped } from '../ui/format.ts';
import { ACTIONS } from './listing-kinds.ts';

export function RemoveEntry({ entry, onClose }: { entry: ListEntryRow; onClose: () => void }) {
  const { api } = useScope();
  const remove = useSend('DELETE', api(`lists/${entry.id}`), { refreshes: [api('lists')] });
  return (
    <ChangeDialog
      change={remove}
      body={undefined}
      title={`Remove ${entry.value} from the ${ACTIONS[entry.action].list}?`}
      verb="Remove entry"
      danger
      onClose={onClose}
    >
      <p>
        From now on such signups are no longer {ACTIONS[entry.action].did} by this entry: their score decides.
      </p>
      <p>
        It decided {grouped(entry.hits)} {entry.hits === 1 ? 'signup' : 'signups'}. Past decisions do not
        change.
      </p>
    </ChangeDialog>
  );
}
