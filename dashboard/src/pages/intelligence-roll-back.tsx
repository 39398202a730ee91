/** Makes the previous version of a source active again, after a dialog that names the consequences. */
import type { Intelligence, SourceRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ChangeDialog } from '../ui/change-dialog.tsx';

export function RollBack({ source, onClose }: { source: SourceRow; onClose: () => void }) {
  const rollBack = useSend<Intelligence>('POST', `/intelligence/${source.id}/rollback`, {
    refreshes: ['/intelligence'],
  });
  return (
    <ChangeDialog
      change={rollBack}
      body={undefined}
      title={`Roll ${source.id} back?`}
      verb="Roll back"
      danger
      onClose={onClose}
    >
      <p>
        The good version before {source.version} is used for every account within seconds. The current version
        is not fetched again, but the publisher’s next version is.
      </p>
    </ChangeDialog>
  );
}
