/** Revokes a key after a dialog that names the consequences. */
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { RevokeDialog } from '../ui/revoke-dialog.tsx';

export function RevokeKey({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const revoke = useSend('POST', api(`keys/${apiKey.id}/revoke`), {
    refreshes: [api('keys'), api('policy')],
  });
  return (
    <RevokeDialog
      revoke={revoke}
      noun="key"
      name={apiKey.name}
      lastUsedAt={apiKey.last_used_at}
      stays="Its past signups stay in the log."
      onClose={onClose}
    >
      <p>Requests with this key will be refused from now on. This cannot be undone.</p>
    </RevokeDialog>
  );
}
