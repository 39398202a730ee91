/** Shows a verdict: its icon and its word in its colours. */
import type { Verdict } from '../../../src/contract/messages.ts';
import styles from './verdict.module.css';
import { VERDICTS } from './verdicts.ts';

export function VerdictBadge({ verdict, large = false }: { verdict: Verdict; large?: boolean }) {
  const { word, icon: Icon, ink, soft } = VERDICTS[verdict];
  return (
    <span className={styles.badge} data-large={large || undefined} style={{ color: ink, background: soft }}>
      <Icon size={large ? 18 : 14} stroke={2} aria-hidden />
      {word}
    </span>
  );
}
