/** Removes an entry of a list after a dialog that names the consequences. */
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { grouped } from '../ui/format.ts';
import { useSending } from '../ui/use-sending.ts';
import { ACTIONS } from './listing-kinds.ts';

export function RemoveEntry({ entry, onClose }: { entry: ListEntryRow; onClose: () => void }) {
  const { api } = useScope();
  const remove = useSend('DELETE', api(`lists/${entry.id}`), { refreshes: [api('lists')] });
  const { send, close } = useSending(remove, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Remove ${entry.value} from the ${ACTIONS[entry.action].list}?`}
      verb="Remove entry"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      <p>
        From now on such signups are no longer {ACTIONS[entry.action].did} by this entry: their score decides.
      </p>
      <p>
        It decided {grouped(entry.hits)} {entry.hits === 1 ? 'signup' : 'signups'}. Past decisions do not
        change.
      </p>
    </ConfirmDialog>
  );
}
