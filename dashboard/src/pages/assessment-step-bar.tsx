/** Draws on a scale from 0 to 100: a step, coloured by the verdicts of its points, and the thresholds. */
import type { Thresholds } from '../../../src/model/policy.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import styles from './assessment-waterfall.module.css';

export interface StepBarProps {
  readonly from: number;
  readonly to: number;
  readonly thresholds: Thresholds;
  /** A line goes from its end down to the next step. */
  readonly connected?: boolean;
}

export function StepBar({ from, to, thresholds, connected = false }: StepBarProps) {
  const { challenge, block } = thresholds;
  const width = to - from;
  // The colours cover the whole scale; the bar shows a part of it.
  const scale = {
    backgroundImage: `linear-gradient(90deg, ${VERDICTS.allow.fill} ${challenge}%, ${VERDICTS.challenge.fill} ${challenge}% ${block}%, ${VERDICTS.block.fill} ${block}%)`,
    backgroundSize: width > 0 ? `${(100 / width) * 100}% 100%` : undefined,
    backgroundPosition: width < 100 ? `${(from / (100 - width)) * 100}% 0` : undefined,
  };
  return (
    <>
      <span className={styles.bar} style={{ left: `${from}%`, width: `${width}%`, ...scale }} />
      {connected && <span className={styles.connector} style={{ left: `${to}%` }} />}
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
