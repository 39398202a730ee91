/** Says which keys in shadow mode let in signups that would have been stopped, and links to exactly these. */
import { Fragment } from 'react';
import { Link } from 'wouter';
import type { Overview } from '../../../src/contract/dashboard-account.ts';
import { useScope } from '../scope.ts';
import { grouped, pluralize } from '../ui/format.ts';
import { IconEye } from '../ui/icons.ts';
import { observedOf, VERDICTS } from '../ui/verdicts.ts';
import styles from './overview-page.module.css';

export function ObservedNote({ overview: { totals, observed_keys: keys } }: { overview: Overview }) {
  const { page } = useScope();
  const total = observedOf(totals);
  if (total === 0) return null;
  return (
    <div className={styles.observed}>
      <IconEye size={16} aria-hidden />
      <div>
        {keys.length === 0 && (
          <p>
            {pluralize(total, 'signup')} would have been stopped; the answer was Allow.{' '}
            <Link href={page('shadow')}>Shadow mode</Link>
          </p>
        )}
        {keys.map((key) => (
          <ObservedKey key={key.id} observed={key} />
        ))}
      </div>
    </div>
  );
}

function ObservedKey({ observed }: { observed: Overview['observed_keys'][number] }) {
  const { page, period } = useScope();
  const { id, name } = observed;
  const stops = (['block', 'challenge'] as const).filter((verdict) => observed[verdict] > 0);
  return (
    <p>
      On {name},{' '}
      {stops.map((verdict, index) => (
        <Fragment key={verdict}>
          {index > 0 && ' and '}
          <Link href={page('assessments', { period, verdict, key: id, shadow: 'true' })}>
            {grouped(observed[verdict])}
          </Link>{' '}
          would have been {VERDICTS[verdict].did}
        </Fragment>
      ))}
      . It only observed: the answer was Allow.
    </p>
  );
}
