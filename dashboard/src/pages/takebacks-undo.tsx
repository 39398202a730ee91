/** Asks before all accounts of a job are released. */
import type { TakeBackRow } from '../../../src/contract/dashboard-take-back.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';
import { pluralize } from '../ui/format.ts';

export function UndoDialog({ job, onClose }: { job: TakeBackRow; onClose: () => void }) {
  const { api } = useScope();
  const { id, counts, connection } = job;
  const undo = useSend('POST', api(`takeback/${id}/undo`), { refreshes: [api('takeback')] });
  return (
    <ChangeDialog
      change={undo}
      body={undefined}
      title={`Release ${pluralize(counts.held + counts.sent, 'account')}?`}
      verb="Release them"
      onClose={onClose}
    >
      <p>
        Each account at {connection} becomes what it was before it was held. Those that somebody changed since
        are left alone, and listed here.
      </p>
    </ChangeDialog>
  );
}
