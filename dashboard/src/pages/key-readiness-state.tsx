/** The state of a key in shadow mode as a link: still collecting, to look at (those good customers), or ready. */
import { Link } from 'wouter';
import type { ShadowReadiness } from '../../../src/contract/dashboard-shadow.ts';
import { useScope } from '../scope.ts';
import { grouped, pluralize } from '../ui/format.ts';
import styles from './key-readiness.module.css';

/** Values of the history's filter. */
export const STOPPED = 'challenge,block';
export const GOOD = 'false_positive';
export const FRAUD = 'false_negative,confirmed_fraud';

/** Links to the observed signups of a live key in the 30 days by which readiness is judged. */
export function useReadinessLink(keyId: string) {
  const { page } = useScope();
  return (filter: Readonly<Record<string, string>>) =>
    page('assessments', { ...filter, shadow: 'true', key: keyId, period: '30d', mode: undefined });
}

export interface ReadinessStateProps {
  readonly keyId: string;
  readonly readiness: ShadowReadiness;
}

export function ReadinessState({ keyId, readiness }: ReadinessStateProps) {
  const { page } = useScope();
  const linkTo = useReadinessLink(keyId);
  const { state, reported } = readiness;
  const href = state === 'look' ? linkTo({ feedback: GOOD, verdict: STOPPED }) : page('shadow');
  return (
    <Link className={styles.state} data-state={state} href={href} title={titleOf(readiness)}>
      {state === 'collecting' && 'Collecting'}
      {state === 'look' && `Look at ${grouped(reported.good_stopped)}`}
      {state === 'ready' && 'Ready'}
    </Link>
  );
}

function titleOf({ state, missing, reported }: ShadowReadiness): string {
  if (state === 'collecting') return `${missingWords(missing)} more`;
  const good = pluralize(reported.good_stopped, 'good customer');
  return `It would have stopped ${good} and ${grouped(reported.fraud_stopped)} frauds that people reported`;
}

/** `3 days and 120 signups`: what a key in shadow mode has not seen yet. */
export function missingWords({ days, signups }: ShadowReadiness['missing']): string {
  const parts = [days > 0 && pluralize(days, 'day'), signups > 0 && pluralize(signups, 'signup')];
  return parts.filter((part) => part !== false).join(' and ');
}
