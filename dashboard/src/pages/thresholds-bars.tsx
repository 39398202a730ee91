/** Draws how many signups have each score, in the colours of the verdicts they would get; and as outlines those before the change. */
import type { Simulation } from '../../../src/contract/dashboard-account.ts';
import type { Thresholds } from '../../../src/model/policy.ts';
import { short } from '../ui/format.ts';
import { VERDICTS, verdictOf } from '../ui/verdicts.ts';
import { barScale, type Scale } from './thresholds-bar-scale.ts';
import styles from './thresholds-histogram.module.css';

export interface BarsProps {
  readonly simulation: Simulation;
  readonly thresholds: Thresholds;
  readonly scale: Scale;
  /** Show the scores before the change as well, where they can differ. */
  readonly compared: boolean;
  readonly pointed: number | undefined;
}

export function Bars({ simulation, thresholds, scale, compared, pointed }: BarsProps) {
  const { scores_after: after, scores_before: before } = simulation;
  const { height, ticks } = barScale(compared ? [...after, ...before] : after, scale);
  return (
    <div className={styles.bars}>
      {ticks.map((tick) => (
        <span key={tick} className={styles.tick} style={{ bottom: percentOf(tick === 0 ? 0 : height(tick)) }}>
          {short(tick)}
        </span>
      ))}
      {after.map((count, score) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a score is its place
        <span key={score} className={styles.slot} data-pointed={pointed === score || undefined}>
          <span
            className={styles.bar}
            style={{
              height: percentOf(height(count)),
              background: VERDICTS[verdictOf(score, thresholds)].fill,
            }}
          />
          {compared && (before[score] ?? 0) > 0 && (
            <span className={styles.ghost} style={{ height: percentOf(height(before[score] ?? 0)) }} />
          )}
        </span>
      ))}
    </div>
  );
}

const percentOf = (share: number) => `${100 * share}%`;
