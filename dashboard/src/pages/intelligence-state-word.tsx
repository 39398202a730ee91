/** Shows the state of a source: icon and word. */
import type { SourceState } from '../../../src/contract/dashboard-installation.ts';
import styles from './intelligence-page.module.css';
import { SOURCE_STATES } from './intelligence-source-states.ts';

export function StateWord({ state }: { state: SourceState }) {
  const { word, icon: Icon, ink } = SOURCE_STATES[state];
  return (
    <span className={styles.state} style={{ color: ink }}>
      <Icon size={15} aria-hidden />
      {word}
    </span>
  );
}
