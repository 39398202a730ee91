/** Shows a verdict: its icon and its word in its colours; an eye says that it was found, but not answered. */
import type { Verdict } from '../../../src/contract/messages.ts';
import { Hint } from './hint.tsx';
import { IconEye } from './icons.ts';
import styles from './verdict.module.css';
import { VERDICTS } from './verdicts.ts';

export interface VerdictBadgeProps {
  readonly verdict: Verdict;
  readonly large?: boolean;
  /** The key was in shadow mode: the answer was Allow. */
  readonly observed?: boolean;
}

export function VerdictBadge({ verdict, large = false, observed = false }: VerdictBadgeProps) {
  const { word, icon: Icon, ink, soft } = VERDICTS[verdict];
  return (
    <span
      className={styles.badge}
      data-large={large || undefined}
      data-observed={observed || undefined}
      style={{ color: ink, background: observed ? undefined : soft }}
    >
      <Icon size={large ? 18 : 14} stroke={2} aria-hidden />
      <span className={styles.word}>{word}</span>
      {observed && <Observed size={large ? 16 : 13} />}
    </span>
  );
}

function Observed({ size }: { size: number }) {
  return (
    <Hint label="Observed only: the answer was Allow">
      <span className={styles.eye}>
        <IconEye size={size} aria-hidden />
        <span className="gh-hidden">, observed only</span>
      </span>
    </Hint>
  );
}
