/** Adds an entry to the Allow or the Block list, or a shared office: value, reason, expiry, past matches, and consequences. */
import { Checkbox, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ListEntryRow, ListPreview } from '../../../src/contract/dashboard-account.ts';
import type { ListKind } from '../../../src/model/list-entry.ts';
import { useSend, withQuery } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { type TextProps, useForm } from '../ui/use-form.ts';
import { useTimes } from '../ui/use-times.ts';
import styles from './listing-add-entry.module.css';
import { expiryOf, LENGTHS, USUAL_LENGTH } from './listing-expiry.ts';
import { ACTIONS, canBe, isPersonal, isWide, KIND_WORDS, kindOf, reachOf, shownAs } from './listing-kinds.ts';
import { EntryPreview, previewKey } from './listing-preview.tsx';

export interface AddEntryProps {
  readonly action: ListEntryRow['action'];
  /** The initial value. */
  readonly value?: string;
  readonly hint?: string | undefined;
  onClose(): void;
}

interface NewEntry {
  readonly action: ListEntryRow['action'];
  readonly value: string;
  readonly exact?: true;
  readonly reason: string;
  readonly expires_at?: string;
  /** The value, typed again. */
  readonly confirm?: string;
}

const ANY_VALUE = 'An address, a domain, an IP or IP range, a network such as AS64500, or a country code.';
const HINTS: Readonly<Record<ListEntryRow['action'], string>> = {
  allow: ANY_VALUE,
  deny: ANY_VALUE,
  office:
    'A company’s domain with its IP, IP range or network: example.com + 203.0.113.7. Or an IP or IP range alone.',
};
const TITLES: Readonly<Record<ListEntryRow['action'], string>> = {
  allow: 'Allow signups',
  deny: 'Block signups',
  office: 'Shared office',
};
export function AddEntry({ action, value: initial = '', hint, onClose }: AddEntryProps) {
  const { form, kind, confirming } = useNewEntry(action, initial, onClose);
  const { value, exact, days } = form.values;
  return (
    <FormDialog
      form={form}
      title={TITLES[action]}
      verb={`Add to ${ACTIONS[action].list}`}
      danger={action === 'deny'}
      disabled={!confirming.done}
      size="lg"
    >
      <ValueInput
        field={form.text('value')}
        isFirst={initial === ''}
        kind={kind}
        hint={hint ?? HINTS[action]}
      />
      {isPersonal(kind) && (
        <Checkbox
          label="Only this exact spelling"
          description="Otherwise it covers every spelling that reaches the same mailbox, such as other dots or tags."
          checked={exact}
          onChange={(event) => form.set({ exact: event.currentTarget.checked })}
        />
      )}
      <TextInput
        label="Reason"
        description="Shown wherever this entry decides."
        required
        maxLength={200}
        {...(initial === '' ? {} : { 'data-autofocus': true })}
        {...form.text('reason')}
      />
      <Select
        label="Expires"
        allowDeselect={false}
        withScrollArea={false}
        data={LENGTHS}
        value={days}
        onChange={(next) => form.set({ days: next ?? USUAL_LENGTH })}
        error={form.errorOf('expires_at')}
      />
      <Consequence
        action={action}
        kind={kind}
        value={value}
        exact={exact && isPersonal(kind)}
        expiresAt={expiryOf(days)}
      />
      {confirming.mustConfirm && <ConfirmInput shown={confirming.shown} field={form.text('confirm')} />}
    </FormDialog>
  );
}

/** Sends the entry; if it affects very many people, only after its value was typed again. */
function useNewEntry(action: ListEntryRow['action'], initial: string, onClose: () => void) {
  const { api } = useScope();
  const client = useQueryClient();
  const versionOf = ({ action, value, exact }: NewEntry) =>
    client.getQueryData<ListPreview>(
      previewKey(api('lists/preview'), { action, value, exact: exact === true }),
    )?.version;
  const change = useSend<ListEntryRow, NewEntry>(
    'POST',
    // Version of the preview that the person sees.
    (entry) => withQuery(api('lists'), { version: versionOf(entry) }),
    { refreshes: [api('lists')] },
  );
  const form = useForm({
    values: { value: initial, exact: false, reason: '', days: USUAL_LENGTH, confirm: '' },
    change,
    body({ value, exact, reason, days, confirm }): NewEntry | undefined {
      if (!done) return undefined;
      const expires = expiryOf(days);
      return {
        action,
        value: value.trim(),
        ...(exact && isPersonal(kind) ? { exact } : {}),
        reason: reason.trim(),
        ...(expires === undefined ? {} : { expires_at: expires }),
        ...(mustConfirm ? { confirm: confirm.trim() } : {}),
      };
    },
    onDone: onClose,
    onClose,
  });
  const { value, exact, confirm } = form.values;
  const kind = kindOf(value, exact);
  const shown = kind !== undefined && isWide(kind, value) ? shownAs(kind, value) : undefined;
  // The service may know that a value is wide when it does not look wide here.
  const mustConfirm = shown !== undefined || change.error?.param === 'confirm';
  const done = shown === undefined ? !mustConfirm || confirm !== '' : isSameText(confirm, shown);
  return { form, kind, confirming: { mustConfirm, done, shown } };
}

interface ConfirmInputProps {
  /** Text that has to be typed; `undefined` if only the service knows. */
  readonly shown: string | undefined;
  readonly field: TextProps;
}

function ConfirmInput({ shown = 'the value again', field }: ConfirmInputProps) {
  return (
    <TextInput
      label={`Type ${shown} to confirm`}
      description="This affects everybody there, not only the signups that you want to stop or allow."
      autoComplete="off"
      spellCheck={false}
      {...field}
    />
  );
}

interface ValueInputProps {
  readonly field: TextProps;
  /** The field that gets the focus first. */
  readonly isFirst: boolean;
  readonly kind: ListKind | undefined;
  readonly hint: string;
}

function ValueInput({ field, isFirst, kind, hint }: ValueInputProps) {
  return (
    <TextInput
      label="Value"
      description={hint}
      required
      autoComplete="off"
      spellCheck={false}
      {...(isFirst ? { 'data-autofocus': true } : {})}
      {...field}
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
  readonly exact: boolean;
  readonly expiresAt: string | undefined;
}

function Consequence({ action, kind, value, exact, expiresAt }: ConsequenceProps) {
  const times = useTimes();
  const end = expiresAt === undefined ? 'from now on' : `until ${times.moment(expiresAt, Date.now())}`;
  return (
    <div className={styles.consequence} data-action={action}>
      {kind === undefined ? (
        <p>
          {action === 'office' ? 'Enter a domain with an IP.' : 'Enter a domain, IP, network or country.'}
        </p>
      ) : canBe(action, kind) ? (
        <>
          <p>{consequenceOf(action, reachOf(kind, value), end)}</p>
          <EntryPreview action={action} value={value} exact={exact} />
        </>
      ) : (
        <p>{action === 'office' ? NO_OFFICE : 'A domain with a place can only be a shared office.'}</p>
      )}
    </div>
  );
}

const NO_OFFICE =
  'A shared office is an IP address or an IP range, or a domain with one: example.com + 203.0.113.7.';

function consequenceOf(action: ListEntryRow['action'], reach: string, end: string): string {
  if (action === 'office')
    return `${reach}: bursts are not counted against them ${end}. All other findings still count: throw-away domains, generated names, hosting networks, waves of similar names.`;
  return `${reach} will be ${ACTIONS[action].did} ${end}, whatever their score. Past decisions do not change.`;
}

function isSameText(typed: string, shown: string): boolean {
  return typed.trim().toLowerCase() === shown.toLowerCase();
}
