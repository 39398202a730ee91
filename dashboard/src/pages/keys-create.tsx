/** Creates a key: its name and mode, then its text, shown only once. */
import { Checkbox, TextInput } from '@mantine/core';
import type { CreatedKey } from '../../../src/contract/dashboard-account.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { useForm } from '../ui/use-form.ts';
import { ModeChoice } from './key-mode-choice.tsx';

export function CreateKey({ mode, onClose }: { mode: KeyMode; onClose: () => void }) {
  const { api } = useScope();
  const change = useSend<CreatedKey, { name: string; mode: KeyMode; shadow: boolean }>('POST', api('keys'), {
    refreshes: [api('keys'), api('policy'), api('shadow')],
  });
  const form = useForm({
    values: { name: '', mode, shadow: false },
    change,
    body: ({ name, mode, shadow }) => ({ name: name.trim(), mode, shadow }),
    onClose,
  });
  if (change.data !== undefined) {
    const { key, secret } = change.data;
    const title = `Key “${key.name}” is created`;
    return <SecretDialog title={title} label="Key" secret={secret} onClose={onClose} />;
  }
  return (
    <FormDialog form={form} title="Create key" verb="Create key">
      <TextInput
        label="Name"
        description="The server or service that will use it."
        placeholder="signup service"
        required
        maxLength={100}
        data-autofocus
        {...form.text('name')}
      />
      <ModeChoice value={form.values.mode} onChange={(mode) => form.set({ mode })} />
      <Checkbox
        label="Shadow mode: observe first"
        description="Every answer is Allow. You see what would have happened, and enforce later."
        checked={form.values.shadow}
        onChange={(event) => form.set({ shadow: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
