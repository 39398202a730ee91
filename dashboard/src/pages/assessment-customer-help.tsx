/** The button that helps a real customer: at once where the role may, otherwise by asking a colleague. */
import { Button } from '@mantine/core';
import { REQUEST_NOTE } from '../../../src/contract/customer-request.ts';
import type { Label } from '../../../src/contract/dashboard-assessments.ts';
import type { SupportSignup } from '../../../src/contract/dashboard-customer.ts';
import { useScope } from '../scope.ts';
import { meanwhileOf } from '../ui/meanwhile-note.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import styles from './assessment-customer-help.module.css';
import { useLabel, useRealCustomer } from './assessment-label.ts';

const WORKS =
  'Sorry: our signup check stopped you by mistake. Please sign up again with the same address; it works now.';
const WAIT =
  'Sorry: our signup check may have stopped you by mistake. A colleague will look at it, and we will write to you again.';

export interface CustomerHelpProps {
  readonly signup: SupportSignup;
  /** Address by which the person was found; `undefined`: by something else. */
  readonly address: string | undefined;
  onChanged(): void;
  /** Called with what to tell the customer now; `undefined`: as before. */
  onAdvice(text: string | undefined): void;
}

/** Done at once where the role may; otherwise a request, which colleagues see under Mistakes. */
export function CustomerHelp({ signup, address, onAdvice, onChanged }: CustomerHelpProps) {
  const { canList } = useScope();
  const row = { request_id: signup.request_id, feedback: signup.feedback, version: signup.version };
  const again = () => {
    onAdvice(undefined);
    onChanged();
  };
  const allow = useRealCustomer(row, again);
  const ask = useLabel(row, again);
  if (!mayBeHelped(signup)) return null;
  const mayAllow = canList && address !== undefined;
  const finish = (text: string) => {
    onAdvice(text);
    onChanged();
  };
  const help = () => {
    // Somebody else's report is shown before the person decides again.
    const onError = (error: Error) => meanwhileOf(error) !== undefined && onChanged();
    if (mayAllow)
      allow.mutate({ report: true, address, days: 30 }, { onSuccess: () => finish(WORKS), onError });
    else
      ask.mutate(
        { outcome: 'false_positive', note: REQUEST_NOTE },
        { onSuccess: () => finish(WAIT), onError },
      );
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

/** Whether it was stopped, and nobody has reported that as a mistake yet; a colleague may have marked it as fraud. */
export function mayBeHelped({ verdict, feedback }: SupportSignup): boolean {
  const isOpen: Readonly<Record<Label, boolean>> = {
    false_positive: false,
    false_negative: true,
    confirmed_fraud: true,
  };
  return verdict !== 'allow' && (feedback === null || isOpen[feedback]);
}
