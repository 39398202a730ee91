/** Shows when a signup came: how long ago on the first day, then date and clock, in the reader's time zone. */
import { exactUtc, local, relative, shortTime } from './format.ts';
import { Hint } from './hint.tsx';
import styles from './signup-time.module.css';
import { useNow } from './use-now.ts';

const DAY_MS = 86_400_000;

export function SignupTime({ at }: { at: string }) {
  const now = useNow();
  const isRecent = now - Date.parse(at) < DAY_MS;
  const label = (
    <>
      {exactUtc(at)}
      <br />
      {local(at)} local
    </>
  );
  return (
    <Hint label={label}>
      <time dateTime={at} className={styles.time}>
        {isRecent ? relative(at, now) : shortTime(at, now)}
        <span className="gh-hidden"> ({exactUtc(at)})</span>
      </time>
    </Hint>
  );
}
