/** Creates a hook: provider, name, mode and its answers; then what to enter at the provider. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { HookSecret, NewHookBody } from '../../../src/contract/dashboard-hooks.ts';
import type { HookAnswer, HookSource } from '../../../src/model/hook.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FieldPair } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { type FormBinding, useForm } from '../ui/use-form.ts';
import { HookHandOver } from './hooks-hand-over.tsx';
import { PROVIDERS } from './hooks-providers.ts';
import { SecretField, toSecret } from './hooks-secret-field.tsx';
import { ModeChoice } from './key-mode-choice.tsx';

interface Values {
  readonly provider: HookSource;
  readonly name: string;
  readonly mode: KeyMode;
  readonly secret: string;
  readonly challenge_as: HookAnswer;
  readonly on_error: HookAnswer;
}

const NEW: Values = {
  provider: 'supabase',
  name: '',
  mode: 'live',
  secret: '',
  challenge_as: 'allow',
  on_error: 'allow',
};
const choicesOf = (isMail: boolean) =>
  Object.entries(PROVIDERS)
    .filter(([, guide]) => (guide.isMail === true) === isMail)
    .map(([value, { title }]) => ({ value, label: title }));
const CHOICES = [
  { group: 'Auth providers, before a signup', items: choicesOf(false) },
  { group: 'Mail providers, for bounces and complaints', items: choicesOf(true) },
];
const MAIL_HINTS = {
  live: 'Notes bounces and complaints of real signups. Free.',
  test: 'Records bounces and complaints of sandbox signups. Free.',
};
const ANSWERS = [
  { value: 'allow', label: 'Allow' },
  { value: 'deny', label: 'Deny' },
];

export function CreateHook({ onClose }: { onClose: () => void }) {
  const { api } = useScope();
  const change = useSend<HookSecret, NewHookBody>('POST', api('hooks'), { refreshes: [api('hooks')] });
  const form = useForm({
    values: NEW,
    change,
    body: ({ secret, ...values }) => ({ ...values, name: values.name.trim(), ...toSecret(secret) }),
    onClose,
  });
  if (change.data !== undefined)
    return <HookHandOver made={change.data} isOwn={form.values.secret.trim() !== ''} onClose={onClose} />;
  return (
    <FormDialog form={form} title="Create hook" verb="Create hook">
      <NativeSelect
        label="Provider"
        data={CHOICES}
        data-autofocus
        value={form.values.provider}
        onChange={(event) => form.set({ provider: event.currentTarget.value as HookSource, secret: '' })}
      />
      <TextInput
        label="Name"
        description="The form, tenant or mail server that will call it."
        placeholder="signup form"
        required
        maxLength={100}
        {...form.text('name')}
      />
      <ModeChoice
        value={form.values.mode}
        onChange={(mode) => form.set({ mode })}
        {...(PROVIDERS[form.values.provider].isMail && { hints: MAIL_HINTS })}
      />
      <SecretField form={form} provider={form.values.provider} />
      {PROVIDERS[form.values.provider].isMail !== true && <Answers form={form} />}
    </FormDialog>
  );
}

function Answers({ form }: { form: FormBinding<Values, NewHookBody> }) {
  return (
    <FieldPair>
      <NativeSelect
        label="Answer a challenge with"
        description="Providers know only allow and block."
        data={ANSWERS}
        value={form.values.challenge_as}
        onChange={(event) => form.set({ challenge_as: event.currentTarget.value as HookAnswer })}
      />
      <NativeSelect
        label="If there is no verdict"
        description="After an error or 1.5 s."
        data={ANSWERS}
        value={form.values.on_error}
        onChange={(event) => form.set({ on_error: event.currentTarget.value as HookAnswer })}
      />
    </FieldPair>
  );
}
