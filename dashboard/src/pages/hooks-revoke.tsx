/** Revokes a hook after a dialog that names the consequences. */
import type { HookRow } from '../../../src/contract/dashboard-hooks.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { RevokeDialog } from '../ui/revoke-dialog.tsx';
import { PROVIDERS } from './hooks-providers.ts';

export function RevokeHook({ hook, onClose }: { hook: HookRow; onClose: () => void }) {
  const { api } = useScope();
  const revoke = useSend('POST', api(`hooks/${hook.id}/revoke`), { refreshes: [api('hooks')] });
  return (
    <RevokeDialog
      revoke={revoke}
      noun="hook"
      name={hook.name}
      lastUsedAt={hook.last_used_at}
      stays="Its past signups stay in the log."
      onClose={onClose}
    >
      <p>
        Requests to this hook will be refused from now on, and most providers then refuse every signup. Remove
        the hook in {PROVIDERS[hook.provider].title} first. This cannot be undone.
      </p>
    </RevokeDialog>
  );
}
