/** One signup of the person who wrote: what happened in plain words, what to tell them, and how to help them. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SupportSignup } from '../../../src/contract/dashboard-customer.ts';
import { useScope } from '../scope.ts';
import { CopyLink } from '../ui/copy-link.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { VERDICTS } from '../ui/verdicts.ts';
import { useLabel, useRealCustomer } from './assessment-label.ts';
import { SentenceToCopy } from './assessment-sentence.tsx';
import styles from './support-page.module.css';

export interface SupportCardProps {
  readonly signup: SupportSignup;
  /** Address by which the person was found; `undefined`: by something else. */
  readonly address: string | undefined;
  /** Newer ones come before it: only what happened is said. */
  readonly isEarlier?: boolean;
  onChanged(): void;
}

const ASK = 'Asks to let this customer in.';
const WORKS =
  'Sorry: our signup check stopped you by mistake. Please sign up again with the same address; it works now.';
const WAIT =
  'Sorry: our signup check may have stopped you by mistake. A colleague will look at it, and we will write to you again.';

export function SupportCard({ signup, address, isEarlier = false, onChanged }: SupportCardProps) {
  const { page } = useScope();
  const { icon: Icon, ink } = VERDICTS[signup.verdict];
  const [told, setTold] = useState<string>();
  return (
    <article className={styles.card} data-verdict={signup.verdict}>
      <p className={styles.answer}>
        <Icon size={20} color={ink} aria-hidden /> <strong>{signup.answer}</strong>
      </p>
      <p className="gh-dim">
        <span className="gh-mono">{signup.email}</span>, <RelativeTime at={signup.at} />
        {signup.feedback === 'false_positive' && ' · reported as a good customer'}
        {(signup.feedback === 'confirmed_fraud' || signup.feedback === 'false_negative') &&
          ' · a colleague marked this signup as fraud'}
      </p>
      {!isEarlier && (
        <>
          <SentenceToCopy text={told ?? signup.advice} />
          <Help signup={signup} address={address} onTold={setTold} onChanged={onChanged} />
        </>
      )}
      <p className={styles.links}>
        <Link href={page(`assessments/${signup.request_id}`)}>Show details</Link>
        <CopyLink href={page(`assessments/${signup.request_id}`)} />
      </p>
    </article>
  );
}

interface HelpProps extends SupportCardProps {
  onTold(text: string | undefined): void;
}

/** Done at once where the role may; otherwise a request, which colleagues see under Feedback. */
function Help({ signup, address, onTold, onChanged }: HelpProps) {
  const { canList } = useScope();
  const row = { request_id: signup.request_id, feedback: signup.feedback };
  const again = () => {
    onTold(undefined);
    onChanged();
  };
  const allow = useRealCustomer(row, again);
  const ask = useLabel(row, again);
  const isStopped = signup.verdict !== 'allow';
  if (!isStopped || signup.feedback === 'false_positive') return null;
  const mayAllow = canList && address !== undefined;
  const finish = (text: string) => {
    onTold(text);
    onChanged();
  };
  const help = () => {
    if (mayAllow) allow.mutate({ report: true, address, days: 30 }, { onSuccess: () => finish(WORKS) });
    else ask.mutate({ outcome: 'false_positive', note: ASK }, { onSuccess: () => finish(WAIT) });
  };
  return (
    <div className={styles.help}>
      <Button onClick={help} loading={allow.isPending || ask.isPending}>
        This is a real customer
      </Button>
      <span className="gh-dim">
        {mayAllow
          ? 'Reports the mistake, and lets this person in for 30 days.'
          : canList
            ? 'Reports the mistake. To let them in, search for their address.'
            : 'Reports the mistake, and asks a colleague to let them in.'}
      </span>
      <ProblemNote error={allow.error ?? ask.error} />
    </div>
  );
}
