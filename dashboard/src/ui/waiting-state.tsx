/** Shown while an answer needs a moment: why, how far it is, and when the page asks again by itself. */
import { useEffect, useState } from 'react';
import { ProgressBar } from './progress-bar.tsx';
import styles from './states.module.css';
import { progressWords, type TemporaryProblem } from './waiting.ts';

const TICK_MS = 1_000;

export function WaitingState({ error }: { error: TemporaryProblem }) {
  return (
    <div className={styles.state} role="status">
      <h2>{waitingWords(error)}</h2>
      {error.progress !== undefined && <ProgressBar {...error.progress} />}
      <p className={styles.words}>
        <RetryCountdown error={error} />
      </p>
    </div>
  );
}

export function waitingWords({ progress, message }: TemporaryProblem): string {
  return progress === undefined ? message : progressWords(progress);
}

/** `This page tries again in 12 s.` Read aloud once, not every second. */
export function RetryCountdown({ error }: { error: TemporaryProblem }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((error.at + 1_000 * error.retryAfterSeconds - now) / 1_000);
  return (
    <span aria-live="off">
      {seconds > 0 ? `This page tries again by itself in ${seconds} s.` : 'Trying again…'}
    </span>
  );
}
