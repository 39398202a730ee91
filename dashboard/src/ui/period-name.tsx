/** Names a period and explains it on hover and focus, the same on every page. */
import { Hint } from './hint.tsx';
import styles from './text.module.css';

const MEANING =
  '24 hours are the current hour and the 23 before it. 7 and 30 days are today and the days before it, by the clock of the account. All pages and links use the same period.';

/** `words`: `30 days`. `end`: the sign after it, which stays on its line. */
export function PeriodName({ words, end = '' }: { words: string; end?: ',' | '.' | '' }) {
  return (
    <span className={styles.together}>
      <Hint label={MEANING}>
        <button type="button" className={styles.explained} aria-description={MEANING}>
          last {words}
        </button>
      </Hint>
      {end}
    </span>
  );
}
