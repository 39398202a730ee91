/** Revokes a hook after a dialog that names the consequences. */
import type { HookRow } from '../../../src/contract/dashboard-hooks.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { useSending } from '../ui/use-sending.ts';
import { PROVIDERS } from './hooks-providers.ts';

export function RevokeHook({ hook, onClose }: { hook: HookRow; onClose: () => void }) {
  const { api } = useScope();
  const revoke = useSend('POST', api(`hooks/${hook.id}/revoke`), { refreshes: [api('hooks')] });
  const { send, close } = useSending(revoke, onClose);
  const { title } = PROVIDERS[hook.provider];
  return (
    <ConfirmDialog
      opened
      title={`Revoke “${hook.name}”?`}
      verb="Revoke hook"
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => send(undefined, onClose)}
      onClose={close}
    >
      <p>
        Requests to this hook will be refused from now on, and most providers then refuse every signup. Remove
        the hook in {title} first. This cannot be undone.
      </p>
      <p>
        Last used: <RelativeTime at={hook.last_used_at} />. Its past signups stay in the log.
      </p>
    </ConfirmDialog>
  );
}
