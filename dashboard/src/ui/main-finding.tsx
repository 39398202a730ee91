/** Shows what decided about a signup in a few words, with its points; nothing where no finding has five points. */
import type { MainFinding } from '../../../src/contract/dashboard-assessments.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { Hint } from './hint.tsx';
import styles from './verdict.module.css';

export function MainFindingText({ finding }: { finding: MainFinding | null }) {
  if (finding === null) return null;
  const { detector, points, title, tipped_by } = finding;
  const tippers = tipped_by.map(labelOfDetector).join(', ');
  // An entry of an own list decides alone.
  const rounded = detector === 'deny_list' ? 0 : Math.round(points);
  const words = rounded === 0 ? labelOfDetector(detector) : `${labelOfDetector(detector)}, ${rounded} points`;
  return (
    <Hint
      label={`${title === labelOfDetector(detector) ? words : `${title} (${words})`}${tippers && `. Tipped by: ${tippers}`}`}
    >
      <span className={styles.finding}>
        <span className={styles.findingTitle}>{title}</span>
        {rounded > 0 && <span className={styles.points}>{rounded}</span>}
        {tippers !== '' && (
          <span className={styles.tippers}>
            <span className="gh-hidden">tipped by </span>+ {tippers}
          </span>
        )}
      </span>
    </Hint>
  );
}

/** A line below the address where the window is too narrow for a column. */
export function MainFindingBelow({ finding }: { finding: MainFinding | null }) {
  return finding === null ? null : <span className={styles.findingBelow}>{finding.title}</span>;
}
