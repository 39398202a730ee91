/** Adds an entry to the Allow or the Block list: what, why, until when, what it would have matched, and what follows. */

import { Button, Group, Modal, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ListEntryRow } from '../../../src/contract/dashboard-account.ts';
import type { ListKind } from '../../../src/model/list-entry.ts';
import { useSend } from '../api.ts';
import { useScope } from '../scope.ts';
import { local } from '../ui/format.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useSending } from '../ui/use-sending.ts';
import styles from './listing-add-entry.module.css';
import { ACTIONS, isWide, KIND_WORDS, kindOf, reachOf, shownAs } from './listing-kinds.ts';
import { EntryPreview } from './listing-preview.tsx';

export interface AddEntryProps {
  readonly action: ListEntryRow['action'];
  /** To begin with. */
  readonly value?: string;
  readonly hint?: string | undefined;
  onClose(): void;
}

interface NewEntry {
  readonly action: ListEntryRow['action'];
  readonly value: string;
  readonly reason: string;
  readonly expires_at?: string;
  /** The value once more. */
  readonly confirm?: string;
}

const DAY_MS = 86_400_000;
const LENGTHS = [
  { value: '1', label: 'In 1 day' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
];
/** Faults of these are shown where they are typed. */
const PARAMS = ['value', 'reason', 'expires_at', 'confirm'];
/** What was right once is seldom right for ever, and nobody comes back to look. */
const USUAL_LENGTH = '30';

export function AddEntry({ action, value: given = '', hint, onClose }: AddEntryProps) {
  const [value, setValue] = useState(given);
  const [reason, setReason] = useState('');
  const [days, setDays] = useState(USUAL_LENGTH);
  const expiresAt = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  const { word, list } = ACTIONS[action];
  const kind = kindOf(value);
  const { add, faultOf, confirming, send, close } = useNewEntry(value, kind, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const entry = { action, value: value.trim(), reason: reason.trim() };
    send(expiresAt === undefined ? entry : { ...entry, expires_at: expiresAt });
  };
  return (
    <Modal
      opened
      onClose={close}
      title={`${word} signups`}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={submit} className={styles.form}>
        <ValueInput
          value={value}
          fresh={given === ''}
          kind={kind}
          hint={hint}
          onChange={setValue}
          error={faultOf('value')}
        />
        <TextInput
          label="Reason"
          description="Shown wherever this entry decides."
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
          onChange={(next) => setDays(next ?? USUAL_LENGTH)}
          error={faultOf('expires_at')}
        />
        <Consequence action={action} kind={kind} value={value} expiresAt={expiresAt} />
        {confirming.asked && <ConfirmInput {...confirming} error={faultOf('confirm')} />}
        <ProblemNote error={PARAMS.includes(add.error?.param ?? '') ? null : add.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={add.isPending} onClick={close}>
            Cancel
          </Button>
          <Button
            type="submit"
            {...(action === 'deny' ? { color: 'red' } : {})}
            disabled={!confirming.done}
            loading={add.isPending}
          >
            Add to {list}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** Sends the entry; where it concerns very many, only once its value was typed again. */
function useNewEntry(value: string, kind: ListKind | undefined, onDone: () => void) {
  const { api } = useScope();
  const [text, setText] = useState('');
  const add = useSend<ListEntryRow, NewEntry>('POST', api('lists'), { refreshes: [api('lists')] });
  const { send, close } = useSending(add, onDone);
  const shown = kind !== undefined && isWide(kind, value) ? shownAs(kind, value) : undefined;
  // The service may see that a value is wide where it does not look so here.
  const asked = shown !== undefined || add.error?.param === 'confirm';
  const done = shown === undefined ? !asked || text !== '' : sameText(text, shown);
  return {
    add,
    faultOf: (param: string) => (add.error?.param === param ? add.error.message : undefined),
    confirming: { asked, done, shown, text, onChange: setText },
    send(entry: NewEntry) {
      if (done) send(asked ? { ...entry, confirm: text.trim() } : entry, onDone);
    },
    close,
  };
}

interface ConfirmInputProps {
  /** What has to be typed; `undefined` where only the service knows. */
  readonly shown: string | undefined;
  readonly text: string;
  readonly error: string | undefined;
  onChange(text: string): void;
}

function ConfirmInput({ shown = 'the value once more', text, error, onChange }: ConfirmInputProps) {
  return (
    <TextInput
      label={`Type ${shown} to confirm`}
      description="This affects everybody there, not only the signups you have in mind."
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  );
}

interface ValueInputProps {
  readonly value: string;
  /** Nothing was chosen before. */
  readonly fresh: boolean;
  readonly kind: ListKind | undefined;
  readonly hint: string | undefined;
  readonly error: string | undefined;
  onChange(value: string): void;
}

function ValueInput({ value, fresh, kind, hint, error, onChange }: ValueInputProps) {
  return (
    <TextInput
      label="Value"
      description={
        hint ?? 'An address, a domain, an IP or IP range, a network such as AS64500, or a country code.'
      }
      required
      withAsterisk={false}
      autoComplete="off"
      spellCheck={false}
      {...(fresh ? { 'data-autofocus': true } : {})}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      rightSection={kind && <span className={styles.kind}>{KIND_WORDS[kind]}</span>}
      rightSectionWidth={104}
      rightSectionPointerEvents="none"
    />
  );
}

interface ConsequenceProps {
  readonly action: ListEntryRow['action'];
  readonly kind: ListKind | undefined;
  readonly value: string;
  readonly expiresAt: string | undefined;
}

function Consequence({ action, kind, value, expiresAt }: ConsequenceProps) {
  const end = expiresAt === undefined ? 'from now on' : `until ${local(expiresAt)}`;
  return (
    <div className={styles.consequence} data-action={action}>
      {kind === undefined ? (
        <p>What this entry does is shown here once there is a value.</p>
      ) : (
        <>
          <p>
            {reachOf(kind, value)} will be {ACTIONS[action].did} {end}, whatever their score. A narrower entry
            wins. Past decisions do not change.
          </p>
          <EntryPreview action={action} value={value} />
        </>
      )}
    </div>
  );
}

function sameText(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.toLowerCase();
}
