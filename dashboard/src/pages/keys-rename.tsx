/** Gives a key another name. */
import { TextInput } from '@mantine/core';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { useForm } from '../ui/use-form.ts';

export function RenameKey({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const change = useSend<unknown, { name: string }>('PATCH', api(`keys/${apiKey.id}`), {
    refreshes: [api('keys'), api('policy')],
  });
  const form = useForm({
    values: { name: apiKey.name },
    change,
    body: ({ name }) => ({ name: name.trim() }),
    onDone: onClose,
    onClose,
  });
  return (
    <FormDialog form={form} title="Rename key" verb="Rename key">
      <TextInput label="Name" required maxLength={100} data-autofocus {...form.text('name')} />
    </FormDialog>
  );
}
