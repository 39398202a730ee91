/** Shows a reason in short words; its code and its meaning on hover. */
import { Tooltip } from '@mantine/core';
import { REASONS, type ReasonCode } from '../../../../src/contract/reasons.ts';
import { REASON_WORDS } from './reason-words.ts';
import styles from './verdict.module.css';

export function ReasonTag({ code }: { code: ReasonCode }) {
  return (
    <Tooltip label={`${code}: ${REASONS[code].meaning}`} multiline maw={320}>
      <span className={styles.reason}>{REASON_WORDS[code]}</span>
    </Tooltip>
  );
}

/** The heaviest ones in a row, the rest as a number. */
export function ReasonTags({ codes, most = 2 }: { codes: readonly ReasonCode[]; most?: number }) {
  const rest = codes.slice(most);
  return (
    <span className={styles.reasons}>
      {codes.slice(0, most).map((code) => (
        <ReasonTag key={code} code={code} />
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.map((code) => REASON_WORDS[code]).join(', ')}>
          <span className={styles.reason}>+{rest.length}</span>
        </Tooltip>
      )}
    </span>
  );
}
