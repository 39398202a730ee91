/** Gives a webhook a new secret, after a dialog that says what happens to the old one; the new one is shown once. */
import { Checkbox } from '@mantine/core';
import type {
  DestinationRotationBody,
  DestinationRow,
  DestinationSecret,
} from '../../../src/contract/dashboard-destinations.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { useForm } from '../ui/use-form.ts';

export function RotateDestination(props: { destination: DestinationRow; onClose: () => void }) {
  const { destination, onClose } = props;
  const { api } = useScope();
  const { id, name, version } = destination;
  const change = useSend<DestinationSecret, DestinationRotationBody>(
    'POST',
    api(`destinations/${id}/rotate`),
    {
      refreshes: [api('destinations')],
      version,
    },
  );
  const form = useForm({ values: { at_once: false }, change, body: (values) => values, onClose });
  if (change.data !== undefined)
    return (
      <SecretDialog
        title={`“${name}” has a new secret`}
        label="Secret"
        secret={change.data.secret ?? ''}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      form={form}
      title={`Replace secret of “${name}”`}
      verb="Replace secret"
      danger={form.values.at_once}
    >
      <FormHint>
        {form.values.at_once
          ? 'Messages are signed with the new secret alone from now on. Your program refuses them until it knows it; they are tried again for a day.'
          : 'For a day, each message has two signatures, one of each secret. Give your program the new one before that: it refuses nothing meanwhile.'}
      </FormHint>
      <Checkbox
        label="End the old secret at once"
        description="If it has leaked."
        checked={form.values.at_once}
        onChange={(event) => form.set({ at_once: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
