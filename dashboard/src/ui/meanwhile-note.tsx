/** Says in a dialog what somebody else changed, so that nothing of the person's own was saved. */
import { useEffect, useRef } from 'react';
import type { MeanwhileChange } from '../../../src/contract/problem.ts';
import { IconAlertCircle } from './icons.ts';
import { personName } from './person-name.ts';
import { RelativeTime } from './relative-time.tsx';
import styles from './states.module.css';

/** Words of the button that keeps what somebody else changed. */
export const YIELD = 'Use theirs';

export function MeanwhileNote({ changes }: { changes: readonly MeanwhileChange[] }) {
  const element = useRef<HTMLDivElement>(null);
  // A long dialog may have been scrolled to its buttons, and grown since.
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    void element.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={element} className={styles.meanwhile} role="alert">
      <IconAlertCircle size={16} aria-hidden />
      <div>
        {changes.length === 0 && <p>Somebody else changed this meanwhile.</p>}
        {changes.map(({ by, at, what }) => (
          <p key={at + what}>
            <strong>{personName(by)}</strong> {what}, <RelativeTime at={at} />.
          </p>
        ))}
        <p>Yours is not saved yet. Save it anyway, or use theirs?</p>
      </div>
    </div>
  );
}

/** Changes by others, because of which a change was refused; `undefined`: the error is another one, or none. */
export function meanwhileOf(error: Error | null | undefined): readonly MeanwhileChange[] | undefined {
  return error && 'meanwhile' in error
    ? (error.meanwhile as readonly MeanwhileChange[] | undefined)
    : undefined;
}
