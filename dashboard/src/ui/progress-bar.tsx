/** Shows how much of the signups is indexed; the words beside it say the same. */
import styles from './states.module.css';
import type { Progress } from './waiting.ts';

export function ProgressBar({ indexed, total }: Progress) {
  return (
    <span className={styles.progress} aria-hidden>
      <span style={{ width: `${(100 * indexed) / Math.max(total, 1)}%` }} />
    </span>
  );
}
