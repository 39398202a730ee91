/** Above the signups of a mailbox whose address was pasted: what happened to the newest one, and help with one click. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AssessmentRow } from '../../../src/contract/dashboard-assessments.ts';
import type { SupportAnswer } from '../../../src/contract/dashboard-customer.ts';
import { type ApiProblem, send } from '../api.ts';
import { useScope } from '../scope.ts';
import { usePastedAddress } from '../ui/pasted-address.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import styles from './assessment-customer-help.module.css';
import { CustomerHelp, mayBeHelped } from './assessment-customer-help.tsx';
import { SentenceToCopy } from './assessment-sentence.tsx';

export interface CustomerBarProps {
  /** Hashes of the mailbox, as the filter has them. */
  readonly mailbox: string;
  /** Its signups that the page shows. */
  readonly rows: readonly AssessmentRow[];
}

export function CustomerBar({ mailbox, rows }: CustomerBarProps) {
  const { api } = useScope();
  const address = usePastedAddress().recall();
  const [advice, setAdvice] = useState<string>();
  const path = api('support');
  const { data, refetch } = useQuery<SupportAnswer, ApiProblem>({
    queryKey: [path, mailbox],
    // By POST, so that the address is in no URL; only its hash is looked for.
    queryFn: ({ signal }) => send<SupportAnswer>('POST', path, { text: address }, signal),
    enabled: address !== '',
    gcTime: 0,
  });
  const signup = data?.signups[0];
  // Another address may have been pasted since: it has other signups.
  if (signup === undefined || !rows.some(({ request_id }) => request_id === signup.request_id)) return null;
  if (!mayBeHelped(signup) && advice === undefined) return null;
  return (
    <section className={styles.bar} data-verdict={signup.verdict} aria-label="The newest signup">
      <p>
        <strong>{signup.answer}</strong> <RelativeTime at={signup.at} />
      </p>
      <CustomerHelp signup={signup} address={address} onAdvice={setAdvice} onChanged={() => void refetch()} />
      {advice !== undefined && <SentenceToCopy text={advice} />}
    </section>
  );
}
