/** Marks reported mistakes under the histogram at their scores: filled where the thresholds would fix them. */
import type { Simulation } from '../../../src/contract/dashboard-account.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import { grouped } from '../ui/format.ts';
import styles from './thresholds-histogram.module.css';

export interface LabelMarksProps {
  readonly labels: Simulation['labels'];
  readonly thresholds: Thresholds;
}

export function LabelMarks({ labels, thresholds }: LabelMarksProps) {
  return (
    <>
      <div className={styles.marks}>
        {labels
          .filter(({ false_positives }) => false_positives > 0)
          .map(({ score, false_positives }) => (
            <Mark
              key={score}
              kind="false-positive"
              score={score}
              count={false_positives}
              right={score < thresholds.challenge}
            />
          ))}
      </div>
      <div className={styles.marks}>
        {labels
          .filter(({ false_negatives }) => false_negatives > 0)
          .map(({ score, false_negatives }) => (
            <Mark
              key={score}
              kind="false-negative"
              score={score}
              count={false_negatives}
              right={score >= thresholds.challenge}
            />
          ))}
      </div>
    </>
  );
}

/** Shows what the marks mean. */
export function MarkLegend({ labels, compared }: { labels: Simulation['labels']; compared: boolean }) {
  const sum = (of: (label: Simulation['labels'][number]) => number) =>
    labels.reduce((total, label) => total + of(label), 0);
  return (
    <p className={styles.legend}>
      <span>
        <i className={styles.mark} data-kind="false-positive" aria-hidden />
        {grouped(sum(({ false_positives }) => false_positives))} good customers stopped
      </span>
      <span>
        <i className={styles.mark} data-kind="false-negative" aria-hidden />
        {grouped(sum(({ false_negatives }) => false_negatives))} cases of fraud let in
      </span>
      <span>● would be fixed</span>
      {compared && (
        <span>
          <i className={styles.line} aria-hidden />
          score before
        </span>
      )}
    </p>
  );
}

interface MarkProps {
  readonly kind: 'false-positive' | 'false-negative';
  readonly score: number;
  readonly count: number;
  readonly right: boolean;
}

function Mark({ kind, score, count, right }: MarkProps) {
  return (
    <i
      className={styles.mark}
      data-kind={kind}
      data-right={right || undefined}
      data-several={count > 1 || undefined}
      style={{ left: `${(100 * (score + 0.5)) / 101}%` }}
    />
  );
}
