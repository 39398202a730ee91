/** Gives a key a new secret, after a dialog that asks how long the old one stays valid; the new one is shown once. */
import { Select } from '@mantine/core';
import type { CreatedKey, KeyRotationBody, KeyRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormHint } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { useForm } from '../ui/use-form.ts';
import { useNow } from '../ui/use-now.ts';
import { isRotating } from './keys-states.ts';

/** Lengths in seconds. */
const OVERLAPS = [
  { value: '3600', label: 'For 1 hour' },
  { value: '86400', label: 'For 24 hours' },
  { value: '604800', label: 'For 7 days' },
  { value: '2592000', label: 'For 30 days' },
  { value: '0', label: 'Not at all: refuse it at once' },
];
const USUAL = '86400';

export function RotateKey({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const change = useSend<CreatedKey, KeyRotationBody>('POST', api(`keys/${apiKey.id}/rotate`), {
    refreshes: [api('keys'), api('policy')],
    version: apiKey.version,
  });
  const hasTwo = isRotating(apiKey, useNow());
  const form = useForm({
    values: { overlap: hasTwo ? '0' : USUAL },
    change,
    body: ({ overlap }): KeyRotationBody => ({ overlap_seconds: Number(overlap) }),
    onClose,
  });
  const { overlap } = form.values;
  if (change.data !== undefined)
    return (
      <SecretDialog
        title={`Key “${apiKey.name}” has a new secret`}
        label="Key"
        secret={change.data.secret}
        onClose={onClose}
      >
        {overlap === '0'
          ? 'The old secret is refused from now on. Copy the new one now: it is not shown again, and nobody can look it up.'
          : 'The old secret still works. This page shows which of the two is used. Copy the new one now: it is not shown again, and nobody can look it up.'}
      </SecretDialog>
    );
  return (
    <FormDialog form={form} title={`Rotate “${apiKey.name}”`} verb="Rotate key" danger={overlap === '0'}>
      <FormHint>
        The key gets a new secret. Its name, thresholds, shadow mode and limits stay, and both secrets count
        as one key.
      </FormHint>
      <Select
        label="The old secret still works"
        description={hasTwo ? 'This key has two secrets already: both will be refused.' : undefined}
        allowDeselect={false}
        withScrollArea={false}
        data={hasTwo ? OVERLAPS.slice(-1) : OVERLAPS}
        value={overlap}
        error={form.errorOf('overlap_seconds')}
        onChange={(next) => form.set({ overlap: next ?? USUAL })}
      />
    </FormDialog>
  );
}
