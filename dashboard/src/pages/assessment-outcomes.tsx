/** Outcomes of a signup, as the application or its mail provider reported them. */
import type { OutcomeEntry } from '../../../src/contract/dashboard-assessments.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { OUTCOME_WORDS } from './assessment-outcome-words.ts';
import styles from './assessment-view.module.css';

export function Outcomes({ outcomes }: { outcomes: readonly OutcomeEntry[] }) {
  return (
    <section className={styles.section} aria-label="Outcomes">
      <h2>Outcomes</h2>
      <ul className={styles.sentences}>
        {outcomes.map(({ outcome, at, by }) => (
          <li key={outcome}>
            {OUTCOME_WORDS[outcome]}{' '}
            <span className="gh-dim">
              · <RelativeTime at={at} /> · reported by {by}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
