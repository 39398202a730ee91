/** Names a period, and says on hover and focus what exactly it is: the same on every page. */
import { Hint } from './hint.tsx';
import styles from './text.module.css';

const MEANING =
  '24 hours are the current hour and the 23 before it. 7 and 30 days are today and the days before it, by UTC. All pages and links count the same.';

/** `words`: `30 days` */
export function PeriodName({ words }: { words: string }) {
  return (
    <Hint label={MEANING}>
      <button type="button" className={styles.explained} aria-description={MEANING}>
        last {words}
      </button>
    </Hint>
  );
}
