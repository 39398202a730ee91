/** One form for a real customer: reports the mistake, and allows the address once it is that of the signup. */
import { Checkbox, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import type { AddressMatch } from '../../../src/contract/dashboard-customer.ts';
import { type ApiProblem, send } from '../api.ts';
import { useScope } from '../scope.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { usePastedAddress } from '../ui/pasted-address.tsx';
import { type FormBinding, useForm } from '../ui/use-form.ts';
import { type CustomerBody, useRealCustomer } from './assessment-label.ts';
import styles from './assessment-real-customer.module.css';
import { SentenceForCustomer } from './assessment-sentence.tsx';
import { EntryPreview } from './listing-preview.tsx';

const TYPING_MS = 250;
const LENGTHS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
  { value: '0', label: 'no end' },
];
const USUAL = '30';

export function RealCustomer({ detail, onClose }: { detail: AssessmentDetail; onClose: () => void }) {
  const { canList } = useScope();
  const { row } = detail;
  const pasted = usePastedAddress();
  const [begun] = useState(detail.version);
  const change = useRealCustomer({ ...row, version: detail.version, begun });
  const form = useForm({
    values: {
      report: row.verdict !== 'allow',
      allow: canList,
      address: row.email.includes('*') ? pasted.recall() : row.email,
      days: USUAL,
    },
    change,
    body({ report, allow, address, days }): CustomerBody | undefined {
      if (!ready) return undefined;
      return { report, ...(allow ? { address: address.trim(), days: Number(days) } : {}) };
    },
    onDone: onClose,
    onClose,
  });
  const { report, allow, address, days } = form.values;
  const match = useAddressMatch(row.request_id, address);
  const ready = (report || allow) && (!allow || isHers(match));
  return (
    <FormDialog form={form} title="Real customer" verb="Done" disabled={!ready} size="lg">
      <Checkbox
        label="Report: a good customer was stopped"
        description="The simulator and the precision of findings use it."
        checked={report}
        disabled={row.verdict === 'allow'}
        onChange={(event) => form.set({ report: event.currentTarget.checked })}
      />
      {canList && (
        <>
          <Checkbox
            label={`Allow this address ${wordsOf(days)}`}
            description="The narrowest entry: only this person, in every spelling of the mailbox."
            checked={allow}
            onChange={(event) => form.set({ allow: event.currentTarget.checked })}
          />
          {allow && <AllowFields form={form} row={row} match={match} />}
        </>
      )}
      {(row.feedback === 'confirmed_fraud' || row.feedback === 'false_negative') && (
        <p role="status">A colleague marked this signup as fraud. Your report replaces that.</p>
      )}
      <SentenceForCustomer detail={detail} allowed={allow} />
    </FormDialog>
  );
}

/** Address of the customer, whether it is that of the signup, and how long it is allowed. */
function AllowFields({ form, row, match }: AllowFieldsProps) {
  const { address, days } = form.values;
  return (
    <div className={styles.allow}>
      <TextInput
        label="Address of the customer"
        description={
          row.email.includes('*')
            ? `Gatehouse keeps no addresses. Type it, and we check that it is the address of this signup, ${row.email}.`
            : undefined
        }
        required
        type="email"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        {...form.text('address')}
      />
      <p role="status" className={styles.match} data-match={match}>
        {MATCHES[match]}
      </p>
      <Select
        label="How long"
        allowDeselect={false}
        withScrollArea={false}
        data={LENGTHS}
        value={days}
        onChange={(next) => form.set({ days: next ?? USUAL })}
      />
      {isHers(match) && <EntryPreview action="allow" value={address} exact={false} />}
    </div>
  );
}

interface AllowFieldsProps {
  readonly form: FormBinding<
    { report: boolean; allow: boolean; address: string; days: string },
    CustomerBody
  >;
  readonly row: AssessmentDetail['row'];
  readonly match: Match;
}

function isHers(match: Match): boolean {
  return match === 'same' || match === 'mailbox';
}

function wordsOf(days: string): string {
  return days === '0' ? 'without an end' : `for ${LENGTHS.find(({ value }) => value === days)?.label}`;
}

type Match = AddressMatch['match'] | 'empty' | 'checking';

const MATCHES: Readonly<Record<Match, string>> = {
  empty: '',
  checking: 'Checking…',
  same: '✓ This is the address of this signup.',
  mailbox: '✓ Another spelling of the same mailbox.',
  none: 'This is not the address of this signup.',
};

/** Asks by POST, so that the address is in no URL. */
function useAddressMatch(requestId: string, address: string): Match {
  const { api } = useScope();
  const [settled] = useDebouncedValue(address.trim(), TYPING_MS);
  const path = api(`assessments/${requestId}/address`);
  const check = useQuery<AddressMatch, ApiProblem>({
    queryKey: [path, settled],
    queryFn: ({ signal }) => send<AddressMatch>('POST', path, { address: settled }, signal),
    enabled: settled !== '',
    gcTime: 0,
  });
  if (address.trim() === '') return 'empty';
  if (settled !== address.trim() || check.data === undefined) return 'checking';
  return check.data.match;
}
