/** Says what a change does to the signups that people reported: to good customers and to fraud, always both. */
import type { LabelEffect, LabelledCounts } from '../../../src/contract/dashboard-account.ts';
import { grouped } from './format.ts';
import { LabelMark } from './label-mark.tsx';
import styles from './reported-effect.module.css';

export interface ReportedEffectProps {
  readonly effect: LabelEffect;
  /** All reported ones that were counted. */
  readonly labelled: LabelledCounts;
}

export function ReportedEffect({ effect, labelled }: ReportedEffectProps) {
  const { helped, harmed, stopped, let_in: letIn } = effect;
  return (
    <ul className={styles.effect} aria-label="Effect on signups that people reported">
      <li title={`${grouped(labelled.good)} reported as good customers`}>
        <span>
          <LabelMark kind="good" right /> Good customers
        </span>
        <Count kind="better" count={helped} word="helped" />
        <Count kind="worse" count={harmed} word="harmed" />
      </li>
      <li title={`${grouped(labelled.fraud)} reported as fraud`}>
        <span>
          <LabelMark kind="fraud" right /> Fraud
        </span>
        <Count kind="better" count={stopped} word="newly stopped" />
        <Count kind="worse" count={letIn} word="let in" />
      </li>
    </ul>
  );
}

interface CountProps {
  readonly kind: 'better' | 'worse';
  readonly count: number;
  readonly word: string;
}

function Count({ kind, count, word }: CountProps) {
  return (
    <span className={styles.count} data-kind={count > 0 ? kind : undefined}>
      {word} <strong>{grouped(count)}</strong>
    </span>
  );
}
