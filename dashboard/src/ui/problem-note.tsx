/** The error of a refused action, beside its button. */
import { IconAlertCircle } from './icons.ts';
import styles from './states.module.css';

export function ProblemNote({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <p className={styles.problem} role="alert">
      <IconAlertCircle size={16} aria-hidden />
      <span>
        {error.message} {'resolution' in error && String(error.resolution)}
      </span>
    </p>
  );
}
