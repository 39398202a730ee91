/** Gives a hook a new secret after a dialog that says what happens to the old one. */
import { Checkbox } from '@mantine/core';
import type { HookRotationBody, HookRow, HookSecret } from '../../../src/contract/dashboard-hooks.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useForm } from '../ui/use-form.ts';
import { HookHandOver } from './hooks-hand-over.tsx';
import { PROVIDERS } from './hooks-providers.ts';
import { SecretField, toSecret } from './hooks-secret-field.tsx';

export function RotateHook({ hook, onClose }: { hook: HookRow; onClose: () => void }) {
  const { api } = useScope();
  const change = useSend<HookSecret, HookRotationBody>('POST', api(`hooks/${hook.id}/rotate`), {
    refreshes: [api('hooks')],
    version: hook.version,
  });
  const form = useForm({
    values: { secret: '', at_once: false },
    change,
    body: ({ secret, at_once }) => ({ at_once, ...toSecret(secret) }),
    onClose,
  });
  if (change.data !== undefined)
    return (
      <HookHandOver
        made={change.data}
        isOwn={form.values.secret.trim() !== ''}
        isRotation
        onClose={onClose}
      />
    );
  const { title, isMail = false } = PROVIDERS[hook.provider];
  const verb = hook.has_secret ? 'Replace secret' : 'Set secret';
  return (
    <FormDialog form={form} title={`${verb} of “${hook.name}”`} verb={verb}>
      <FormHint>
        {isMail
          ? `With the right secret, Gatehouse records what ${title} sends.`
          : !hook.has_secret
            ? `The hook refuses everything until it has its secret. With the right secret it answers ${title} at once.`
            : form.values.at_once
              ? `The old secret is refused from now on. Until ${title} has the new one, its requests are refused and signups may fail.`
              : `The old secret stays valid for a day. Enter the new one in ${title} before that; no signup is refused meanwhile.`}
      </FormHint>
      <SecretField form={form} provider={hook.provider} isRotation />
      {hook.has_secret && (
        <Checkbox
          label="Refuse the old secret at once"
          description="If it has leaked."
          checked={form.values.at_once}
          onChange={(event) => form.set({ at_once: event.currentTarget.checked })}
        />
      )}
    </FormDialog>
  );
}
