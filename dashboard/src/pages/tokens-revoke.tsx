/** Revokes a token after a dialog that names what stops working. */
import type { TokenRow } from '../../../src/contract/dashboard-tokens.ts';
import { useSend } from '../api.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useSending } from '../ui/use-sending.ts';
import styles from './tokens-page.module.css';
import { SCOPE_WORDS } from './tokens-scopes.ts';

export function RevokeToken({ token, onClose }: { token: TokenRow; onClose: () => void }) {
  const revoke = useSend('POST', `/operator/tokens/${token.id}/revoke`, {
    refreshes: ['/operator/tokens', '/operator/audit'],
  });
  const { send, close } = useSending(revoke, onClose);
  return (
    <ConfirmDialog
      opened
      title={`Revoke “${token.name}”?`}
      verb="Revoke token"
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      <p>
        Requests with this token will be refused from now on, on every node. This cannot be undone. The
        programs that use it can no longer do this in{' '}
        {token.account === null ? 'any account' : token.account.name}:
      </p>
      <ul className={styles.allowed}>
        {token.scopes.map((scope) => (
          <li key={scope}>{SCOPE_WORDS[scope]}</li>
        ))}
      </ul>
      <p>
        Last used: <RelativeTime at={token.last_used_at} />. The keys, entries and hooks that it created stay.
      </p>
    </ConfirmDialog>
  );
}
