/** Revokes a token after a dialog that names what stops working. */
import type { TokenRow } from '../../../src/contract/dashboard-tokens.ts';
import { useSend } from '../api.ts';
import { RevokeDialog } from '../ui/revoke-dialog.tsx';
import styles from './tokens-page.module.css';
import { SCOPE_WORDS } from './tokens-scopes.ts';

export function RevokeToken({ token, onClose }: { token: TokenRow; onClose: () => void }) {
  const revoke = useSend('POST', `/operator/tokens/${token.id}/revoke`, {
    refreshes: ['/operator/tokens', '/operator/audit'],
  });
  return (
    <RevokeDialog
      revoke={revoke}
      noun="token"
      name={token.name}
      lastUsedAt={token.last_used_at}
      stays="The keys, entries and hooks that it created stay."
      onClose={onClose}
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
    </RevokeDialog>
  );
}
