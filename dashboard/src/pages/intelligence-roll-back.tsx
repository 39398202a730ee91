/** Makes the previous version of a source active again, after a dialog that names the consequences. */
import type { Intelligence, SourceRow } from '../../../src/contract/dashboard-installation.ts';
import { useSend } from '../api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useSending } from '../ui/use-sending.ts';

export function RollBack({ source, onClose }: { source: SourceRow; onClose: () => void }) {
  const rollBack = useSend<Intelligence>('POST', `/intelligence/${source.id}/rollback`, {
    refreshes: ['/intelligence'],
  });
  const { send, close } = useSending(rollBack, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Roll ${source.id} back?`}
      verb="Roll back"
      danger
      busy={rollBack.isPending}
      error={rollBack.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      <p>
        The good version before {source.version} is used for every account within seconds. The current version
        is not fetched again, but the publisher’s next version is.
      </p>
    </ConfirmDialog>
  );
}
