/** One signup of the person who wrote: what happened in plain words, what to tell them, and how to help them. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { SupportSignup } from '../../../src/contract/dashboard-customer.ts';
import { useScope } from '../scope.ts';
import { CopyLink } from '../ui/copy-link.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { VERDICTS } from '../ui/verdicts.ts';
import { CustomerHelp } from './assessment-customer-help.tsx';
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

export function SupportCard({ signup, address, isEarlier = false, onChanged }: SupportCardProps) {
  const { page } = useScope();
  const { icon: Icon, ink } = VERDICTS[signup.verdict];
  const [advice, setAdvice] = useState<string>();
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
          <SentenceToCopy text={advice ?? signup.advice} />
          <CustomerHelp signup={signup} address={address} onAdvice={setAdvice} onChanged={onChanged} />
        </>
      )}
      <p className={styles.links}>
        <Link href={page(`assessments/${signup.request_id}`)}>Show details</Link>
        <CopyLink href={page(`assessments/${signup.request_id}`)} />
      </p>
    </article>
  );
}
