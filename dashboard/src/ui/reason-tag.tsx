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

/** The heaviest ones in a row, the rest as a number. */
export function ReasonTags({ codes, max = 2 }: { codes: readonly ReasonCode[]; max?: number }) {
  const rest = codes.slice(max);
  return (
    <span className={styles.reasons}>
      {codes.slice(0, max).map((code) => (
        <ReasonTag key={code} code={code} />
      ))}
      {rest.length > 0 && (
        <Hint label={rest.map((code) => REASONS[code].label).join(', ')}>
          <span className={`${styles.reason} ${styles.rest}`}>+{rest.length}</span>
        </Hint>
      )}
    </span>
  );
}
