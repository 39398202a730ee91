/** Shown where data could not be loaded: what happened, what to do, and a button that tries again. */
import { Button } from '@mantine/core';
import { IconRefresh } from './icons.ts';
import { useInsteadOfShell } from './shell.ts';
import styles from './states.module.css';
import { isTemporary } from './waiting.ts';
import { WaitingState } from './waiting-state.tsx';

export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  useInsteadOfShell();
  if (isTemporary(error)) return <WaitingState error={error} />;
  return (
    <div className={styles.state} role="alert">
      <h2>{error.message}</h2>
      {'resolution' in error && <p className={styles.words}>{String(error.resolution)}</p>}
      {onRetry !== undefined && (
        <Button variant="default" leftSection={<IconRefresh size={15} />} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
