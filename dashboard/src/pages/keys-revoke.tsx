/** Revokes a key after a dialog that names the consequences. */
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useSending } from '../ui/use-sending.ts';

export function RevokeKey({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const revoke = useSend('POST', api(`keys/${apiKey.id}/revoke`), {
    refreshes: [api('keys'), api('policy')],
  });
  const { send, close } = useSending(revoke, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Revoke “${apiKey.name}”?`}
      verb="Revoke key"
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      <p>Requests with this key will be refused from now on. This cannot be undone.</p>
      <p>
        Last used: <RelativeTime at={apiKey.last_used_at} />. Its past signups stay in the log.
      </p>
    </ConfirmDialog>
  );
}
