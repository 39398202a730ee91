/** Lists weights that would change, from the current one to the new one. */
import type { PolicyPage } from '../../../src/contract/dashboard-account.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import styles from './thresholds-weights-card.module.css';

export interface WeightChangesProps {
  readonly policy: PolicyPage;
  readonly weights: Readonly<Record<string, number>>;
}

export function WeightChanges({ policy, weights }: WeightChangesProps) {
  const changed = policy.detectors.filter(
    ({ detector, weight }) => weights[detector] !== undefined && weights[detector] !== weight,
  );
  return (
    <ul className={styles.changes}>
      {changed.map(({ detector, weight }) => (
        <li key={detector}>
          {labelOfDetector(detector)}
          <span>
            {weight} → <strong>{weights[detector]}</strong>
          </span>
        </li>
      ))}
    </ul>
  );
}
