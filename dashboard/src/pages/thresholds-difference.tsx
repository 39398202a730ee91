/** How many more or fewer signups would get a verdict, as a chip in its colours. */
import type { VerdictCounts } from '../../../src/contract/dashboard-account.ts';
import { grouped } from '../ui/format.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import styles from './thresholds-simulator-card.module.css';

export interface DifferenceProps {
  readonly verdict: keyof VerdictCounts;
  readonly before: VerdictCounts;
  readonly after: VerdictCounts;
}

export function Difference({ verdict, before, after }: DifferenceProps) {
  const difference = after[verdict] - before[verdict];
  const { ink, soft } = VERDICTS[verdict];
  return (
    <span className={styles.chip} style={difference === 0 ? undefined : { color: ink, background: soft }}>
      {signed(difference)}
    </span>
  );
}

/** `+12`, `−3`, `±0`: with a true minus. */
function signed(difference: number): string {
  if (difference === 0) return '±0';
  return `${difference > 0 ? '+' : '−'}${grouped(Math.abs(difference))}`;
}
