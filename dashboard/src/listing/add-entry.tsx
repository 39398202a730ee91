/** Adds an entry to the allow or deny list: what, why, until when, and what follows from it. */
import { Button, Group, Modal, SegmentedControl, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ListEntry } from '../../../src/contract/dashboard/account.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { ProblemNote } from '../ui/state/problem-note.tsx';
import { local } from '../ui/text/format.ts';
import { doneBy, KIND_WORDS, kindOf, reachOf } from './list-kinds.ts';
import styles from './listing.module.css';

export interface AddEntryProps {
  readonly action: ListEntry['action'];
  /** To begin with. */
  readonly value?: string;
  readonly hint?: string | undefined;
  onClose(): void;
}

interface NewEntry {
  readonly action: ListEntry['action'];
  readonly value: string;
  readonly reason: string;
  readonly expires_at?: string;
}

const DAY_MS = 86_400_000;
const LENGTHS = [
  { value: '', label: 'Never' },
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

export function AddEntry({ action: initial, value: given = '', hint, onClose }: AddEntryProps) {
  const { api } = useScope();
  const [action, setAction] = useState(initial);
  const [value, setValue] = useState(given);
  const [reason, setReason] = useState('');
  const [days, setDays] = useState('');
  const add = useSend<ListEntry, NewEntry>('POST', api('lists'), { refreshes: [api('lists')] });
  const expiresAt = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const entry = { action, value: value.trim(), reason: reason.trim() };
    add.mutate(expiresAt === undefined ? entry : { ...entry, expires_at: expiresAt }, { onSuccess: onClose });
  };
  const faultOf = (param: string) => (add.error?.param === param ? add.error.message : undefined);
  const placed = ['value', 'reason', 'expires_at'].includes(add.error?.param ?? '');
  const kind = kindOf(value);
  return (
    <Modal
      opened
      onClose={onClose}
      title={action === 'allow' ? 'Add to the allow list' : 'Add to the deny list'}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={styles.form}>
        <SegmentedControl
          aria-label="List"
          value={action}
          onChange={(next) => setAction(next as ListEntry['action'])}
          data={[
            { value: 'allow', label: 'Allow' },
            { value: 'deny', label: 'Deny' },
          ]}
        />
        <TextInput
          label="Value"
          description={
            hint ?? 'An address, a domain, an IP or block, a network such as AS64500, or a country code.'
          }
          required
          withAsterisk={false}
          autoComplete="off"
          spellCheck={false}
          {...(given === '' ? { 'data-autofocus': true } : {})}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          error={faultOf('value')}
          rightSection={kind && <span className={styles.kind}>{KIND_WORDS[kind]}</span>}
          rightSectionWidth={104}
          rightSectionPointerEvents="none"
        />
        <TextInput
          label="Reason"
          description="Stands in every assessment that the entry decides."
          required
          withAsterisk={false}
          maxLength={200}
          {...(given === '' ? {} : { 'data-autofocus': true })}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={faultOf('reason')}
        />
        <Select
          label="Expires"
          allowDeselect={false}
          withScrollArea={false}
          data={LENGTHS}
          value={days}
          onChange={(next) => setDays(next ?? '')}
          error={faultOf('expires_at')}
        />
        <p className={styles.consequence} data-action={action} aria-live="polite">
          {kind === undefined
            ? 'What follows from the entry stands here once the value can be read.'
            : `${reachOf(kind, value)} will be ${doneBy(action)}, whatever else is known of them, ${
                expiresAt === undefined ? 'from now on' : `until ${local(expiresAt)}`
              }. A more precise entry goes before this one. What was judged before stays as it is.`}
        </p>
        <ProblemNote error={placed ? null : add.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            {action === 'allow' ? 'Add to allow list' : 'Add to deny list'}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
