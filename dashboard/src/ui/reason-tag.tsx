/** Shows a reason in short words; its code and its meaning on hover. */
import { REASONS, type ReasonCode } from '../../../src/contract/reasons.ts';
import { Hint } from './hint.tsx';
import styles from './verdict.module.css';

export function ReasonTag({ code }: { code: ReasonCode }) {
  return (
    <Hint label={`${code}: ${REASONS[code].meaning}`}>
      <span className={styles.reason}>{REASONS[code].label}</span>
    </Hint>
  );
}
