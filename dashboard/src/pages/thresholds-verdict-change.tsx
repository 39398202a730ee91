/** Shows a verdict and the one it would become; by icons alone where there is no room. */
import { IconArrowRight } from '@tabler/icons-react';
import type { Verdict } from '../../../src/contract/messages.ts';
import { VERDICTS } from '../ui/verdicts.ts';
import styles from './thresholds-simulator-card.module.css';

export function VerdictChange({ from, to }: { from: Verdict; to: Verdict }) {
  return (
    <span className={styles.change}>
      <One verdict={from} />
      <IconArrowRight size={14} aria-label="to" />
      <One verdict={to} />
    </span>
  );
}

function One({ verdict }: { verdict: Verdict }) {
  const { word, icon: Icon, ink } = VERDICTS[verdict];
  return (
    <span style={{ color: ink }}>
      <Icon size={15} aria-label={word} />
      <em aria-hidden>{word}</em>
    </span>
  );
}
