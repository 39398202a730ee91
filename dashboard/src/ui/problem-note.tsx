/** The error of a refused action, beside its button. */
import { IconAlertCircle } from './icons.ts';
import { MeanwhileNote, meanwhileOf } from './meanwhile-note.tsx';
import styles from './states.module.css';

export function ProblemNote({ error }: { error: Error | null }) {
  if (error === null) return null;
  const changes = meanwhileOf(error);
  if (changes !== undefined) return <MeanwhileNote changes={changes} />;
  return (
    <p className={styles.problem} role="alert">
      <IconAlertCircle size={16} aria-hidden />
      <span>
        {error.message} {'resolution' in error && String(error.resolution)}
      </span>
    </p>
  );
}
