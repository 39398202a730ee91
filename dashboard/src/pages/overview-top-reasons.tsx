/** Shows the most frequent reasons as bars, each with a link to its assessments. */
import { Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../../../src/contract/dashboard-account.ts';
import { REASONS } from '../../../src/contract/reasons.ts';
import { useScope } from '../scope.ts';
import { grouped } from '../ui/format.ts';
import { Hint } from '../ui/hint.tsx';
import styles from './overview-page.module.css';

const MAX_ROWS = 8;

export function TopReasons({ overview }: { overview: Overview | undefined }) {
  const { page, period } = useScope();
  if (overview === undefined) return <Skeleton height={MAX_ROWS * 36} m={16} mt={0} width="auto" />;
  const reasons = overview.reasons.slice(0, MAX_ROWS);
  const max = Math.max(1, ...reasons.map(({ count }) => count));
  if (reasons.length === 0) return <p className={styles.none}>No reasons. Every signup was clean.</p>;
  return (
    <table className={styles.reasons}>
      <thead>
        <tr>
          <th scope="col">Reason</th>
          <th scope="col" colSpan={2}>
            Signups
          </th>
          <th scope="col">Avg. points</th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ code, count, mean_weight }) => (
          <tr key={code}>
            <th scope="row">
              <Hint label={REASONS[code].meaning}>
                <Link href={page('assessments', { reason: code, period })}>{REASONS[code].label}</Link>
              </Hint>
            </th>
            <td aria-hidden>
              <span className={styles.bar} style={{ width: `${(100 * count) / max}%` }} />
            </td>
            <td>{grouped(count)}</td>
            <td>{Math.round(mean_weight)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
