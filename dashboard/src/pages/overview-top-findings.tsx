/** Shows the main findings that stopped most signups as bars, each with a link to its signups. */
import { Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../../../src/contract/dashboard-account.ts';
import { labelOfDetector } from '../../../src/contract/detectors.ts';
import { useScope } from '../scope.ts';
import { grouped } from '../ui/format.ts';
import styles from './overview-page.module.css';

const MAX_ROWS = 8;

export function TopFindings({ overview }: { overview: Overview | undefined }) {
  const { page, period } = useScope();
  if (overview === undefined) return <Skeleton height={MAX_ROWS * 36} m={16} mt={0} width="auto" />;
  const findings = overview.findings.filter(({ stopped }) => stopped > 0).slice(0, MAX_ROWS);
  const max = Math.max(1, ...findings.map(({ stopped }) => stopped));
  if (findings.length === 0) return <p className={styles.none}>No signup was stopped.</p>;
  return (
    <table className={styles.reasons}>
      <thead>
        <tr>
          <th scope="col">Main finding</th>
          <th scope="col" colSpan={2}>
            Stopped
          </th>
          <th scope="col">Of all with it</th>
        </tr>
      </thead>
      <tbody>
        {findings.map(({ detector: finding, count, stopped }) => (
          <tr key={finding}>
            <th scope="row">
              <Link
                href={page('assessments', { finding, verdict: 'challenge,block', shadow: 'false', period })}
              >
                {labelOfDetector(finding)}
              </Link>
            </th>
            <td aria-hidden>
              <span className={styles.bar} style={{ width: `${(100 * stopped) / max}%` }} />
            </td>
            <td>{grouped(stopped)}</td>
            <td>
              <Link href={page('assessments', { finding, period })}>{grouped(count)}</Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
