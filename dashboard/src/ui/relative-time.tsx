/** Shows when something was: how long ago within a day, else its date and clock; the exact instant, also in UTC, on hover and for assistive technology. */
import { Hint } from './hint.tsx';
import styles from './text.module.css';
import { exactUtc } from './times.ts';
import { useNow } from './use-now.ts';
import { useTimes } from './use-times.ts';

export function RelativeTime({ at }: { at: string | null }) {
  const now = useNow();
  const times = useTimes();
  if (at === null) return <span className="gh-faint">never</span>;
  const exact = `${times.exact(at)} (${times.zone})`;
  const label = (
    <>
      {exact}
      <br />
      {exactUtc(at)}
    </>
  );
  return (
    <Hint label={label}>
      <time dateTime={at} dir="auto" className={styles.time}>
        <span className={styles.onScreen}>
          {times.relative(at, now)}
          <span className="gh-hidden">, </span>
        </span>
        <span className={styles.exact}>{exact}</span>
      </time>
    </Hint>
  );
}
