/** Erases the value and the reasons of an entry from the audit log, after a dialog that says what stays. */
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';

export function EraseEntryHistory({ entry, onClose }: { entry: ListEntryRow; onClose: () => void }) {
  const { api } = useScope();
  const path = api(`lists/${entry.id}/history`);
  const erase = useSend('DELETE', path, { refreshes: [path, api('audit')] });
  return (
    <ChangeDialog
      change={erase}
      body={undefined}
      title={`Erase the history of ${entry.value}?`}
      verb="Erase history"
      danger
      onClose={onClose}
    >
      <p>
        This removes the value and the reasons from the audit log, for example because they are about one
        person. The log still shows who changed the lists, and when.
      </p>
      <p>The entry stays on its list. This cannot be undone.</p>
    </ChangeDialog>
  );
}
