/** How far long work is, and how much was done when it stopped. */
import { grouped } from '../ui/format.ts';
import { ProgressBar } from '../ui/progress-bar.tsx';
import styles from './batch-state.module.css';
import type { BatchWork } from './batch-work.ts';

export interface WorkStateProps {
  readonly work: Pick<BatchWork<never>, 'done' | 'total' | 'isPending' | 'error'>;
  /** Word for the work on each: `reported`. */
  readonly verb: string;
}

export function WorkState({ work: { done, total, isPending, error }, verb }: WorkStateProps) {
  if (!isPending && error === null) return null;
  return (
    <div className={styles.work} role="status">
      <ProgressBar indexed={done} total={total} />
      <span>
        {grouped(done)} of {grouped(total)} {verb}.
      </span>
    </div>
  );
}
