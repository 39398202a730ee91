/** Draws on a scale from 0 to 100: a step, and the thresholds. */
import type { Verdict } from '../../../src/contract/messages.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import styles from './assessment-waterfall.module.css';

export interface StepBarProps {
  readonly from: number;
  readonly to: number;
  /** Colours the total. A step alone has no verdict: it is grey, and a line goes from its end down to the next one. */
  readonly verdict?: Verdict;
}

export function StepBar({ from, to, verdict }: StepBarProps) {
  const background = verdict === undefined ? undefined : VERDICTS[verdict].fill;
  return (
    <>
      <span
        className={styles.bar}
        data-total={verdict}
        style={{ left: `${from}%`, width: `${to - from}%`, background }}
      />
      {verdict === undefined && <span className={styles.connector} style={{ left: `${to}%` }} />}
    </>
  );
}

export function ThresholdLines({ thresholds }: { thresholds: Thresholds }) {
  return (
    <>
      <span className={styles.line} data-of="challenge" style={{ left: `${thresholds.challenge}%` }} />
      <span className={styles.line} data-of="block" style={{ left: `${thresholds.block}%` }} />
    </>
  );
}

/** Each on its own line, so that close thresholds stay readable. */
export function ThresholdNames({ thresholds }: { thresholds: Thresholds }) {
  return (
    <>
      <ThresholdLines thresholds={thresholds} />
      {(['challenge', 'block'] as const).map((name) => {
        const at = thresholds[name];
        const side = at > 60 ? { right: `${100 - at}%` } : { left: `${at}%` };
        return (
          <span key={name} className={styles.name} data-of={name} style={side}>
            {name} {at}
          </span>
        );
      })}
    </>
  );
}
