/** Marks signups that people reported under the histogram at their scores, good customers and fraud: filled where the thresholds are right for them. */
import type { Simulation } from '../../../src/contract/dashboard-account.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import { grouped } from '../ui/format.ts';
import { LabelMark } from '../ui/label-mark.tsx';
import styles from './thresholds-histogram.module.css';

export interface LabelMarksProps {
  readonly labels: Simulation['labels'];
  readonly thresholds: Thresholds;
}

const KINDS = ['good', 'fraud'] as const;

export function LabelMarks({ labels, thresholds }: LabelMarksProps) {
  return KINDS.map((kind) => (
    <div key={kind} className={styles.marks}>
      {labels
        .filter((label) => label[kind] > 0)
        .map((label) => (
          <span
            key={label.score}
            className={styles.place}
            style={{ left: `${(100 * (label.score + 0.5)) / 101}%` }}
          >
            <LabelMark
              kind={kind}
              right={label.score < thresholds.challenge === (kind === 'good')}
              several={label[kind] > 1}
            />
          </span>
        ))}
    </div>
  ));
}

/** Shows what the marks mean. */
export function MarkLegend({ labels, compared }: { labels: Simulation['labels']; compared: boolean }) {
  const sum = (kind: (typeof KINDS)[number]) => labels.reduce((total, label) => total + label[kind], 0);
  return (
    <p className={styles.legend}>
      <span>
        <LabelMark kind="good" /> {grouped(sum('good'))} reported as good customers, filled:{' '}
        <LabelMark kind="good" right /> allowed
      </span>
      <span>
        <LabelMark kind="fraud" /> {grouped(sum('fraud'))} reported as fraud, filled:{' '}
        <LabelMark kind="fraud" right /> stopped
      </span>
      {compared && (
        <span>
          <i className={styles.line} aria-hidden />
          score before
        </span>
      )}
    </p>
  );
}
