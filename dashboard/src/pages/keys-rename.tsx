/** Gives a key another name. */
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { KeyRow } from '../../../src/contract/dashboard-account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useSending } from '../ui/use-sending.ts';
import styles from './keys-page.module.css';

export function RenameKey({ apiKey, onClose }: { apiKey: KeyRow; onClose: () => void }) {
  const { api } = useScope();
  const [name, setName] = useState(apiKey.name);
  const rename = useSend<unknown, { name: string }>('PATCH', api(`keys/${apiKey.id}`), {
    refreshes: [api('keys'), api('policy')],
  });
  const { send, close } = useSending(rename, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send({ name: name.trim() }, onClose);
  };
  return (
    <Modal opened onClose={close} title="Rename key" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={submit} className={styles.form}>
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ProblemNote error={rename.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={rename.isPending} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.isPending}>
            Rename key
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
