/** Creates a key: its name and mode, then its text, shown this once. */

import { Button, Group, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { CreatedKey } from '../../../src/contract/dashboard-account.ts';
import type { KeyMode } from '../../../src/model/key-mode.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { SecretDialog } from '../ui/secret-dialog.tsx';
import { useSending } from '../ui/use-sending.ts';
import styles from './keys-page.module.css';

export function CreateKey({ mode: initial, onClose }: { mode: KeyMode; onClose: () => void }) {
  const { api } = useScope();
  const [name, setName] = useState('');
  const [mode, setMode] = useState<KeyMode>(initial);
  const create = useSend<CreatedKey, { name: string; mode: KeyMode }>('POST', api('keys'), {
    refreshes: [api('keys'), api('policy')],
  });
  const { send, close } = useSending(create, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send({ name: name.trim(), mode });
  };
  if (create.data !== undefined)
    return (
      <SecretDialog
        title={`Key “${create.data.key.name}” is created`}
        label="Key"
        secret={create.data.secret}
        onClose={onClose}
      >
        Copy it now: it is not shown again, and nobody can look it up.
      </SecretDialog>
    );
  return (
    <Modal
      opened
      onClose={close}
      title="Create key"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={styles.form}>
        <TextInput
          label="Name"
          description="Of the server or service that will use it."
          placeholder="signup service"
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={create.error?.param === 'name' ? create.error.message : undefined}
        />
        <SegmentedControl
          aria-label="KeyMode"
          value={mode}
          onChange={(value) => setMode(value as KeyMode)}
          data={[
            { value: 'live', label: 'Live' },
            { value: 'test', label: 'Sandbox' },
          ]}
        />
        <p className={styles.hint}>
          {mode === 'live'
            ? 'Looks at real evidence; each assessment costs one credit.'
            : 'Answers with fixtures chosen by the address; free.'}
        </p>
        <ProblemNote error={create.error?.param === 'name' ? null : create.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={create.isPending} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
