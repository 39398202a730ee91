/** Shows how long ago something was; the exact instant, local and UTC, on hover and for assistive technology. */
import { exactUtc, local, relative } from './format.ts';
import { Hint } from './hint.tsx';
import { useNow } from './use-now.ts';

export function RelativeTime({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="gh-faint">never</span>;
  const label = (
    <>
      {exactUtc(at)}
      <br />
      {local(at)} local
    </>
  );
  return (
    <Hint label={label}>
      <time dateTime={at} style={{ position: 'relative', whiteSpace: 'nowrap' }}>
        {relative(at, now)}
        <span className="gh-hidden"> ({exactUtc(at)})</span>
      </time>
    </Hint>
  );
}
