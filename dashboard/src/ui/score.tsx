/** Shows a score from 0 to 100 as a number with a small bar in the colour of its verdict. */
import type { Verdict } from '../../../src/contract/messages.ts';
import styles from './verdict.module.css';
import { VERDICTS } from './verdicts.ts';

export function Score({ value, verdict }: { value: number; verdict: Verdict }) {
  return (
    <span className={styles.score}>
      <span className={styles.bar} aria-hidden>
        <span style={{ width: `${value}%`, background: VERDICTS[verdict].fill }} />
      </span>
      <span className={styles.value}>{value}</span>
    </span>
  );
}
