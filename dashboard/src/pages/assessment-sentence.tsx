/** The sentence for the customer, to copy. */
import { Button } from '@mantine/core';
import type { AssessmentDetail } from '../../../src/contract/dashboard-assessments.ts';
import { IconCheck, IconCopy } from '../ui/icons.ts';
import { useCopy } from '../ui/use-copy.ts';
import styles from './assessment-real-customer.module.css';

const SORRY =
  'Sorry: our signup check stopped you by mistake. Please sign up again with the same address; it works now.';

/** @param allowed whether she is let in from now on, whatever stopped her */
export function SentenceForCustomer({ detail, allowed }: { detail: AssessmentDetail; allowed: boolean }) {
  return <SentenceToCopy text={allowed ? SORRY : detail.plain.advice} />;
}

export function SentenceToCopy({ text }: { text: string }) {
  const { copied, copy } = useCopy();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <div className={styles.sentence}>
      <strong>What to tell the customer</strong>
      <p>{text}</p>
      <Button variant="default" size="compact-sm" leftSection={<Icon size={14} />} onClick={() => copy(text)}>
        {copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
